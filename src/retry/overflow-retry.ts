import type {
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import type { ContextOverflow } from '../overflow/context-overflow.ts';
import {
  overflowOfError,
  overflowOfPart,
  overflowOfResult,
} from '../overflow/overflow-of-answer.ts';
import { charactersOf, streamWithFinish, withCallMetadata } from '../report/add-call-metadata.ts';
import { streamWithCallWarnings, withCallWarnings } from '../report/warning-memory.ts';
import { learnUsage, type AnswerSize } from '../sizing/learn-usage.ts';
import { watchUsage } from '../sizing/watch-usage.ts';
import { isObject } from '../util/is-object.ts';
import { harmlessly } from '../util/async/harmlessly.ts';
import { acceptedAgain, refusedAgain } from './retry-outcome.ts';
import { sendAgain, sentPrompt, shorten } from './second-attempt.ts';
import type { SentCall } from './sent-call.ts';
import type { ShortenedCall } from './shorten-call.ts';
import { warmTokenizer } from '../sizing/warm-tokenizer.ts';
import { streamWithHead } from './stream-head.ts';

/** Sends a call, and once more, shortened, when the provider refuses it as too long. */
export async function generateWithRetry({
  call,
  doGenerate,
}: {
  readonly call: SentCall;
  readonly doGenerate: () => PromiseLike<LanguageModelV4GenerateResult>;
}): Promise<LanguageModelV4GenerateResult> {
  let result: LanguageModelV4GenerateResult | undefined;
  let overflow: ContextOverflow | undefined;
  let failure: unknown;
  try {
    const answering = beside(doGenerate, call);
    // Nothing says when a model begins to answer that does not stream.
    call.onAnswering?.();
    result = await answering;
    // What no model should answer is the caller's to see as it is.
    if (!isObject(result)) return result;
    overflow = overflowOfResult(result);
  } catch (error) {
    overflow = await overflowOfError(error, sentPrompt(call));
    failure = error;
  }
  const shortened = overflow && (await shorten(call, overflow));
  if (shortened === undefined) {
    if (result === undefined) throw failure;
    watch(call, result);
    return answered(call, result);
  }
  const retried = await sendAgain(call, shortened, (params) => call.model.doGenerate(params));
  const second = overflowOfResult(retried);
  if (second === undefined) return answered(acceptedAgain(shortened), retried);
  refusedAgain(shortened, { error: retried.finishReason, overflow: second });
  return withCallWarnings(call, withCallMetadata(retried, call.report));
}

/** Starts a call, and then loads what one of the next calls may have to wait for. */
function beside<T>(send: () => PromiseLike<T>, { isNearCounting }: SentCall): PromiseLike<T> {
  const answering = send();
  if (isNearCounting) harmlessly(warmTokenizer);
  return answering;
}

/** Learns from an answer, and says in it what happened to its call. */
function answered(
  call: SentCall,
  result: LanguageModelV4GenerateResult,
): LanguageModelV4GenerateResult {
  const { usage, finishReason, content } = result;
  learn(call, () => {
    const parts = Array.isArray(content) ? content.filter(isObject) : [];
    const characters = parts.reduce((total, part) => total + charactersOf(part), 0);
    return { usage, finishReason, characters };
  });
  return withCallWarnings(call, withCallMetadata(result, call.report));
}

/**
 * As {@link generateWithRetry} for a stream, up to its first output: an error that comes as a part of the
 * stream is one too. What has been streamed is never repeated.
 */
export async function streamWithRetry({
  call,
  doStream,
}: {
  readonly call: SentCall;
  readonly doStream: () => PromiseLike<LanguageModelV4StreamResult>;
}): Promise<LanguageModelV4StreamResult> {
  return streamWithCallWarnings(call, await firstStream(call, doStream));
}

async function firstStream(
  call: SentCall,
  doStream: () => PromiseLike<LanguageModelV4StreamResult>,
): Promise<LanguageModelV4StreamResult> {
  let result: LanguageModelV4StreamResult;
  try {
    result = await beside(doStream, call);
    if (!isObject(result)) return result;
  } catch (error) {
    const overflow = await overflowOfError(error, sentPrompt(call));
    const shortened = overflow && (await shorten(call, overflow));
    if (shortened === undefined) throw error;
    return secondStream(call, shortened);
  } finally {
    call.onAnswering?.();
  }
  const replace = async (
    part: LanguageModelV4StreamPart,
  ): Promise<LanguageModelV4StreamPart | ReadableStream<LanguageModelV4StreamPart>> => {
    const overflow = await overflowOfPart(part, sentPrompt(call));
    const shortened = overflow && (await shorten(call, overflow));
    if (shortened === undefined) return part;
    try {
      return (await secondStream(call, shortened)).stream;
    } catch (error) {
      return { type: 'error', error };
    }
  };
  const stream = streamWithFinish(result.stream, (finish, characters) => {
    watch(call, finish);
    learn(call, () => ({ ...finish, characters }));
    return withCallMetadata(finish, call.report);
  });
  return { ...result, stream: streamWithHead(stream, replace) };
}

/** The stream of the shortened call, which makes the first one good as soon as it says something. */
async function secondStream(
  call: SentCall,
  shortened: ShortenedCall,
): Promise<LanguageModelV4StreamResult> {
  const result = await sendAgain(call, shortened, (params) => call.model.doStream(params));
  let accepted: SentCall | undefined;
  const watched = streamWithHead(result.stream, async (part) => {
    const overflow = await overflowOfPart(part, sentPrompt(call, shortened));
    if (part.type !== 'error' && overflow === undefined) accepted = acceptedAgain(shortened);
    else {
      const error = part.type === 'error' ? part.error : part;
      refusedAgain(shortened, { error, overflow });
    }
    return part;
  });
  const stream = streamWithFinish(watched, (finish, characters) => {
    if (accepted !== undefined) learn(accepted, () => ({ ...finish, characters }));
    return withCallMetadata(finish, (accepted ?? call).report);
  });
  return { ...result, stream };
}

function watch(call: SentCall, { usage }: Pick<AnswerSize, 'usage'>): void {
  if (!call.isServerManaged) harmlessly(() => watchUsage(call, usage));
}

function learn(call: SentCall, size: () => AnswerSize): void {
  const answer = size();
  harmlessly(() => call.onUsage?.(answer.usage));
  if (!call.isServerManaged) harmlessly(() => learnUsage(call, answer));
}
