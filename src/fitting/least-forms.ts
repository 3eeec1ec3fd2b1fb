import type { Message } from '../prompt/prompt-types.ts';
import type { LeastTokens } from './choose-zones.ts';
import type { CountTokens, Shortened } from './restore-messages.ts';

/** What {@link leastForms} reads. */
export interface LeastFormsInput {
  readonly conversation: readonly Message[];
  /** The range of indexes to walk, from its end. */
  readonly start: number;
  readonly end: number;
  /** Tokens after which there is no need to walk on. */
  readonly room: number;
  /** The shortest legal forms of the messages of a range; by reference where there is none. */
  readonly shorten: (start: number, end: number) => readonly Message[];
  readonly count: CountTokens;
}

/** The least forms of a conversation, newest first, as far back as they can matter. */
export interface LeastForms extends LeastTokens {
  readonly shortened: readonly Shortened[];
}

/** Messages that are shortened at once, between two pauses. */
const batchSize = 32;

/**
 * Shortens messages from the newest back until even their least forms fill the room: what is older is
 * never looked at, however long the history.
 */
export async function leastForms(input: LeastFormsInput): Promise<LeastForms> {
  const { conversation, start, end, room, shorten, count } = input;
  const tokens = new Map<number, number>();
  const shortened: Shortened[] = [];
  let total = 0;
  let reach = end;
  while (reach > start && total <= room) {
    const first = Math.max(start, reach - batchSize);
    const forms = shorten(first, reach);
    for (let index = reach - 1; index >= first; index -= 1) {
      const full = conversation[index];
      const least = forms[index - first];
      if (full === undefined || least === undefined) continue;
      const leastTokens = await count(least);
      const isShorter = least !== full && leastTokens < (await count(full));
      if (isShorter) {
        shortened.push({ index, full, least });
        tokens.set(index, leastTokens);
      }
      total += isShorter ? leastTokens : await count(full);
    }
    reach = first;
  }
  return { tokens, reach, shortened };
}
