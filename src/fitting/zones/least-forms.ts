import type { Message } from '../../prompt/prompt-types.ts';
import type { LeastTokens } from './choose-zones.ts';
import type { CountedConversation } from './counted-conversation.ts';
import type { Shortened } from './restore-messages.ts';

/** The shortest legal forms of the messages of a range; by reference where there is none. */
export type Shorten = (start: number, end: number) => Promise<readonly Message[]>;

/** The least forms of a conversation, newest first, as far back as they can matter. */
export interface LeastForms extends LeastTokens {
  readonly shortened: readonly Shortened[];
}

/** Messages that are shortened at once, between two pauses. */
const batchSize = 32;

/**
 * Shortens messages before `end` from the newest back until even their least forms fill the room: what
 * is older is never looked at, however long the history.
 */
export async function leastForms(
  { messages, start, count }: CountedConversation,
  {
    end,
    room,
    shorten,
  }: { readonly end: number; readonly room: number; readonly shorten: Shorten },
): Promise<LeastForms> {
  const tokens = new Map<number, number>();
  const shortened: Shortened[] = [];
  let total = 0;
  let reach = end;
  while (reach > start && total <= room) {
    const first = Math.max(start, reach - batchSize);
    const forms = await shorten(first, reach);
    for (let index = reach - 1; index >= first; index -= 1) {
      const full = messages[index];
      const least = forms[index - first];
      if (full === undefined || least === undefined) continue;
      const fullTokens = await count(full);
      const leastTokens = least === full ? fullTokens : await count(least);
      total += Math.min(leastTokens, fullTokens);
      if (leastTokens >= fullTokens) continue;
      shortened.push({ index, full, least });
      tokens.set(index, leastTokens);
    }
    reach = first;
  }
  return { tokens, reach, shortened };
}
