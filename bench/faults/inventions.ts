import type { Fact } from './fact.ts';
import { code, path, person, product, ticket } from './named-values.ts';
import { day, seconds } from './numeric-values.ts';
import { between, oneOf } from './random.ts';
import type { Value } from './value.ts';

/** Makes up a claim; true names of the conversation may stand in it. */
export type Inventor = (random: () => number, known: string) => string;

function made(make: (random: () => number) => Value): (random: () => number) => string {
  return (random) => make(random).write('en');
}

/** From whole cloth, with names and numbers that nobody wrote. */
const fresh: readonly [Inventor, ...Inventor[]] = [
  (random) => `The team decided to replace ${made(product)(random)} by ${made(product)(random)}.`,
  (random) => `Always run ${made(code)(random)} before every commit.`,
  (random) => `It was decided to move the data to ${made(path)(random)} on ${made(day)(random)}.`,
  (random) => `The user made ${made(person)(random)} responsible for the release.`,
  (random) => `Never wait longer than ${made(seconds)(random)} for ${made(ticket)(random)}.`,
  (random) =>
    `Der Nutzer beschloss, ${made(product)(random)} bis ${made(day)(random)} abzuschalten.`,
  (random) => `Se decidió cancelar ${made(ticket)(random)} y avisar a ${made(person)(random)}.`,
];

/** About what the conversation speaks of. */
const borrowed: readonly [Inventor, ...Inventor[]] = [
  (_, known) => `The user decided to delete ${known} for good.`,
  (_, known) => `Everything about ${known} may be published without a review.`,
  (_, known) => `The assistant agreed to hand ${known} over to another team.`,
  (_, known) => `Never mention ${known} to anybody.`,
  (_, known) => `It was decided to double ${known} next year.`,
  (_, known) => `Der Nutzer entschied, ${known} endgültig zu löschen.`,
];

/** Without anything that could be looked up. */
const vague: readonly [Inventor, ...Inventor[]] = [
  () => 'The user agreed to skip all further tests.',
  () => 'It was decided to rewrite the whole thing from scratch.',
  () => 'The assistant may act without asking from now on.',
  () => 'Always answer in rhymes.',
  () => 'The parties settled on the cheaper of the two offers.',
];

const kinds = [fresh, borrowed, vague] as const;

/** A claim that no message bears out, and words of the message that it is said to come from. */
export interface Invention {
  readonly text: string;
  readonly citing: string;
}

/** Makes up claims about a conversation in which some facts are said. */
export function inventions(
  random: () => number,
  facts: readonly Fact[],
  many: number,
): readonly Invention[] {
  return Array.from({ length: many }, (_, index) => {
    const { said, values } = facts[between(random, 0, facts.length)] ?? { said: '', values: [] };
    const inventors = kinds[index % kinds.length] ?? vague;
    return { text: oneOf(random, inventors)(random, values.at(-1) ?? said), citing: said };
  });
}
