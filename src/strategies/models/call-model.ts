import type * as sdk from 'ai';
import type { RedactionDoor } from '../../cleaning/redaction-door.ts';
import type { CallTerms } from '../../prompt/provider-options.ts';
import { isOlderSDK } from '../../sdk/is-older-sdk.ts';
import { runInSpan } from '../../telemetry/run-in-span.ts';
import type { TelemetryTracer } from '../../telemetry/tracer.ts';
import { withDeadline } from '../../util/async/with-deadline.ts';
import { callTelemetry, type SummarizationTelemetry } from '../call-telemetry.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { classifyFailure, memberOf, type CallFailure } from './classify-failure.ts';
import { ownCallMark } from './own-call-mark.ts';
import { partialNarrative } from './partial-narrative.ts';
import {
  inForm,
  limitsOf,
  refusedPart,
  type FormRefusal,
  type ModelManners,
  type RequestForm,
} from './request-form.ts';
import type { ModelObject } from './resolve-model.ts';
import { streamAnswer } from './stream-answer.ts';
import {
  answerJsonSchema,
  parseAnswer,
  spokenIn,
  type AnswerKind,
  type SummaryAnswer,
} from './summary-answer.ts';

/** What one model is asked for a record; made per model, because models read different amounts at once. */
export interface SummaryRequest {
  readonly kind: AnswerKind;
  /** The system prompt; constant, so that providers can cache it. */
  readonly instructions: string;
  readonly prompt: string;
}

/** One call of a summarising model. */
export interface ModelCall {
  readonly model: ModelObject;
  readonly form: RequestForm;
  /** What is learned of the model. */
  readonly manners: ModelManners;
  /** Tokens that the model accepts; `undefined` where that is not known. */
  readonly contextLength?: number | undefined;
  /** Milliseconds without a sign of the model after which the call counts as failed. */
  readonly timeoutMs: number;
  /** What of the answer comes back, and into logs, has gone through it. */
  readonly clean: RedactionDoor;
  readonly telemetry?: SummarizationTelemetry | undefined;
  /** Told the narrative of a record as far as it is written. */
  readonly onPartial?: ((narrative: string) => void) | undefined;
  /** Told of each sign of the model that it is at work. */
  readonly onAlive?: (() => void) | undefined;
  /** @default nothing of the call that is worked for */
  readonly termsFor?: SummaryInput['termsFor'];
  readonly abortSignal?: AbortSignal | undefined;
}

/** Tokens a call was billed, 0 where the provider does not say. */
export interface CallUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How a call ended. A failure is a value, so that an error of the provider cannot escape. */
export type ModelCallResult<Answer extends object> = { readonly usage: CallUsage } & (
  | (Answer & { readonly outcome: 'ok' })
  | (CallFailure & {
      /** Present when the model may take the same request in another form. */
      readonly refusal?: FormRefusal | undefined;
    })
);

/**
 * Characters of an answer that are read: of a summary of the largest budget, some 100,000 tokens. The
 * SDK parses the whole at once, and two megabytes of brackets take a fifth of a second.
 */
export const maxAnswerCharacters = 400_000;

/** How an answer ends that was not refused: `length` and what nobody knows may have come after all was said. */
const endings: ReadonlySet<string> = new Set(['stop', 'length', 'other', 'unknown']);

/**
 * Asks a model for a record through `generateObject`, see {@link callModel}, and reads what it wrote in whatever form.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function askForAnswer(
  call: ModelCall,
  { kind, instructions, prompt }: SummaryRequest,
): Promise<ModelCallResult<{ readonly answer: SummaryAnswer }>> {
  return callModel(call, { instructions, prompt }, async (ai, settings) => {
    const { finishReason, usage, said } = await written(() =>
      ai.generateObject({
        ...settings,
        schema: ai.jsonSchema(answerJsonSchema(kind), {
          // Read tolerantly below: the schema is what is asked for, not what is accepted.
          validate: (value) => ({ success: true, value }),
        }),
        ...(isOlderSDK(ai) ? { system: instructions } : { instructions }),
      }),
    );
    const isRefused = !endings.has(finishReason);
    const answer = isRefused ? undefined : parseAnswer(said, call.clean);
    if (answer !== undefined) return { outcome: 'ok', usage, answer };
    const lack = said === undefined ? 'no text in the answer' : 'the answer holds no summary';
    const detail = finishReason === 'stop' ? lack : `finish reason ${finishReason}`;
    const text = typeof said === 'string' ? { answer: said } : {};
    return { outcome: 'invalid-output', usage, detail, ...text };
  });
}

/**
 * Asks a model for a text through `generateText`, see {@link callModel}. The text goes through the
 * door, without what it thought aloud. One that was cut off counts and says so; an empty one does not.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function askForText(
  call: ModelCall,
  prompt: string,
): Promise<ModelCallResult<{ readonly text: string; readonly isComplete: boolean }>> {
  return callModel(call, { prompt }, async ({ generateText }, settings) => {
    const result = await generateText(settings);
    const usage = usageOf(result);
    const { finishReason } = result;
    const text = call.clean(spokenIn(result.text)[0] ?? '').trim();
    const isComplete = finishReason !== 'length';
    if (endings.has(finishReason) && text !== '') return { outcome: 'ok', usage, text, isComplete };
    const detail = `finish reason ${finishReason}, ${text.length} characters`;
    return { outcome: 'invalid-output', usage, detail };
  });
}

/** What `NoObjectGeneratedError.isInstance` looks for; importing that class would load all of `ai`. */
const noObjectMarker = Symbol.for('vercel.ai.error.AI_NoObjectGeneratedError');

/**
 * What a model wrote, be it the object that was asked for or a text, without the SDK's note that `generateObject` is
 * deprecated, which would stand in every user's log on the package's account. The SDK writes it before its first
 * await, so the setting is back before anybody else can run.
 */
async function written(
  generate: () => Promise<{ readonly object: unknown; readonly finishReason: string }>,
): Promise<{ readonly said: unknown; readonly finishReason: string; readonly usage: CallUsage }> {
  const logger = globalThis.AI_SDK_LOG_WARNINGS;
  globalThis.AI_SDK_LOG_WARNINGS = false;
  let started: ReturnType<typeof generate>;
  try {
    started = generate();
  } finally {
    globalThis.AI_SDK_LOG_WARNINGS = logger;
  }
  try {
    const result = await started;
    return { said: result.object, finishReason: result.finishReason, usage: usageOf(result) };
  } catch (error) {
    if (memberOf(error, noObjectMarker) !== true) throw error;
    const finishReason = memberOf(error, 'finishReason');
    return {
      said: memberOf(error, 'text'),
      finishReason: typeof finishReason === 'string' ? finishReason : 'unknown',
      usage: usageOf(error),
    };
  }
}

/** What every call hands to the SDK. */
interface CallSettings {
  readonly model: sdk.LanguageModel;
  readonly prompt: string;
  readonly maxRetries: number;
  readonly maxOutputTokens?: number;
  readonly reasoning?: ReturnType<typeof limitsOf>['reasoning'];
  readonly abortSignal: AbortSignal;
  readonly headers?: NonNullable<CallTerms['headers']>;
  readonly providerOptions: ReturnType<typeof ownCallMark>;
  readonly telemetry?: ReturnType<typeof callTelemetry>;
  /** Its name in AI SDK 6. */
  readonly experimental_telemetry?: ReturnType<typeof callTelemetry>;
}

type Generate<Answer extends object> = (
  ai: typeof sdk,
  settings: CallSettings,
) => Promise<ModelCallResult<Answer>>;

/** What a model is sent. */
type SentTexts = Partial<Pick<SummaryRequest, 'instructions'>> & Pick<SummaryRequest, 'prompt'>;

/**
 * Makes a call within its time, which begins anew with each part of a stream: no tools, no retries, no texts in
 * telemetry unless asked for, the mark of a call of the package's own, and of the answer the first 400,000 characters.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
async function callModel<Answer extends object>(
  call: ModelCall,
  texts: SentTexts,
  generate: Generate<Answer>,
): Promise<ModelCallResult<Answer>> {
  const { tracer, isEnabled } = call.telemetry ?? {};
  const make = async (): Promise<ModelCallResult<Answer>> => callOnce(call, texts, generate);
  return tracer === undefined || isEnabled === false
    ? make()
    : inCallSpan(tracer, call, texts, make);
}

async function callOnce<Answer extends object>(
  call: ModelCall,
  { prompt, instructions }: SentTexts,
  generate: Generate<Answer>,
): Promise<ModelCallResult<Answer>> {
  const { model, form, manners, contextLength, timeoutMs, telemetry } = call;
  const { abortSignal: callerSignal } = call;
  try {
    const result = await withDeadline(callerSignal, timeoutMs, async (abortSignal, extend) => {
      // Loaded here: the root entry must cost nothing to import.
      const ai = await import('ai');
      const { headers, providerOptions } = call.termsFor?.(model) ?? {};
      return generate(ai, {
        model: ai.wrapLanguageModel({ model, middleware: middlewareFor(call, extend) }),
        prompt,
        maxRetries: 0,
        ...limitsOf(model, manners, contextLength, [prompt, instructions ?? '']),
        abortSignal,
        ...(headers && { headers }),
        providerOptions: { ...providerOptions, ...ownCallMark() },
        ...telemetrySettings(ai, telemetry),
      });
    });
    if (result.outcome === 'ok') manners.answered(model);
    return result;
  } catch (error) {
    callerSignal?.throwIfAborted();
    const failure = await classifyFailure(error, Date.now());
    const { retry, overflow } = failure;
    if (retry === 'later') manners.ranOutOfTime(model);
    // Of a form, only what was used can have been refused.
    const used = instructions === undefined ? { ...form, json: false, system: false } : form;
    const refusal =
      overflow === undefined ? refusedPart(error, used, manners.isOpen(model)) : undefined;
    return { usage: usageOf(error), ...failure, refusal, error };
  }
}

/** Puts a call into its form, and reads its answer while it comes. */
function middlewareFor(
  { model, form, manners, onAlive, onPartial }: ModelCall,
  extend: () => void,
): sdk.LanguageModelMiddleware[] {
  const formed: sdk.LanguageModelMiddleware = {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => inForm(params, form),
  };
  const answered = streamAnswer({
    isStreamed: form.stream,
    onRefused: () => manners.refused(model, ['stream']),
    maxCharacters: maxAnswerCharacters,
    onPart: () => {
      extend();
      onAlive?.();
    },
    onText: onPartial && partialNarrative(onPartial),
    onReasoned: () => manners.reasoned(model),
  });
  return [formed, answered];
}

/** AI SDK 6 shows a call only where `isEnabled` says so. */
function telemetrySettings(
  ai: typeof sdk,
  telemetry: SummarizationTelemetry | undefined,
): Pick<CallSettings, 'telemetry' | 'experimental_telemetry'> {
  const shown = callTelemetry(telemetry);
  if (!isOlderSDK(ai)) return { telemetry: shown };
  const experimental = { ...shown, isEnabled: telemetry?.isEnabled === true };
  return { experimental_telemetry: experimental };
}

/** Makes a call in a span of the conventions for generative AI; with texts only where they are asked for. */
async function inCallSpan<Answer extends object>(
  tracer: TelemetryTracer,
  { model, telemetry }: ModelCall,
  { prompt }: SentTexts,
  call: () => Promise<ModelCallResult<Answer>>,
): Promise<ModelCallResult<Answer>> {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': model.provider,
    'gen_ai.request.model': model.modelId,
    ...(telemetry?.recordInputs === true
      ? { 'gen_ai.input.messages': messageOf('user', prompt) }
      : {}),
  };
  const span = { name: `chat ${model.modelId}`, kind: 2, attributes } as const;
  return runInSpan(tracer, span, async ({ set, fail }) => {
    const result = await call();
    const { inputTokens, outputTokens } = result.usage;
    set({ 'gen_ai.usage.input_tokens': inputTokens, 'gen_ai.usage.output_tokens': outputTokens });
    if (result.outcome !== 'ok') fail(result.outcome);
    else if (telemetry?.recordOutputs === true)
      set({ 'gen_ai.output.messages': messageOf('assistant', writtenIn(result)) });
    return result;
  });
}

function writtenIn(result: object): string {
  if ('text' in result && typeof result.text === 'string') return result.text;
  return 'answer' in result ? JSON.stringify(result.answer) : '';
}

function messageOf(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}

/** Reads the usage of a result, or of an error: an unusable answer is billed like a good one. */
export function usageOf(source: unknown): CallUsage {
  const usage = memberOf(source, 'usage');
  return {
    inputTokens: tokensIn(usage, 'inputTokens'),
    outputTokens: tokensIn(usage, 'outputTokens'),
  };
}

function tokensIn(usage: unknown, key: string): number {
  const tokens = memberOf(usage, key);
  return typeof tokens === 'number' && Number.isFinite(tokens) ? tokens : 0;
}
