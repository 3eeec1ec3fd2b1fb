import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import type { CallReporter } from '../report/reporter.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { namespaceDigits } from '../stores/store-keys.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';

/**
 * Rows of messages of conversations that were too long, by which those are noticed that begin in the middle of another
 * one: how many such windows there had been in a row, 0 for a row that a conversation began with. About 250 bytes each.
 */
const windows = boundedMap<number>(20_000);

/** A conversation that nothing is known of, and where windows are warned of. */
interface WindowPlace extends Pick<CallReporter, 'warn'> {
  readonly view: {
    readonly identity: Pick<ConversationIdentity, 'messageDigests' | 'significantBefore'>;
  };
  readonly state: Pick<ConversationState, 'keyOf'>;
}

/** Messages in a row that tell one conversation from another. */
const rowLength = 4;

/** Messages that are watched: a window that slides is asked about long before it has left them. */
const maxWatched = 500;

/** Windows in a row that a summary is paid for. */
const maxPaid = 2;

/** Whether summaries were paid for already of windows that a conversation goes on from, and nobody found them. */
export async function isSlidingOn(
  place: WindowPlace & { readonly conversationId: string | undefined },
): Promise<boolean> {
  if (place.conversationId !== undefined) return false;
  const [first = ''] = await rowsOf(place);
  return (windows.get(first) ?? 0) >= maxPaid;
}

/** Remembers a conversation that is summarized, or only made to fit; warns of one that begins inside of another. */
export async function noteWindow(place: WindowPlace): Promise<void> {
  const [first = '', ...others] = await rowsOf(place);
  const before = windows.get(first) ?? 0;
  windows.set(first, before);
  for (const row of others) {
    // The beginning of one conversation may occur in the middle of another one, or of itself.
    const known = windows.get(row);
    if (known !== 0) windows.set(row, Math.max(known ?? 0, before + 1));
  }
  if (before === 0) return;
  place.warn({
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
