import { packValue, unpackValue } from '../../state/archive/pack-archive.ts';
import type { CallOptions } from '../../prompt/messages/prompt-types.ts';
import { providerOptionsKey } from '../../prompt/messages/own-options.ts';
import { withoutCredentials } from '../../prompt/messages/provider-options.ts';
import { recordIdOf } from '../../foundations/record/build-record.ts';
import type { Epochs } from '../../state/conversation/conversation-documents.ts';
import {
  nextKey,
  startEpochOf,
  type ConversationState,
} from '../../state/conversation/conversation-state.ts';
import type { StoreKeys } from '../../state/stores/store-keys.ts';
import type { SummaryJob } from '../options/summary-queue.ts';
import { clockMs } from '../../foundations/util/async/waiting.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import type { Call } from './read-call.ts';

/** Contents of a job. */
export interface QueuedCall {
  readonly params: CallOptions;
  /** Epochs of the conversation when the call was sent: summaries that were erased since then are not made anew. */
  readonly epochs: Epochs;
}

/** Times when this process handed jobs to a queue, about 250 bytes each, by model and id. */
const enqueued = boundedMap<number>(10_000);

/** Milliseconds after which a job is handed in again if its summary is missing: a queue may lose one. */
const againMs = 60_000;

/**
 * Hands the summary of a call to the queue from which other processes take summaries to make, once a minute at most:
 * every call until the summary is there wants the same one. No call waits for the queue; after a failure, a later call
 * tries again.
 *
 * @returns whether there is a queue.
 */
export function enqueueSummary(call: Call): boolean {
  const { options, modelKey, emit } = call.context;
  const { background: queue } = options;
  if (typeof queue !== 'object') return false;
  void (async () => {
    let key: string | undefined;
    try {
      const id = await jobIdOf(call);
      const place = `${modelKey} ${id}`;
      if (clockMs() - (enqueued.get(place) ?? -againMs) < againMs) return;
      key = place;
      enqueued.set(key, clockMs());
      await queue.enqueue(await summaryJob(call, id));
    } catch (error) {
      if (key !== undefined) enqueued.delete(key);
      const reason = 'the summary could not be enqueued';
      emit({ type: 'failed', stage: 'background', reason, error });
    }
  })();
  return true;
}

/** Makes the id of a job, the same until there is another summary, as all calls until then want the same one. */
async function jobIdOf({ context, snapshot, state }: Call): Promise<string> {
  const wanted = [await nextKey(state), snapshot.forced ? 'asked' : 'due'];
  // Some queues take no id that is a number.
  return `summary-${recordIdOf(await context.place.keys.key('job', ...wanted))}`;
}

/** Writes the parts of a call that matter for its size or its summary: nothing that may hold a credential. */
async function summaryJob({ context, given, state }: Call, id: string): Promise<SummaryJob> {
  const { namespace } = context;
  const { conversationId, keys, retentionMs } = context.place;
  const { prompt, tools, toolChoice, responseFormat, maxOutputTokens } = given;
  const conversation = conversationId === undefined ? {} : { conversationId };
  const own = { ...given.providerOptions?.[providerOptionsKey], ...conversation };
  const providerOptions = withoutCredentials({
    ...given.providerOptions,
    [providerOptionsKey]: own,
  });
  const params = { tools, toolChoice, responseFormat, maxOutputTokens, providerOptions, prompt };
  const queued = { params, epochs: [...(await epochsOf(state))] };
  const until = Date.now() + retentionMs;
  const sealed = await keys.seal(await keys.key('job'), await packValue(queued), until, true);
  return { id, namespace, ...conversation, call: sealed };
}

/**
 * Returns the epochs of all documents of a conversation: without one, a job would bring back what is erased before its
 * turn.
 *
 * @throws {Error} when the store does not answer.
 */
async function epochsOf(state: ConversationState): Promise<Epochs> {
  const { documents, epochs } = state;
  const keys = await documents.names.all();
  if (keys.some((key) => startEpochOf(state, key) === undefined)) {
    documents.beginWriting();
    if (!(await documents.read())) throw new Error('The store did not answer.');
  }
  return new Map([...documents.epochs, ...epochs]);
}

/** Opens the call of a job; `undefined` when it was not sealed under this secret and namespace, or too long ago. */
export async function queuedCall(keys: StoreKeys, sealed: string): Promise<QueuedCall | undefined> {
  const key = await keys.key('job');
  const former = keys.former(key);
  const opened = (await keys.open(key, sealed)) ?? (await former?.keys.open(former.key, sealed));
  if (opened === undefined) return undefined;
  const read = await unpackValue(opened.text);
  return isQueued(read) ? { params: read.params, epochs: new Map(read.epochs) } : undefined;
}

/** Whether a sealed value is a call: the package wrote it, but perhaps in another version. */
function isQueued(
  read: unknown,
): read is { readonly params: CallOptions; readonly epochs: [string, string][] } {
  return isObject(read) && isObject(read['params']) && Array.isArray(read['epochs']);
}
