import type { Message } from '../prompt/prompt-types.ts';
import type { Shorten } from './zones/least-forms.ts';
import { shrinkMessage } from './zones/shrink-messages.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { timeSlices } from '../util/time-slices.ts';
import { condenseToolResults } from './condense-tool-results.ts';
import type { ConversationView } from '../selection/conversation-view.ts';

/**
 * Shortens as far as can be: tool outputs to their facts, texts of the user to so many characters. Pinned
 * messages and the user's latest stay.
 */
export function shortestForms(
  { conversation, groups, pinned }: ConversationView,
  options: ToolResultOptions,
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
      const condensed = await condenseToolResults(range, stale, timeSlices(), options);
      const forms = condensed.map((message, index) =>
        pinned.has(from + index) || from + index === latestUser
          ? message
          : shrinkMessage(message, characters),
      );
      read = { from, forms };
    }
    return read.forms.slice(first - from, end - from);
  };
}
