import type { World } from './conversation.ts';
import type { Fact } from './fact.ts';
import type { Claim, Writer } from './fake-summariser.ts';

/** Writes those of some claims whose message was read. */
export function writerOf(claims: readonly Claim[]): Writer {
  return (messages) =>
    claims.filter(({ citing }) => messages.some(({ text }) => text.includes(citing)));
}

/** A fact as a faithful record tells it: a rule in the words of the user. */
export function truth(fact: Fact): Claim {
  const { kind, field, said, told } = fact;
  return { field, text: kind === 'rule' ? said : told, citing: said, fact };
}

/** All facts of a conversation, told faithfully. */
export function truths({ facts }: World): readonly Claim[] {
  return facts.map(truth);
}
