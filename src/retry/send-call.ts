import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { moveSummary } from '../composing/inject-summary.ts';
import { placementKey } from '../composing/resolve-placement.ts';
import { contextOverflowOf, type ContextOverflow } from '../overflow/context-overflow.ts';
import { errorEvidence } from '../overflow/error-evidence.ts';
import {
  overflowOfError,
  overflowOfPart,
  overflowOfResult,
  type SentPrompt,
} from '../overflow/overflow-of-answer.ts';
import { charactersOf, streamWithFinish, withCallMetadata } from '../report/add-call-metadata.ts';
import { streamWithCallWarnings, withCallWarnings } from '../report/warning-memory.ts';
import { learnUsage, type AnswerSize } from '../sizing/learn-usage.ts';
import { warmTokenizer } from '../sizing/warm-tokenizer.ts';
import { watchUsage } from '../sizing/watch-usage.ts';
import { abortable } from '../util/async/waiting.ts';
import { harmlessly } from '../util/async/callbacks.ts';
import { sumOf } from '../util/numbers.ts';
import { isObject } from '../util/is-object.ts';
import { rememberLimit, type SentCall } from './sent-call.ts';
import type { ShortenedCall } from './shorten-call.ts';
import { streamOrError, streamWithHead, type Streamed } from './stream-head.ts';

/** What a model answers. */
type Generated = LanguageModelV4GenerateResult;

/** A call as it is sent once. */
interface Attempt {
  readonly call: SentCall;
  /** How full the model was with the first one: tokens of the prompt over those it may take. */
  readonly fullness: number;
  /** What was done to it after a refusal as too long. */
  readonly shortened?: ShortenedCall | undefined;
}

/**
 * Sends a call: once more, shortened, when the provider refuses it as too long, and once more for each further place
 * that its summary may have when the prompt is refused for another reason. The place that is taken is remembered for
 * the model.
 *
 * @param send - Sends it for the first time.
 */
export async function generateCall(
  call: SentCall,
  send: () => PromiseLike<Generated>,
): Promise<Generated> {
  return generated(firstAttempt(call), () => {
    const answering = beside(send, call);
    // Nothing says when a model begins to answer that does not stream.
    call.onAnswering?.();
    return answering;
  });
}

/**
 * As {@link generateCall} for a stream, up to its first output: an error that comes as a part of the
 * stream is one too. What has been streamed is never repeated.
 */
export async function streamCall(
  call: SentCall,
  send: () => PromiseLike<Streamed>,
): Promise<Streamed> {
  const result = await streamed(firstAttempt(call), async () => {
    try {
      return await beside(send, call);
    } finally {
      call.onAnswering?.();
    }
  });
  return streamWithCallWarnings(call, result);
}

function firstAttempt(call: SentCall): Attempt {
  return { call, fullness: call.report.tokens / call.policy.limit };
}

/** Starts a call, and then loads what one of the next calls may have to wait for. */
function beside<T>(send: () => PromiseLike<T>, { isNearCounting }: SentCall): PromiseLike<T> {
  const answering = send();
  if (isNearCounting) harmlessly(warmTokenizer);
  return answering;
}

async function generated(attempt: Attempt, send: () => PromiseLike<Generated>): Promise<Generated> {
  const again = (next: Attempt): Promise<Generated> =>
    generated(next, () => next.call.model.doGenerate(next.call.params));
  let result: Generated;
  try {
    result = await send();
  } catch (error) {
    const next = await nextAttempt(attempt, error, await overflowOfError(error, sentBy(attempt)));
    if (next === undefined) throw error;
    return again(next);
  }
  // What no model should answer is the caller's to see as it is.
  if (!isObject(result)) return result;
  const overflow = overflowOfResult(result);
  const next = overflow && (await nextAttempt(attempt, result.finishReason, overflow));
  if (next !== undefined) return again(next);
  const call = overflow === undefined ? taken(attempt) : attempt.call;
  const { usage, finishReason, content } = result;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  if (overflow === undefined || attempt.shortened === undefined)
    learn(attempt, call, { usage, finishReason, characters: sumOf(parts, charactersOf) });
  return withCallWarnings(call, withCallMetadata(result, call.report));
}

async function streamed(attempt: Attempt, send: () => PromiseLike<Streamed>): Promise<Streamed> {
  const again = (next: Attempt): Promise<Streamed> =>
    streamed(next, () => next.call.model.doStream(next.call.params));
  let result: Streamed;
  try {
    result = await send();
  } catch (error) {
    const next = await nextAttempt(attempt, error, await overflowOfError(error, sentBy(attempt)));
    if (next === undefined) throw error;
    return again(next);
  }
  if (!isObject(result)) return result;
  let answering: SentCall | undefined = attempt.shortened === undefined ? attempt.call : undefined;
  let isOther = false;
  const watched = streamWithHead(result.stream, async (part) => {
    const overflow = await overflowOfPart(part, sentBy(attempt));
    if (part.type !== 'error' && overflow === undefined) {
      answering = taken(attempt);
      return part;
    }
    const error = part.type === 'error' ? part.error : part;
    const next = await nextAttempt(attempt, error, overflow);
    isOther = next !== undefined;
    return next === undefined ? part : streamOrError(again(next));
  });
  const stream = streamWithFinish(watched, (finish, characters) => {
    // The stream of another attempt has told of itself.
    if (isOther) return finish;
    if (answering !== undefined) learn(attempt, answering, { ...finish, characters });
    return withCallMetadata(finish, (answering ?? attempt.call).report);
  });
  return { ...result, stream };
}

/** What is known of the size of a prompt that may be refused. */
function sentBy({ call: { params }, fullness }: Attempt): SentPrompt {
  return { prompt: params.prompt, fullness };
}

/** The attempt that is made after a refusal; `undefined` where the provider's word stands. */
async function nextAttempt(
  { call, shortened, fullness }: Attempt,
  error: unknown,
  overflow: ContextOverflow | undefined,
): Promise<Attempt | undefined> {
  if (overflow !== undefined && shortened === undefined) {
    const shorter = call.isServerManaged ? undefined : await shorten(call, overflow);
    return shorter && { call: shorter.call, shortened: shorter, fullness };
  }
  shortened?.refused(error, overflow);
  const moved = placedElsewhere(call, error);
  return moved && { call: moved, shortened, fullness };
}

/** The shortened call; `undefined` when there is none to be had. */
async function shorten(
  call: SentCall,
  overflow: ContextOverflow,
): Promise<ShortenedCall | undefined> {
  const { abortSignal } = call.params;
  abortSignal?.throwIfAborted();
  try {
    const { shortenCall } = await import('./shorten-call.ts');
    return await abortable(shortenCall(call, overflow), abortSignal);
  } catch (error) {
    abortSignal?.throwIfAborted();
    const reason = 'the prompt cannot be made as short as the provider asks';
    call.emit({ type: 'failed', stage: 'recover', reason, error });
    return undefined;
  }
}

/** The provider took an attempt: what was learned on the way to it is kept. */
function taken({ call, shortened }: Attempt): SentCall {
  if (call.isPlacedAnew === true) rememberPlacement(call);
  return shortened?.accepted(call) ?? call;
}

/** Learns from an answer; keeps prompts within what a server reads that cuts them without an error. */
function learn({ shortened }: Attempt, call: SentCall, answer: AnswerSize): void {
  harmlessly(() => call.onUsage?.(answer.usage));
  if (call.isServerManaged) return;
  if (shortened === undefined)
    harmlessly(async () => {
      const cut = await watchUsage(call, answer.usage);
      if (cut === undefined) return;
      const learned = { inputLimit: cut.reported, usableShare: 1 };
      rememberLimit(call, learned, { evidence: 'reported', refusedTokens: cut.sent });
    });
  harmlessly(() => learnUsage(call, answer));
}

/** The call with its summary in the next place, where the prompt was refused for what may be its place. */
function placedElsewhere(call: SentCall, error: unknown): SentCall | undefined {
  const { params, composition, counted, style } = call;
  if (composition === undefined || !mayBeRefusedPlace(error)) return undefined;
  const moved = moveSummary(params.prompt, composition.text, style.placement);
  if (moved === undefined) return undefined;
  params.abortSignal?.throwIfAborted();
  const { prompt, placement } = moved;
  return {
    ...call,
    params: { ...params, prompt },
    composition: { ...composition, prompt },
    counted: { ...counted, prompt },
    style: { ...style, placement },
    isPlacedAnew: true,
  };
}

function rememberPlacement({ memory, model, style, warn }: SentCall): void {
  const { placement } = style;
  const key = placementKey(model);
  memory.placements.set(key, placement);
  const name = `${model.provider}:${model.modelId}`;
  warn({
    code: 'placement-refused',
    cause: `placement-refused ${key} ${placement}`,
    message:
      `${name} refused a prompt with the summary where it stood and took it as '${placement}', where summaries ` +
      `for it go from now on. Set placement: '${placement}' to save the refused request of each process.`,
  });
}

/** Statuses under which prompts are refused; llama.cpp says under 500 that a template failed. */
const refusingStatuses: ReadonlySet<number> = new Set([400, 422, 500]);

/** Words by which a request is refused for its content, or for who sent it: it must not be repeated. */
const otherMatters =
  /content[ _-]?(?:filter|management|policy)|responsibleai|safety|moderation|flagged|guardrail|api[ _-]?key|credit|billing|quota|rate[ _-]?limit|authenticat|permission|not[ _]found|does not exist/;

/** Words by which templates and APIs refuse a role, or the order of roles. */
const placeWords =
  /template|jinja|alternat|(?:system|developer)['"’ ]*(?:role|message|prompt|instruction)|role['": ]*(?:system|developer)/;

/** Words by which something else of a request is refused. */
const otherParts =
  /tool|function|schema|image|file|audio|param|max[ _]|temperature|top_p|stream|format|json|model|reasoning|thinking|signature|cach/;

/**
 * Whether a prompt may have been refused for where the summary stands. What else a refusal may mean is told by its
 * words; one that says nothing may mean that.
 */
function mayBeRefusedPlace(error: unknown): boolean {
  const { statuses, texts, codes } = errorEvidence(error);
  if (!statuses.every((status) => refusingStatuses.has(status))) return false;
  const said = [...texts, ...codes];
  if (said.some((text) => otherMatters.test(text)) || contextOverflowOf(error) !== undefined)
    return false;
  if (texts.some((text) => placeWords.test(text))) return true;
  const isRefusal = statuses.length > 0 && !statuses.includes(500);
  return isRefusal && !texts.some((text) => otherParts.test(text));
}
