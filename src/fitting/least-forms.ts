import type { Message } from '../prompt/prompt-types.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { condenseToolResults } from './condense-tool-results.ts';
import type { CountedConversation } from './counted-conversation.ts';
import type { Shortened } from './restore-messages.ts';
import { jsonTexts } from './json-texts.ts';
import { shrinkMessage } from './shrink-messages.ts';

/** The shortest legal forms of the messages of a range; by reference where there is none. */
export type Shorten = (start: number, end: number) => Promise<readonly Message[]>;

/** The least forms of a conversation from `reach` on, newest first, as far back as they can matter. */
export interface LeastForms {
  /** Tokens by index; a message that is not listed has no shorter form. */
  readonly tokens: ReadonlyMap<number, number>;
  /** The index as far back as which least forms are known. Further back the room is used up. */
  readonly reach: number;
  readonly shortened: readonly Shortened[];
}

/** Messages that are shortened at once, between two pauses. */
const batchSize = 32;

/**
 * Shortens messages before `end` from the newest back until even their least forms fill the room: what
 * is older is never looked at, however long the history.
 */
export async function leastForms(
  { messages, start, count }: Pick<CountedConversation, 'messages' | 'start' | 'count'>,
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

/**
 * Shortens as far as can be: tool outputs to their facts, texts of the user to so many characters. Pinned
 * messages and the user's latest stay.
 */
export function shortestForms(
  { conversation, groups, pinned }: Pick<ConversationView, 'conversation' | 'groups' | 'pinned'>,
  toolResults: ToolResultOptions,
  characters: number,
): Shorten {
  const latestUser = conversation.findLastIndex(({ role }) => role === 'user');
  // A group may span thousands of batches, which come newest first: it is read once.
  let read: { readonly from: number; readonly forms: readonly Message[] } | undefined;
  return async (first, end): Promise<readonly Message[]> => {
    // A result is condensed by what its call asked for.
    const from = groups.startOf(first);
    if (read?.from !== from || from + read.forms.length < end) {
      const range = conversation.slice(from, end);
      const stale = new Set(range.filter((_, index) => !pinned.has(from + index)));
      const slices = timeSlices();
      const condensed = await condenseToolResults(range, stale, slices, toolResults);
      const jsonText = await jsonTexts(condensed, slices);
      const forms = condensed.map((message, index) =>
        pinned.has(from + index) || from + index === latestUser
          ? message
          : shrinkMessage(message, characters, { jsonText }),
      );
      read = { from, forms };
    }
    return read.forms.slice(first - from, end - from);
  };
}
