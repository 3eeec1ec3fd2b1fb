import type { Composition } from '../../planning/composing/compose-prompt.ts';
import type { ChangedMessage, SummaryRange } from '../../planning/plan/plan.ts';
import type { ConversationView } from '../../planning/selection/conversation-view.ts';
import type { CallReporter } from '../report/reporter.ts';
import type { ConversationState } from '../../state/conversation/conversation-state.ts';
import { namespaceDigits } from '../../state/stores/store-keys.ts';
import { randomId } from '../../foundations/util/digest.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';

/** Messages of a conversation when a summary of it was paid for. */
interface WatchedHistory {
  /** Name of the history in warnings. */
  readonly name: string;
  /** Digests of the messages of a summary, or of one that was to be made, from the message number `from` on. */
  from: number;
  ids: readonly string[];
  /** Number of messages, and of those of the user among them. */
  length: number;
  userTurns: number;
  /** Summaries in a row that no later request of the user found again. */
  unfound: number;
  /** Whether a warning was given, which is done once for any number of middlewares. */
  isTold: boolean;
  /** The change because of which no further summary was paid for. */
  changed?: ChangedMessage | undefined;
}

/**
 * Watched histories by messages in them, and by the digest of the messages of their summaries. At most 300 histories of
 * 64 messages, some 20 KB each.
 */
const watched = boundedMap<WatchedHistory>(20_000);

/** Messages by which a history is found. */
const anchors = 64;

/** Messages of which digests are kept. */
const maxWatched = 256;

/** Summaries in a row that are paid for. */
const maxPaid = 2;

/** Least messages after the changed one that have to be the same: after an edit, none are. */
const leastSame = 4;

/** A conversation that is summarized. */
interface WatchedConversation {
  readonly view: Pick<ConversationView, 'identity' | 'conversation'>;
  readonly state: Pick<ConversationState, 'documents' | 'keyOf'>;
}

/** A call whose conversation is to be summarized. */
interface ChangingCall extends WatchedConversation {
  /** The previous summary in the prompt. */
  readonly composition: Pick<Composition, 'record'> | undefined;
}

/** Finds the message because of which no summary is paid for any more; `undefined` if one may be. Changes nothing. */
export async function changedMessage(
  call: ChangingCall,
  range: SummaryRange,
): Promise<ChangedMessage | undefined> {
  const { history, changed, userTurns } = await look(call, range);
  if (history === undefined || history.unfound < maxPaid) return undefined;
  // A step of the same request has no new message of the user.
  return changed ?? (userTurns <= history.userTurns ? history.changed : undefined);
}

/** Remembers a conversation that a summary was paid for, by the digest of the messages of the summary. */
export async function notePaid(
  call: ChangingCall,
  range: SummaryRange,
  digest: string,
): Promise<void> {
  const seen = await look(call, range);
  const { scope, changed, history } = seen;
  const unfound = changed === undefined ? 1 : (history?.unfound ?? 0) + 1;
  watched.set(`${scope} ${digest}`, remember(seen, { unfound, changed: undefined }));
}

/** Remembers a conversation that a summary was not paid for, and warns of it. */
export async function noteChanged(
  call: ChangingCall,
  { range, ...changed }: ChangedMessage & { readonly range: SummaryRange },
  warn: CallReporter['warn'],
): Promise<void> {
  const seen = await look(call, range);
  const history = remember(seen, { unfound: maxPaid, changed });
  if (history.isTold) return;
  history.isTold = true;
  warn({
    code: 'changed-history',
    cause: history.name,
    message:
      `Message ${changed.index} of a conversation (${changed.role}, counted from 0 after the leading system messages) changes ` +
      'with each request, so that no request finds the summary again. After two such summaries no more are paid for: a ' +
      'prompt that does not fit is summarized without a model. Put text that changes, such as the time or retrieved ' +
      'text, into the instructions or the latest message.',
  });
}

/** Remembers that a later request of the user has found a summary again. */
export async function noteFound(
  { view, state }: WatchedConversation,
  digest: string,
): Promise<void> {
  if (watched.size() === 0) return;
  const history = watched.peek(`${await scopeOf(state)} ${digest}`);
  if (history !== undefined && userTurnsOf(view) > history.userTurns) history.unfound = 0;
}

function remember(
  { scope, from, ids, length, userTurns, history, changed }: Awaited<ReturnType<typeof look>>,
  more: Pick<WatchedHistory, 'unfound' | 'changed'>,
): WatchedHistory {
  const isSame = (changed ?? more.changed) !== undefined;
  const before = isSame && history ? history : { name: randomId(), isTold: false };
  const now = Object.assign(before, { from, ids, length, userTurns, ...more });
  for (const [index, id] of ids.slice(0, anchors).entries())
    watched.set(`${scope} ${from + index} ${id}`, now);
  return now;
}

/**
 * Compares the messages of a range with their watched history: returns both, and the first message that changed beneath
 * unchanged ones.
 */
async function look({ view, state, composition }: ChangingCall, { count }: SummaryRange) {
  const { identity, conversation } = view;
  const from = composition?.record.coveredMessages ?? identity.significantBefore(0);
  const scope = await scopeOf(state);
  const ids = await identity.messageDigests(from, Math.min(count, from + maxWatched));
  const votes = new Map<WatchedHistory, number>();
  for (const [index, id] of ids.slice(0, anchors).entries()) {
    const known = watched.get(`${scope} ${from + index} ${id}`);
    if (known !== undefined) votes.set(known, (votes.get(known) ?? 0) + 1);
  }
  const [[likely] = []] = [...votes].toSorted(([, one], [, other]) => other - one);
  const compared = likely && firstChanged(likely, { from, ids });
  const { length } = conversation;
  // Without an id, conversations that are no longer than the one before may be others by the same pattern.
  const isNext =
    likely !== undefined &&
    (state.documents.names.hasId || length > likely.length || likely.unfound >= maxPaid);
  const first = isNext ? compared : 'another';
  const index = typeof first === 'number' ? (identity.indexAfter(first + 1) ?? 0) - 1 : -1;
  const role = conversation[index]?.role;
  return {
    scope,
    from,
    ids,
    length,
    userTurns: userTurnsOf(view),
    history: first === 'another' ? undefined : likely,
    changed: role && { index, role },
  };
}

/**
 * Finds the number of the first changed message, if most messages after it are the same; `undefined` without one;
 * `'another'` if the conversation has taken another way from there, or is another one.
 */
function firstChanged(
  before: Pick<WatchedHistory, 'from' | 'ids'>,
  now: Pick<WatchedHistory, 'from' | 'ids'>,
): number | 'another' | undefined {
  const start = Math.max(before.from, now.from);
  const end = Math.min(before.from + before.ids.length, now.from + now.ids.length);
  let first: number | undefined;
  let same = 0;
  for (let place = start; place < end; place += 1) {
    const isSame = before.ids[place - before.from] === now.ids[place - now.from];
    if (first === undefined) first = isSame ? undefined : place;
    else if (isSame) same += 1;
  }
  if (first === undefined) return undefined;
  const after = end - first - 1;
  return same >= leastSame && 2 * same >= after ? first : 'another';
}

/** Returns the scope of the check: a conversation with an id, otherwise the namespace, in a store. */
async function scopeOf({ documents: { cache, names } }: ChangingCall['state']): Promise<string> {
  const key = await names.of(0);
  return `${cache.id} ${names.hasId ? key : key.slice(0, namespaceDigits)}`;
}

function userTurnsOf({ conversation }: ChangingCall['view']): number {
  return conversation.filter(({ role }) => role === 'user').length;
}

/**
 * Rows of messages of conversations that were too long, which reveal a conversation that begins in the middle of
 * another one: the number of such windows in a row, 0 for a row at the beginning of a conversation. About 250 bytes
 * each.
 */
const windows = boundedMap<number>(20_000);

/** Messages in a row that identify a conversation. */
const rowLength = 4;

/** Most messages whose rows are watched: a sliding window is noticed long before it has left them. */
const maxWatchedRows = 500;

/** Whether summaries of earlier windows of a conversation were paid for, and no request found them. */
export async function isUnreusedWindow(place: WatchedConversation): Promise<boolean> {
  if (place.state.documents.names.hasId) return false;
  const [first = ''] = await rowsOf(place);
  return (windows.get(first) ?? 0) >= maxPaid;
}

/** Remembers a conversation that is summarized, or only made to fit; warns if it begins inside another one. */
export async function noteWindow(
  place: WatchedConversation,
  warn: CallReporter['warn'],
): Promise<void> {
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

async function rowsOf({
  view: { identity },
  state,
}: WatchedConversation): Promise<readonly string[]> {
  const count = Math.min(identity.significantBefore(Number.POSITIVE_INFINITY), maxWatchedRows);
  const ids = await identity.messageDigests(0, count);
  const scope = (await state.keyOf(1)).slice(0, namespaceDigits);
  const rows: string[] = [];
  for (let start = 0; start + rowLength <= ids.length; start += 1)
    rows.push([scope, ...ids.slice(start, start + rowLength)].join(' '));
  return rows;
}
