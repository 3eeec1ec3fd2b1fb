import { isPrefixOf, type PrefixIdentity } from './is-prefix-of.ts';
import type { ProcessCopy } from './process-copy.ts';

/** A summary of the first `count` messages of a conversation, and of how many more than these it has to be. */
export interface ClaimedPrefix {
  readonly identity: PrefixIdentity;
  readonly digest: string;
  readonly count: number;
  readonly least: number;
}

/**
 * How many messages the summary of a conversation stands for that this process is writing; `undefined` where there is
 * none.
 *
 * @param least - Messages that it stands for more than.
 */
export async function findWriting(
  copy: Pick<ProcessCopy, 'writing'>,
  home: string,
  identity: PrefixIdentity,
  least: number,
): Promise<number | undefined> {
  for (const [digest, { count }] of copy.writing(home))
    if (await isPrefixOf(identity, digest, count, least)) return count;
  return undefined;
}

/** Says that a summary is being written, unless one of the conversation is: see `ConversationState.claim`. */
export async function claimWriting(
  copy: Pick<ProcessCopy, 'writing' | 'begin'>,
  home: string,
  { identity, least, digest, count }: ClaimedPrefix,
): Promise<(() => void) | number> {
  const others = new Set<string>();
  for (;;) {
    // Between the last look and the claim nothing is waited for.
    const next = [...copy.writing(home)].find(([other]) => !others.has(other));
    if (next === undefined) return copy.begin(home, digest, count);
    const [other, begun] = next;
    if (await isPrefixOf(identity, other, begun.count, least)) return begun.count;
    others.add(other);
  }
}
