import { compressText, decompressText, decodeValue, encodeValue } from '../archive/value-codec.ts';
import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import { withoutCredentials } from '../prompt/provider-options.ts';
import { recordIdOf } from '../record/build-record.ts';
import type { StoreKeyring } from '../stores/store-keys.ts';
import type { SummaryJob } from '../summaries/summary-options.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { toBase64, fromBase64 } from '../util/strings.ts';
import { isObject } from '../util/is-object.ts';
import type { CallContext } from './reading/call-context.ts';
import type { CallReading } from './reading/read-call.ts';
import type { Epochs } from '../state/known-conversation.ts';

/** What a job holds of a call. */
export interface QueuedCall {
  readonly params: CallOptions;
  /** Epochs of the conversation when it was sent: what was erased since then is not made anew. */
  readonly epochs: Epochs;
}

/** What of a call has to do with its size or its summary: nothing that may hold a credential. */
const names = [
  'tools',
  'toolChoice',
  'responseFormat',
  'maxOutputTokens',
  'providerOptions',
] as const satisfies readonly (keyof CallOptions)[];

/** The id of a job: the same until there is another summary, for all calls until then want the same one. */
export async function jobIdOf(
  { keyring: [keys] }: Pick<CallContext, 'keyring'>,
  { callOptions, state, stored, policy }: CallReading,
): Promise<string> {
  const from = await state.keyOf(stored?.record.coveredMessages ?? Math.max(1, policy.minMessages));
  const isAsked = (callOptions.force ?? false) !== false;
  // Some queues take no id that is a number.
  return `summary-${recordIdOf(await keys.key('job', from, isAsked ? 'asked' : 'due'))}`;
}

/** Writes the job for the summary that a call would wait for. */
export async function summaryJob(
  { keyring: [keys], namespace, times }: Pick<CallContext, 'keyring' | 'namespace' | 'times'>,
  { given, callOptions, state }: CallReading,
  id: string,
): Promise<SummaryJob> {
  const slices = timeSlices();
  const messages: string[] = [];
  for (const message of given.prompt) {
    messages.push(JSON.stringify(encodeValue(message)));
    await slices.pause();
  }
  const told = { ...given, providerOptions: withoutCredentials(given.providerOptions) };
  const params = Object.fromEntries(names.map((name) => [name, told[name]]));
  const rest = JSON.stringify(encodeValue({ params, epochs: [...state.begunIn] }));
  const text = `[${rest},${messages.join(',')}]`;
  const packed = toBase64(await compressText(text));
  const sealed = await keys.seal(
    await keys.key('job'),
    packed,
    Date.now() + times.retentionMs,
    true,
  );
  const { conversationId } = callOptions;
  return {
    id,
    namespace,
    ...(conversationId === undefined ? {} : { conversationId }),
    call: sealed,
  };
}

/** Opens the call of a job; `undefined` when it was not sealed under this secret and namespace, or too long ago. */
export async function queuedCall(
  keyring: StoreKeyring,
  sealed: string,
): Promise<QueuedCall | undefined> {
  for (const keys of keyring) {
    const opened = await keys.open(await keys.key('job'), sealed);
    if (opened?.text === undefined) continue;
    const read = decodeValue(JSON.parse(await decompressText(fromBase64(opened.text))));
    if (!isQueued(read)) continue;
    const [{ params, epochs }, ...prompt] = read;
    return { params: { ...params, prompt }, epochs: new Map(epochs) };
  }
  return undefined;
}

type Queued = readonly [
  {
    readonly params: Omit<CallOptions, 'prompt'>;
    readonly epochs: readonly (readonly [string, string])[];
  },
  ...Message[],
];

/** What was sealed is ours, of another version at the most. */
function isQueued(read: unknown): read is Queued {
  const [rest, ...prompt]: readonly unknown[] = Array.isArray(read) ? read : [];
  return (
    isObject(rest) &&
    isObject(rest['params']) &&
    Array.isArray(rest['epochs']) &&
    prompt.every(isObject)
  );
}
