import type {
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import { errorEvidence } from '../overflow/error-evidence.ts';
import {
  overflowOfError,
  overflowOfPart,
  overflowOfResult,
} from '../overflow/overflow-of-answer.ts';
import { quotedIn } from '../overflow/quoted-text.ts';
import { isKnownToServerAlone } from '../planning/is-server-managed.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { isObject } from '../util/is-object.ts';
import { generateWithRetry, streamWithRetry } from './overflow-retry.ts';
import { sentPrompt } from './second-attempt.ts';
import type { SentCall } from './sent-call.ts';
import { streamWithHead } from './stream-head.ts';

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
export async function generateNatively({
  call,
  doGenerate,
}: {
  readonly call: NativeCall;
  readonly doGenerate: () => PromiseLike<LanguageModelV4GenerateResult>;
}): Promise<LanguageModelV4GenerateResult> {
  let refusal: Refusal | undefined;
  try {
    const result = await generateWithRetry({ call, doGenerate });
    const isFull = mayShorten(call) && isObject(result) && overflowOfResult(result) !== undefined;
    if (!isFull) return result;
    refusal = { isOfOption: false, error: result.finishReason };
  } catch (error) {
    refusal = await refusalOf(call, error);
    if (refusal === undefined) throw error;
  }
  const { params, sent } = await prepareAgain(call, refusal);
  const again = (): PromiseLike<LanguageModelV4GenerateResult> => call.model.doGenerate(params);
  const result =
    sent === undefined ? await again() : await generateWithRetry({ call: sent, doGenerate: again });
  accepted(call, refusal);
  return result;
}

/** As {@link generateNatively} for a stream, up to its first output. */
export async function streamNatively({
  call,
  doStream,
}: {
  readonly call: NativeCall;
  readonly doStream: () => PromiseLike<LanguageModelV4StreamResult>;
}): Promise<LanguageModelV4StreamResult> {
  let result: LanguageModelV4StreamResult;
  try {
    result = await streamWithRetry({ call, doStream });
    if (!isObject(result)) return result;
  } catch (error) {
    const refusal = await refusalOf(call, error);
    if (refusal === undefined) throw error;
    return streamAgain(call, refusal);
  }
  const replace = async (
    part: LanguageModelV4StreamPart,
  ): Promise<LanguageModelV4StreamPart | ReadableStream<LanguageModelV4StreamPart>> => {
    const refusal = await refusalOfPart(call, part);
    if (refusal === undefined) return part;
    try {
      return (await streamAgain(call, refusal)).stream;
    } catch (error) {
      return { type: 'error', error };
    }
  };
  return { ...result, stream: streamWithHead(result.stream, replace) };
}

async function streamAgain(
  call: NativeCall,
  refusal: Refusal,
): Promise<LanguageModelV4StreamResult> {
  const { params, sent } = await prepareAgain(call, refusal);
  const again = (): PromiseLike<LanguageModelV4StreamResult> => call.model.doStream(params);
  const result =
    sent === undefined ? await again() : await streamWithRetry({ call: sent, doStream: again });
  accepted(call, refusal);
  return result;
}

async function prepareAgain(
  { params: { abortSignal }, native, emit }: NativeCall,
  { error }: Refusal,
): Promise<{ readonly params: CallOptions; readonly sent: SentCall | undefined }> {
  abortSignal?.throwIfAborted();
  const reason = "the provider's own compaction was refused, or was not enough";
  emit({ type: 'failed', stage: 'native', reason, error });
  return native.prepareWithout();
}

function accepted({ native }: NativeCall, { isOfOption }: Refusal): void {
  if (isOfOption) native.rememberRefusal();
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

async function refusalOfPart(
  call: NativeCall,
  part: LanguageModelV4StreamPart,
): Promise<Refusal | undefined> {
  if (part.type === 'error') return refusalOf(call, part.error);
  if (!mayShorten(call)) return undefined;
  const overflow = await overflowOfPart(part, sentPrompt(call));
  return overflow && { isOfOption: false, error: part };
}
