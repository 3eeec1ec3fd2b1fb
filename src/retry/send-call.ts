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
import { harmlessly } from '../util/async/harmlessly.ts';
import type { StreamPart } from '../util/async/map-stream.ts';
import { isObject } from '../util/is-object.ts';
import { acceptedAgain, refusedAgain, rememberLimit } from './retry-outcome.ts';
import { sendAgain, sentPrompt, shorten } from './second-attempt.ts';
import type { Generated, Send, SentCall, Streamed } from './sent-call.ts';
import type { ShortenedCall } from './shorten-call.ts';
import { warmTokenizer } from '../sizing/warm-tokenizer.ts';
import { streamOrError, streamWithHead, type Replacement } from './stream-head.ts';

/** Sends a call, and once more, shortened, when the provider refuses it as too long. */
export async function generateFitting(call: SentCall, send: Send<Generated>): Promise<Generated> {
  let result: Generated | undefined;
  let overflow: ContextOverflow | undefined;
  let failure: unknown;
  try {
    const answering = beside(send, call);
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
function beside<T>(send: Send<T>, { isNearCounting }: SentCall): PromiseLike<T> {
  const answering = send();
  if (isNearCounting) harmlessly(warmTokenizer);
  return answering;
}

/** Learns from an answer, and says in it what happened to its call. */
function answered(call: SentCall, result: Generated): Generated {
  const { usage, finishReason, content } = result;
  learn(call, () => {
    const parts = Array.isArray(content) ? content.filter(isObject) : [];
    const characters = parts.reduce((total, part) => total + charactersOf(part), 0);
    return { usage, finishReason, characters };
  });
  return withCallWarnings(call, withCallMetadata(result, call.report));
}

/**
 * As {@link generateFitting} for a stream, up to its first output: an error that comes as a part of the
 * stream is one too. What has been streamed is never repeated.
 */
export async function streamFitting(call: SentCall, send: Send<Streamed>): Promise<Streamed> {
  return streamWithCallWarnings(call, await firstStream(call, send));
}

async function firstStream(call: SentCall, send: Send<Streamed>): Promise<Streamed> {
  let result: Streamed;
  try {
    result = await beside(send, call);
    if (!isObject(result)) return result;
  } catch (error) {
    const overflow = await overflowOfError(error, sentPrompt(call));
    const shortened = overflow && (await shorten(call, overflow));
    if (shortened === undefined) throw error;
    return secondStream(call, shortened);
  } finally {
    call.onAnswering?.();
  }
  const replace = async (part: StreamPart): Promise<Replacement> => {
    const overflow = await overflowOfPart(part, sentPrompt(call));
    const shortened = overflow && (await shorten(call, overflow));
    return shortened === undefined ? part : streamOrError(secondStream(call, shortened));
  };
  const stream = streamWithFinish(result.stream, (finish, characters) => {
    watch(call, finish);
    learn(call, () => ({ ...finish, characters }));
    return withCallMetadata(finish, call.report);
  });
  return { ...result, stream: streamWithHead(stream, replace) };
}

/** The stream of the shortened call, which makes the first one good as soon as it says something. */
async function secondStream(call: SentCall, shortened: ShortenedCall): Promise<Streamed> {
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

/** Keeps prompts within what a server reads that cuts them without an error. */
function watch(call: SentCall, { usage }: Pick<AnswerSize, 'usage'>): void {
  if (call.isServerManaged) return;
  harmlessly(async () => {
    const cut = await watchUsage(call, usage);
    if (cut === undefined) return;
    const learned = { inputLimit: cut.reported, usableShare: 1 };
    rememberLimit({
      call,
      learned,
      evidence: 'reported',
      shortening: { tokensBefore: cut.sent },
    });
  });
}

function learn(call: SentCall, size: () => AnswerSize): void {
  const answer = size();
  harmlessly(() => call.onUsage?.(answer.usage));
  if (!call.isServerManaged) harmlessly(() => learnUsage(call, answer));
}
