import { errorEvidence } from '../overflow/error-evidence.ts';
import {
  overflowOfError,
  overflowOfPart,
  overflowOfResult,
} from '../overflow/overflow-of-answer.ts';
import { quotedIn } from '../overflow/quoted-text.ts';
import { isKnownToServerAlone } from '../prompt/provider-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { abortable } from '../util/async/abortable.ts';
import type { StreamPart } from '../util/async/map-stream.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { isObject } from '../util/is-object.ts';
import { generateWithRetry, streamWithRetry } from './placement-retry.ts';
import { sentPrompt } from './second-attempt.ts';
import type { Generated, Send, SentCall, Streamed } from './sent-call.ts';
import { streamOrError, streamWithHead, type Replacement } from './stream-head.ts';

/** A call for which the provider's own compaction was turned on. */
export type NativeCall = SentCall & { readonly native: NonNullable<SentCall['native']> };

/** Why a call is sent without the provider's compaction: its option is refused, or it was not enough. */
interface Refusal {
  /** Whether the provider says so in words of its own: others may be a quotation, of which nothing is learned. */
  readonly isOfOption: boolean;
  readonly error: unknown;
}

/**
 * Sends a call that the provider is to compact, and once more without that when it refuses: the package
 * shortens it then. The refusal is remembered when the provider takes the call without the option.
 */
export async function generateNatively(
  call: NativeCall,
  send: Send<Generated>,
): Promise<Generated> {
  let refusal: Refusal | undefined;
  try {
    const result = await generateWithRetry(call, send);
    const isFull = mayShorten(call) && isObject(result) && overflowOfResult(result) !== undefined;
    if (!isFull) return result;
    refusal = { isOfOption: false, error: result.finishReason };
  } catch (error) {
    refusal = await refusalOf(call, error);
    if (refusal === undefined) throw error;
  }
  return sendWithout(call, refusal, (params) => call.model.doGenerate(params), generateWithRetry);
}

/** As {@link generateNatively} for a stream, up to its first output. */
export async function streamNatively(call: NativeCall, send: Send<Streamed>): Promise<Streamed> {
  let result: Streamed;
  try {
    result = await streamWithRetry(call, send);
    if (!isObject(result)) return result;
  } catch (error) {
    const refusal = await refusalOf(call, error);
    if (refusal === undefined) throw error;
    return streamAgain(call, refusal);
  }
  const replace = async (part: StreamPart): Promise<Replacement> => {
    const refusal = await refusalOfPart(call, part);
    return refusal === undefined ? part : streamOrError(streamAgain(call, refusal));
  };
  return { ...result, stream: streamWithHead(result.stream, replace) };
}

function streamAgain(call: NativeCall, refusal: Refusal): Promise<Streamed> {
  return sendWithout(call, refusal, (params) => call.model.doStream(params), streamWithRetry);
}

/** Sends a call without the provider's compaction, and remembers what it refused when it takes that. */
async function sendWithout<Answer>(
  { params: { abortSignal }, native, emit }: NativeCall,
  { error, isOfOption }: Refusal,
  send: (params: CallOptions) => PromiseLike<Answer>,
  sendWithRetry: (call: SentCall, send: Send<Answer>) => Promise<Answer>,
): Promise<Answer> {
  abortSignal?.throwIfAborted();
  const reason = "the provider's own compaction was refused, or was not enough";
  emit({ type: 'failed', stage: 'native', reason, error });
  const { params, sent } = await abortable(native.prepareWithout(), abortSignal);
  const again = (): PromiseLike<Answer> => send(params);
  const answer = await (sent === undefined ? again() : sendWithRetry(sent, again));
  if (isOfOption) native.rememberRefusal();
  return answer;
}

/** How `context_management`, its betas and edits are named in the errors of the APIs and of what forwards to them. */
const optionWords = /context[ _-]?(?:management|edit)|compact/g;

/** Statuses under which a setting is refused; none where the error came in a stream. */
const refusingStatuses: ReadonlySet<number> = new Set([400, 404, 422]);

/** Whether the package can shorten what the provider was to compact, and has not tried. */
function mayShorten({ isServerManaged, params }: NativeCall): boolean {
  return isServerManaged && !isKnownToServerAlone(params);
}

async function refusalOf(call: NativeCall, error: unknown): Promise<Refusal | undefined> {
  const { texts, statuses } = errorEvidence(error);
  const isRefusal = statuses.every((status) => refusingStatuses.has(status));
  const words = isRefusal ? texts.flatMap((text) => text.match(optionWords) ?? []) : [];
  if (words.length > 0) {
    const isQuoted = await runInSlices(quotedIn(call.params.prompt), timeSlices());
    return { isOfOption: !words.every(isQuoted), error };
  }
  if (!mayShorten(call)) return undefined;
  const overflow = await overflowOfError(error, sentPrompt(call));
  return overflow && { isOfOption: false, error };
}

async function refusalOfPart(call: NativeCall, part: StreamPart): Promise<Refusal | undefined> {
  if (part.type === 'error') return refusalOf(call, part.error);
  if (!mayShorten(call)) return undefined;
  const overflow = await overflowOfPart(part, sentPrompt(call));
  return overflow && { isOfOption: false, error: part };
}
