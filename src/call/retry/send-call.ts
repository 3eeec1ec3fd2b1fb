import type {
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart as StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import type { SentCall } from '../run/prepare-call.ts';
import { moveSummary, rememberPlacement } from '../../planning/composing/place-summary.ts';
import { contextOverflowOf, type ContextOverflow } from '../../sizes/overflow/context-overflow.ts';
import { errorEvidence } from '../../sizes/overflow/error-evidence.ts';
import { nearTrigger } from '../../planning/plan/decide.ts';
import { charactersOf, reportCall, withCallMetadata } from '../report/report-call.ts';
import { loadTextCounter } from '../../sizes/tokens/text-counter.ts';
import { abortable } from '../../foundations/util/async/waiting.ts';
import { runSafely } from '../../foundations/util/async/callbacks.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { sumOf } from '../../foundations/util/numbers.ts';
import { learnFromAnswer } from './learn-from-answer.ts';
import type { ShortenedCall } from './shorten-call.ts';

type Generated = LanguageModelV4GenerateResult;
type Streamed = LanguageModelV4StreamResult;

/** Sends a call that was changed after a refusal. */
type Send<Answer> = (call: SentCall) => PromiseLike<Answer>;

const generateAgain: Send<Generated> = ({ call, request }) =>
  call.context.model.doGenerate(request.params);
const streamAgain: Send<Streamed> = ({ call, request }) =>
  call.context.model.doStream(request.params);

/** A call as it is sent once. */
interface Attempt {
  readonly sentCall: SentCall;
  /** Where it was made shorter after a refusal as too long. */
  readonly shortened?: ShortenedCall | undefined;
  /** Whether its summary stands in another place than the model's calls have it so far. */
  readonly isMoved?: boolean | undefined;
}

/** The answer, and its attempt. */
interface Answered<Answer> {
  readonly attempt: Attempt;
  readonly answer: Answer;
}

/**
 * Sends a call: once more, shortened, when the provider refuses it as too long, and once more for each further place
 * that its summary may have when the prompt is refused for another reason. The place that is taken is remembered for
 * the model.
 *
 * @param send - Sends it for the first time.
 */
export async function generateCall(
  sentCall: SentCall,
  send: () => PromiseLike<Generated>,
): Promise<Generated> {
  const answering = send();
  warmBeside(sentCall);
  // Nothing says when a model begins to answer that does not stream.
  sentCall.onAnswering?.();
  let { attempt, answer } = await answered({ sentCall }, generateAgain, answering);
  for (;;) {
    // An answer that no model should give goes to the caller unchanged.
    if (!isObject(answer)) return answer;
    const { usage, finishReason, content, providerMetadata } = answer;
    const parts = Array.isArray(content) ? content.filter(isObject) : [];
    const saysNothing = parts.every((part) => part.type === 'text' && part.text === '');
    const isRefused = isFull(finishReason) && Array.isArray(content) && saysNothing;
    const next = isRefused ? await nextAttempt(attempt, finishReason, {}) : undefined;
    if (next === undefined) {
      if (isRefused) return withCallMetadata(answer, attempt.sentCall.report);
      const answeredCall = taken(attempt);
      const characters = sumOf(parts, charactersOf);
      const isShortened = attempt.shortened !== undefined;
      const size = { usage, finishReason, providerMetadata, characters };
      learnFromAnswer(answeredCall, size, isShortened);
      return withCallMetadata(answer, answeredCall.report);
    }
    ({ attempt, answer } = await answered(next, generateAgain));
  }
}

/**
 * As {@link generateCall} for a stream, up to its first output: an error that comes as a part of the stream is one
 * too. Streamed parts are never repeated.
 */
export async function streamCall(
  sentCall: SentCall,
  send: () => PromiseLike<Streamed>,
): Promise<Streamed> {
  const answering = send();
  warmBeside(sentCall);
  const begun = Promise.resolve(answering).finally(sentCall.onAnswering);
  const first = await answered({ sentCall }, streamAgain, begun);
  if (!isObject(first.answer)) return first.answer;
  return { ...first.answer, stream: streamOf(first) };
}

/** Answer to an attempt, or to one of those that its errors ask for. */
async function answered<Answer>(
  attempt: Attempt,
  send: Send<Answer>,
  answering: PromiseLike<Answer> = send(attempt.sentCall),
): Promise<Answered<Answer>> {
  try {
    return { attempt, answer: await answering };
  } catch (error) {
    const next = await nextAttempt(attempt, error, overflowOf(error, attempt.sentCall));
    if (next === undefined) throw error;
    return answered(next, send);
  }
}

/** Parts that only announce an answer. */
const announcingTypes: ReadonlySet<StreamPart['type']> = new Set([
  'stream-start',
  'response-metadata',
  'raw',
  'ping',
]);

/** Where a stream is read that may give way to that of another attempt. */
interface Source {
  reader?: ReadableStreamDefaultReader<StreamPart>;
  isStarted?: boolean;
  cancelled?: { readonly reason: unknown };
}

/**
 * A stream as {@link partsOf} passes it on. Reads a part only when one is asked for, so back-pressure and cancellation
 * reach the model as without it.
 */
function streamOf(first: Answered<Streamed>): ReadableStream<StreamPart> {
  const source: Source = {};
  const parts = partsOf(first, source);
  return new ReadableStream<StreamPart>(
    {
      pull: async (controller) => {
        const { done, value } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async (reason) => {
        source.cancelled = { reason };
        await (source.reader ?? first.answer.stream).cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The parts of a stream. Where the first one that says something is a refusal, or the stream breaks before, those of the
 * next attempt take their place, without a second `stream-start`.
 */
async function* partsOf(
  { attempt, answer }: Answered<Streamed>,
  source: Source,
): AsyncGenerator<StreamPart, void, void> {
  const reader = answer.stream.getReader();
  source.reader = reader;
  if (source.cancelled !== undefined) return reader.cancel(source.cancelled.reason);
  let answeredCall: SentCall | undefined;
  let [isHead, isBroken, characters] = [true, false, 0];
  for (;;) {
    const next = await reader.read().catch((error: unknown) => {
      if (!isHead) throw error;
      isBroken = true;
      return { done: false, value: { type: 'error', error } } as const;
    });
    if (next.done) return;
    let part: StreamPart = next.value;
    if (isHead && isObject(part) && !announcingTypes.has(part.type)) {
      isHead = false;
      const isRefused = part.type === 'finish' && isFull(part.finishReason);
      if (part.type === 'error' || isRefused) {
        const error = part.type === 'error' ? part.error : part;
        const overflow = isRefused ? {} : overflowOf(error, attempt.sentCall);
        const other = await nextAttempt(attempt, error, overflow);
        const opening = other && answered(other, streamAgain);
        const opened = await opening?.catch(
          (failure: unknown) => ({ type: 'error', error: failure }) as const,
        );
        if (opened !== undefined && 'attempt' in opened) {
          // Nobody wants the rest of a failed answer, and nobody is there to hear how giving it up went.
          reader.cancel().catch(() => {});
          return yield* partsOf(opened, source);
        }
        part = opened ?? part;
        if (isBroken && part.type === 'error') throw part.error;
      } else answeredCall = taken(attempt);
    }
    if (!isObject(part)) yield part;
    else if (part.type === 'stream-start') {
      if (!isHead || source.isStarted !== true) yield part;
      source.isStarted = true;
    } else if (part.type === 'finish') {
      const isShortened = attempt.shortened !== undefined;
      if (answeredCall !== undefined)
        learnFromAnswer(answeredCall, { ...part, characters }, isShortened);
      yield withCallMetadata(part, (answeredCall ?? attempt.sentCall).report);
    } else {
      characters += charactersOf(part);
      yield part;
    }
  }
}

/** Loads, beside the answer, what one of the next calls may have to wait for. */
function warmBeside({ call: { policy }, plan: { decision, size, tokens } }: SentCall): void {
  if (decision.reason !== 'below-trigger' || size.measure !== undefined) return;
  if (tokens >= nearTrigger(policy)) runSafely(loadTextCounter);
}

/** Claude from 4.5 on, and z.ai, raise no error when the prompt fills the context. A model may give no reason at all. */
function isFull(reason: unknown): boolean {
  return isObject(reason) && reason['raw'] === 'model_context_window_exceeded';
}

/** Fullness from which a prompt may have been too long for a model whose word is in doubt. */
const leastFullness = 0.5;

/**
 * The overflow that the error of a call stands for, if it does. Words that stand in the prompt too may be
 * a quotation: of an overflow that nothing else speaks of, only a prompt near the limit is believed, and
 * nothing is learned from it.
 */
function overflowOf(
  error: unknown,
  { request: { params, tokens, policy } }: SentCall,
): ContextOverflow | undefined {
  const overflow = contextOverflowOf(error, params.prompt, tokens);
  const isCredible = overflow?.isQuoted !== true || tokens >= leastFullness * policy.limit;
  return isCredible ? overflow : undefined;
}

/** The attempt that is made after a refusal; `undefined` where the provider's word stands. */
async function nextAttempt(
  attempt: Attempt,
  error: unknown,
  overflow: ContextOverflow | undefined,
): Promise<Attempt | undefined> {
  const { sentCall } = attempt;
  const { call, request } = sentCall;
  if (overflow === undefined || attempt.shortened !== undefined) {
    if (attempt.shortened !== undefined) {
      if (overflow !== undefined) attempt.shortened.refused?.(overflow);
      const reason = 'the provider refused the shortened prompt too';
      call.context.emit({ type: 'failed', stage: 'recover', reason, error });
    }
    const moved = placedElsewhere(sentCall, error);
    return moved && { ...attempt, sentCall: moved, isMoved: true };
  }
  const { abortSignal } = request.params;
  abortSignal?.throwIfAborted();
  if (call.snapshot.standAside !== undefined) return undefined;
  try {
    // A module of its own: few calls are refused.
    const { shortenCall } = await import('./shorten-call.ts');
    const shortened = await abortable(shortenCall(sentCall, overflow), abortSignal);
    return { sentCall: { ...sentCall, request: shortened.request }, shortened };
  } catch (failure) {
    abortSignal?.throwIfAborted();
    const reason = 'the prompt cannot be made as short as the provider asks';
    call.context.emit({ type: 'failed', stage: 'recover', reason, error: failure });
    return undefined;
  }
}

/** The provider took it: what was learned on the way to it is kept. Gives the call with its own report. */
function taken({ sentCall, isMoved = false, shortened }: Attempt): SentCall {
  if (isMoved) keepPlacement(sentCall);
  if (shortened === undefined) return sentCall;
  const { context } = sentCall.call;
  shortened.keep();
  context.emit({ type: 'recovered', reason: 'provider-overflow', ...shortened.recovered });
  return shortened.isOther
    ? { ...sentCall, report: reportCall(context, sentCall.request) }
    : sentCall;
}

/** The call with its summary in the next place, where the prompt was refused for what may be its place. */
function placedElsewhere(sentCall: SentCall, error: unknown): SentCall | undefined {
  const { request } = sentCall;
  const { params, composition } = request;
  if (composition === undefined || !mayBeRefusedPlace(error)) return undefined;
  const moved = moveSummary(params.prompt, composition.text, request.placement);
  if (moved === undefined) return undefined;
  params.abortSignal?.throwIfAborted();
  const { prompt, placement } = moved;
  return {
    ...sentCall,
    request: {
      ...request,
      params: { ...params, prompt },
      composition: { ...composition, prompt },
      placement,
    },
  };
}

function keepPlacement({ call, request: { placement } }: SentCall): void {
  const { model, warn } = call.context;
  const key = rememberPlacement(model, placement);
  warn({
    code: 'placement-refused',
    cause: `placement-refused ${key} ${placement}`,
    message:
      `${model.provider}:${model.modelId} refused the summary at its position in the prompt and accepted it as ` +
      `'${placement}', which this process uses for it from now on. Set placement: '${placement}' to save one refused ` +
      'request in each process.',
  });
}

/** Statuses under which prompts are refused; llama.cpp says under 500 that a template failed. */
const refusingStatuses: ReadonlySet<number> = new Set([400, 422, 500]);

/** Words by which templates and APIs refuse a role, or the order of roles. */
const placeWords =
  /template|jinja|alternat|(?:system|developer)['"’ ]*(?:role|message|prompt|instruction)|role['": ]*(?:system|developer)/;

/** Words by which something else is refused: what is said, who sent it, or another part of the request. */
const otherWords = [
  /content[ _-]?(?:filter|management|policy)|responsibleai|safety|moderation|flagged|guardrail|api[ _-]?key/,
  /credit|billing|quota|rate[ _-]limit|authenticat|permission|not[ _]found|does not exist|param|max[ _]/,
  /tool|function|schema|image|file|audio|temperature|top_p|stream|format|json|model|reasoning|thinking/,
  /signature|cach/,
];

/**
 * Whether a prompt may have been refused for where the summary stands. The words of a refusal tell its other
 * meanings; a refusal without words may have this one.
 */
function mayBeRefusedPlace(error: unknown): boolean {
  const { statuses, texts, codes } = errorEvidence(error);
  if (!statuses.every((status) => refusingStatuses.has(status))) return false;
  if (contextOverflowOf(error) !== undefined) return false;
  if (texts.some((text) => placeWords.test(text))) return true;
  const said = [...texts, ...codes];
  const isOther = said.some((text) => otherWords.some((words) => words.test(text)));
  return !isOther && statuses.length > 0 && !statuses.includes(500);
}
