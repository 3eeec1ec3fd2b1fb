import type { ConversationView } from '../../planning/selection/conversation-view.ts';
import type { CallReporter } from '../report/reporter.ts';
import type { ConversationState } from '../../state/conversation/conversation-state.ts';
import { namespaceDigits } from '../../state/stores/store-keys.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';

/**
 * Rows of messages of conversations that were too long, which reveal a conversation that begins in the middle of
 * another one: the number of such windows in a row, 0 for a row at the beginning of a conversation. About 250 bytes
 * each.
 */
const windows = boundedMap<number>(20_000);

/** A conversation that may be a window. */
interface WindowPlace {
  readonly view: Pick<ConversationView, 'identity'>;
  readonly state: Pick<ConversationState, 'keyOf' | 'documents'>;
}

/** Messages in a row that identify a conversation. */
const rowLength = 4;

/** Most messages that are watched: a sliding window is noticed long before it has left them. */
const maxWatched = 500;

/** Most windows in a row whose summaries are paid for. */
const maxPaid = 2;

/** Whether summaries of earlier windows of a conversation were paid for, and no request found them. */
export async function isUnreusedWindow(place: WindowPlace): Promise<boolean> {
  if (place.state.documents.names.hasId) return false;
  const [first = ''] = await rowsOf(place);
  return (windows.get(first) ?? 0) >= maxPaid;
}

/** Remembers a conversation that is summarized, or only made to fit; warns if it begins inside another one. */
export async function noteWindow(place: WindowPlace, warn: CallReporter['warn']): Promise<void> {
  const [first = '', ...others] = await rowsOf(place);
  const before = windows.get(first) ?? 0;
  windows.set(first, before);
  for (const row of others) {
    // The beginning of one conversation may occur in the middle of another one, or of itself.
    const known = windows.get(row);
    if (known !== 0) windows.set(row, Math.max(known ?? 0, before + 1));
  }
  if (before === 0) return;
  warn({
    code: 'sliding-window',
    cause: 'history',
    message:
      'A conversation begins with messages from the middle of one that was summarized before: the client seems to ' +
      'send only the last messages of its history. After two summaries in a row that no request found again, such ' +
      'prompts are only shortened. Pass the option conversationId or providerOptions.summarization.conversationId, ' +
      'an id that the application has authorized, or send the whole history.',
  });
}

async function rowsOf({ view: { identity }, state }: WindowPlace): Promise<readonly string[]> {
  const count = Math.min(identity.significantBefore(Number.POSITIVE_INFINITY), maxWatched);
  const ids = await identity.messageDigests(0, count);
  const scope = (await state.keyOf(1)).slice(0, namespaceDigits);
  const rows: string[] = [];
  for (let start = 0; start + rowLength <= ids.length; start += 1)
    rows.push([scope, ...ids.slice(start, start + rowLength)].join(' '));
  return rows;
}
