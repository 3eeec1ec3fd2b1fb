import type {
  LanguageModelV4,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import { harmlessly } from '../util/harmlessly.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { ContextOverflow } from '../overflow/context-overflow.ts';
import { overflowOfPart, overflowOfResult } from '../overflow/overflow-of-answer.ts';
import { abortable } from '../util/abortable.ts';
import { charactersOf, streamWithFinish, withCallMetadata } from '../report/add-call-metadata.ts';
import { streamWithCallWarnings, withCallWarnings } from '../report/add-call-warnings.ts';
import { overflowOfCall } from './call-overflow.ts';
import { learnUsage } from '../sizing/learn-usage.ts';
import { rememberLimit } from './remember-limit.ts';
import type { SentCall } from '../report/report-call.ts';
import { acceptedAgain, refusedAgain } from './second-attempt.ts';
import type { ShortenedCall } from './shorten-call.ts';
import { streamWithHead } from './stream-head.ts';
import { watchUsage } from '../sizing/watch-usage.ts';

/** Sends a call, and once more, shortened, when the provider refuses it as too long. */
export async function recoverGenerate(
  call: SentCall,
  params: CallOptions,
  doGenerate: () => PromiseLike<LanguageModelV4GenerateResult>,
): Promise<LanguageModelV4GenerateResult> {
  const { model } = call.context;
  let result: LanguageModelV4GenerateResult | undefined;
  let overflow: ContextOverflow | undefined;
  let failure: unknown;
  try {
    result = await doGenerate();
    overflow = overflowOfResult(result);
  } catch (error) {
    overflow = overflowOfCall(call, params, error);
    failure = error;
  }
  const shortened = overflow && (await shorten(call, params, overflow));
  if (shortened === undefined) {
    if (result === undefined) throw failure;
    const { usage } = result;
    harmlessly(() => watchUsage(call, params, usage));
    learnFromResult(call, params, result);
    return withCallWarnings(call.context, withCallMetadata(result, call.report));
  }
  const retried = await sendAgain(call, shortened, (shorter) => model.doGenerate(shorter));
  const second = overflowOfResult(retried);
  const answered =
    second === undefined
      ? acceptedAgain(call, shortened)
      : refusedAgain(call, shortened, { error: retried.finishReason, overflow: second });
  if (second === undefined) learnFromResult(answered, shortened.params, retried);
  return withCallWarnings(call.context, withCallMetadata(retried, answered.report));
}

function learnFromResult(
  call: SentCall,
  params: CallOptions,
  { usage, finishReason, content }: LanguageModelV4GenerateResult,
): void {
  harmlessly(() => {
    const characters = content.reduce((total, part) => total + charactersOf(part), 0);
    learnUsage(call, params, { usage, finishReason, characters });
  });
}

/**
 * As {@link recoverGenerate} for a stream, up to its first output: an error that comes as a part of the
 * stream is one too. What has been streamed is never repeated.
 */
export async function recoverStream(
  call: SentCall,
  params: CallOptions,
  doStream: () => PromiseLike<LanguageModelV4StreamResult>,
): Promise<LanguageModelV4StreamResult> {
  return streamWithCallWarnings(call.context, await recoveredStream(call, params, doStream));
}

async function recoveredStream(
  call: SentCall,
  params: CallOptions,
  doStream: () => PromiseLike<LanguageModelV4StreamResult>,
): Promise<LanguageModelV4StreamResult> {
  const { model } = call.context;
  const again = async (shortened: ShortenedCall): Promise<LanguageModelV4StreamResult> => {
    const result = await sendAgain(call, shortened, (shorter) => model.doStream(shorter));
    return { ...result, stream: acceptedStream(call, shortened, result.stream) };
  };
  let result: LanguageModelV4StreamResult;
  try {
    result = await doStream();
  } catch (error) {
    const overflow = overflowOfCall(call, params, error);
    const shortened = overflow && (await shorten(call, params, overflow));
    if (shortened === undefined) throw error;
    return again(shortened);
  }
  const replace = async (
    part: LanguageModelV4StreamPart,
  ): Promise<LanguageModelV4StreamPart | ReadableStream<LanguageModelV4StreamPart>> => {
    const overflow = overflowOfPart(part, (error) => overflowOfCall(call, params, error));
    const shortened = overflow && (await shorten(call, params, overflow));
    if (shortened === undefined) return part;
    try {
      return (await again(shortened)).stream;
    } catch (error) {
      return { type: 'error', error };
    }
  };
  const stream = streamWithFinish(result.stream, (finish, characters) => {
    harmlessly(() => watchUsage(call, params, finish.usage));
    harmlessly(() => learnUsage(call, params, { ...finish, characters }));
    return withCallMetadata(finish, call.report);
  });
  return { ...result, stream: isRecoverable(call) ? streamWithHead(stream, replace) : stream };
}

/** The stream of a second attempt: the first one is made good as soon as this one says something. */
function acceptedStream(
  call: SentCall,
  shortened: ShortenedCall,
  stream: ReadableStream<LanguageModelV4StreamPart>,
): ReadableStream<LanguageModelV4StreamPart> {
  let answered = call;
  const watched = streamWithHead(stream, (part) => {
    const overflow = overflowOfPart(part, (error) => overflowOfCall(call, shortened.params, error));
    if (part.type !== 'error' && overflow === undefined) answered = acceptedAgain(call, shortened);
    else {
      const error = part.type === 'error' ? part.error : part;
      refusedAgain(call, shortened, { error, overflow });
    }
    return part;
  });
  return streamWithFinish(watched, (finish, characters) => {
    harmlessly(() => learnUsage(answered, shortened.params, { ...finish, characters }));
    return withCallMetadata(finish, answered.report);
  });
}

/** The shortened call; `undefined` when there is none to be had and the provider's word stands. */
async function shorten(
  call: SentCall,
  params: CallOptions,
  overflow: ContextOverflow,
): Promise<ShortenedCall | undefined> {
  if (!isRecoverable(call)) return undefined;
  const { abortSignal } = params;
  abortSignal?.throwIfAborted();
  try {
    const { shortenCall } = await import('./shorten-call.ts');
    const shortened = await abortable(shortenCall(call, params, overflow), abortSignal);
    // What the provider states is true whatever comes of the second attempt.
    if (shortened.isStated && shortened.learned !== undefined)
      rememberLimit(call.context, shortened.learned, {
        refusedTokens: shortened.recovery.tokensBefore,
        isStated: true,
      });
    return shortened;
  } catch (error) {
    abortSignal?.throwIfAborted();
    const reason = 'the prompt cannot be made as short as the provider asks';
    call.context.emitForCall({ type: 'failed', stage: 'recover', reason, error });
    return undefined;
  }
}

/** A call whose history is not ours to touch is passed on as it was refused. */
function isRecoverable({ inspection }: SentCall): boolean {
  return inspection.decision.reason !== 'server-managed';
}

async function sendAgain<T>(
  call: SentCall,
  shortened: ShortenedCall,
  send: (params: Parameters<LanguageModelV4['doGenerate']>[0]) => PromiseLike<T>,
): Promise<T> {
  try {
    return await send(shortened.params);
  } catch (error) {
    refusedAgain(call, shortened, {
      error,
      overflow: overflowOfCall(call, shortened.params, error),
    });
    throw error;
  }
}
