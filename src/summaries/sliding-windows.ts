import type { CallWarning } from '../report/call-reporter.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';

/** Notices conversations of which the client sends only the last messages, a window that slides along. */
export interface SlidingWindowWatch {
  /**
   * Remembers the messages of a record that has been written.
   *
   * @param scope - Conversations of different scopes do not know of each other.
   * @param ids - Digests of its messages, from the first one on.
   */
  readonly remember: (scope: string, ids: readonly string[]) => void;
  /**
   * Whether a conversation begins with messages that stand in a row inside a remembered one, and with which
   * none begins: each of its windows is summarised anew.
   */
  readonly isWindow: (scope: string, ids: readonly string[]) => boolean;
}

/** Messages in a row that tell one conversation from another. */
const rowLength = 4;

/** Rows of a record that are remembered: a window that slides is asked about long before it has left them. */
const maxRowsOfRecord = 500;

/** Rows remembered, about 250 bytes each. */
const maxRows = 20_000;

/** Makes a watch that holds at most 20,000 rows of digests, 5 MB, and no text. */
export function slidingWindowWatch(): SlidingWindowWatch {
  const rows = boundedMap<'beginning' | 'inside'>(maxRows);
  return {
    remember: (scope, ids) => {
      const last = Math.min(ids.length - rowLength, maxRowsOfRecord);
      for (let start = 0; start <= last; start += 1) {
        const row = rowAt(scope, ids, start);
        // What one conversation begins with may stand in the middle of another one, or of itself.
        const place = start === 0 ? 'beginning' : (rows.get(row) ?? 'inside');
        rows.set(row, place);
      }
    },
    isWindow: (scope, ids) =>
      ids.length >= rowLength && rows.get(rowAt(scope, ids, 0)) === 'inside',
  };
}

function rowAt(scope: string, ids: readonly string[], start: number): string {
  return JSON.stringify([scope, ...ids.slice(start, start + rowLength)]);
}

/** What to tell whose conversations are found to be windows. */
export const slidingWindowWarning: CallWarning = {
  code: 'sliding-window',
  cause: 'history',
  message:
    'A conversation begins with messages from the middle of one that was summarised before: the client seems to ' +
    'send only the last messages of its history, so that every request may pay for a summary of its own. Pass ' +
    'providerOptions.summarization.conversationId, an id that the application has authorised, or send the whole ' +
    'history.',
};
