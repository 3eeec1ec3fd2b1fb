import type { LanguageModelMiddleware } from 'ai';
import { injectSummary } from '../../planning/composing/place-summary.ts';
import { maxModels, modelNames } from '../../prompt/messages/model-name.ts';
import type { CallOptions, ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { tokenMultiplierOf } from '../../sizes/tokens/model-family.ts';
import { splitSystem } from '../../planning/selection/conversation-view.ts';
import { parseJson } from '../../foundations/util/json.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import type { Redactor } from '../../prompt/cleaning/redactor.ts';
import { isOlderSDK } from '../../prompt/sdk/older-sdk.ts';
import type { SDK } from './used-sdk.ts';
import {
  failSpan,
  modelAttributes,
  runInSpan,
  reportUsageOnce,
} from '../../foundations/telemetry/telemetry.ts';
import {
  type Deadline,
  abortable,
  beginDeadline,
  clockMs,
} from '../../foundations/util/async/waiting.ts';
import type { SummaryInput } from '../strategies/summary-strategy.ts';
import { textsIn } from '../strategies/texts.ts';
import {
  classifyFailure,
  memberOf,
  refusalOf,
  refusesToStream,
  usageOf,
  type CallEnd,
  type FormPart,
} from './classify-failure.ts';
import { ownCallMark } from '../../prompt/messages/own-options.ts';
import { nameOfModel, type ModelObject } from './resolve-model.ts';
import {
  answerJsonSchema,
  parseAnswer,
  answerCandidates,
  type AnswerKind,
} from './summary-answer.ts';

/** A request to one model; made per model, because models read different amounts at once. */
export interface SummaryRequest {
  readonly kind: AnswerKind;
  /** The system prompt of a record; constant, so that providers can cache it. */
  readonly instructions: string;
  readonly prompt: string;
  /** Tokens of both, as o200k counts them. Default: by their bytes. */
  readonly tokens?: number | undefined;
  /** Whether a text is of use without its end. */
  readonly mayBeCut?: boolean | undefined;
  /**
   * Sends the request, and returns what `generateText` would.
   * @default by the SDK, as a call of its own
   */
  readonly send?: ((abortSignal: AbortSignal) => Promise<unknown>) | undefined;
}

/** How a model is called. */
export interface ModelCall extends Pick<
  SummaryInput,
  'telemetry' | 'onAlive' | 'termsFor' | 'abortSignal'
> {
  readonly model: ModelObject;
  readonly forms: ModelForms;
  /** Tokens that a model accepts, where that is known. */
  readonly contextLengthOf?: ((model: ModelObject) => number | undefined) | undefined;
  /** Milliseconds without a sign of the model after which the call counts as failed. */
  readonly timeoutMs: number;
  /** Redacts the answer before it is returned or logged. */
  readonly clean: Redactor;
}

/**
 * Characters of an answer that are read: some 100,000 tokens, as in a summary of the largest budget. The SDK parses the
 * whole at once, and two megabytes of brackets take a fifth of a second.
 */
export const maxAnswerCharacters = 400_000;

/**
 * Finish reasons of answers that were not refused: an answer may be complete in spite of `length` or an unknown one.
 */
const endings: ReadonlySet<string> = new Set(['stop', 'length', 'other', 'unknown']);

/**
 * Asks a model for a record through `generateObject`, for a text through `generateText`. Makes the call within its
 * time, which begins anew with each part of a stream: no tools, no retries, no texts in telemetry unless asked for, the
 * mark of the package's own calls. Reads the first 400,000 characters of the answer.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function callModel(call: ModelCall, request: SummaryRequest): Promise<CallEnd> {
  const { model, abortSignal } = call;
  const deadline = beginDeadline(abortSignal, call.timeoutMs);
  try {
    // The SDK is loaded here: the root entry must cost nothing to import.
    const { sdk: ai } = await abortable(import('./used-sdk.ts'), deadline.signal);
    const settings = settingsOf(ai, call, request, deadline);
    const instructions = isOlderSDK(ai)
      ? { system: request.instructions }
      : { instructions: request.instructions };
    // The schema is what is asked for, and validates nothing: the answer is read tolerantly.
    const schema = ai.jsonSchema(answerJsonSchema());
    const { AI_SDK_LOG_WARNINGS: logger } = globalThis;
    // This package would put the deprecation of `generateObject` into every user's log. The SDK warns before its first
    // await, so the setting is restored before other code can run.
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const asking: PromiseLike<unknown> =
      request.send?.(deadline.signal) ??
      (request.kind === 'text'
        ? ai.generateText(settings)
        : ai.generateObject({ ...settings, schema, ...instructions }));
    globalThis.AI_SDK_LOG_WARNINGS = logger;
    return endOf(await abortable(Promise.resolve(asking), deadline.signal), call, request);
  } catch (error) {
    abortSignal?.throwIfAborted();
    // The error holds the answer and its usage.
    if (memberOf(error, 'name') === 'AI_NoObjectGeneratedError') return endOf(error, call, request);
    const failure = await classifyFailure(error, Date.now());
    if (failure.overflow !== undefined || request.send !== undefined) return failure;
    // Only parts of the form that were used can have been refused.
    const unused = request.kind === 'text' ? ['json', 'system'] : [];
    const form = call.forms.of(model).filter((part) => !unused.includes(part));
    return { ...failure, refusal: refusalOf(error, form) };
  } finally {
    deadline.end();
  }
}

/** Reads what a model wrote, be it the object that was asked for or a text. */
function endOf(result: unknown, { clean }: ModelCall, request: SummaryRequest): CallEnd {
  const said = memberOf(result, 'object') ?? memberOf(result, 'text');
  const ended = memberOf(result, 'finishReason');
  const finishReason = typeof ended === 'string' ? ended : 'unknown';
  const usage = usageOf(result);
  const isText = request.kind === 'text';
  // A text that was cut off lacks its end, which tells the current state.
  const lacksEnd = finishReason === 'length' && isText && request.mayBeCut !== true;
  const text = typeof said === 'string' ? said : undefined;
  const written = isText ? { summary: answerCandidates(text ?? '')[0] } : said;
  const answer = endings.has(finishReason) && !lacksEnd ? parseAnswer(written, clean) : undefined;
  if (answer !== undefined) return { outcome: 'ok', usage, answer };
  const lack = said === undefined ? 'no text in the answer' : 'the answer holds no summary';
  const detail = finishReason === 'stop' ? lack : `finish reason ${finishReason}`;
  return { outcome: 'invalid-output', usage, detail, isOfContent: true, said: text };
}

/** Makes the settings of a call, except instructions and schema. */
function settingsOf(
  ai: SDK,
  call: ModelCall,
  { instructions, prompt, tokens, kind }: SummaryRequest,
  { signal: abortSignal, extend }: Deadline,
) {
  const { model, telemetry, contextLengthOf } = call;
  const form = call.forms.of(model);
  const { headers = {}, providerOptions } = call.termsFor?.(model) ?? {};
  const isOlder = isOlderSDK(ai);
  const { tracer, recordInputs = false, recordOutputs = false } = telemetry ?? {};
  // The tracer of `telemetry` has a span of the call already.
  const { isEnabled = !isOlder } = tracer === undefined ? (telemetry ?? {}) : { isEnabled: false };
  // The id distinguishes the package's own calls.
  const shown = { functionId: 'ai-sdk-summarization', isEnabled, recordInputs, recordOutputs };
  const operation = kind === 'text' ? 'text' : 'object';
  const integrations = reportUsageOnce(globalThis.AI_SDK_TELEMETRY_INTEGRATIONS ?? [], operation);
  const middleware: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => inForm(params, form),
    wrapGenerate: answerInParts(call, extend),
  };
  return {
    model: ai.wrapLanguageModel({ model, middleware }),
    prompt,
    maxRetries: 0,
    ...limitsOf(model, contextLengthOf?.(model) ?? 0, instructions + prompt, tokens),
    abortSignal,
    headers,
    providerOptions: { ...withoutReasoningSummary(model, providerOptions), ...ownCallMark },
    // AI SDK 6 has another name for telemetry, and shows a call only if `isEnabled` says so.
    ...(isOlder ? { experimental_telemetry: shown } : { telemetry: { ...shown, integrations } }),
  };
}

/**
 * Returns options with which OpenAI's models give no summary of their reasoning, which the provider package asks for
 * with any effort, and which organizations that are not verified may not have.
 */
function withoutReasoningSummary(
  { provider, modelId }: ModelIdentity,
  providerOptions: CallOptions['providerOptions'] = {},
): NonNullable<CallOptions['providerOptions']> {
  const [model = modelId] = modelNames(modelId);
  if (!reasoningModels.test(model) || model.startsWith('gemini')) return providerOptions;
  const name = provider.startsWith('azure') ? 'azure' : 'openai';
  const own = { ...providerOptions['openai'], ...providerOptions[name], reasoningSummary: null };
  return { ...providerOptions, [name]: own };
}

/** Makes a call in a span of the tracer that `telemetry` names, in the conventions for generative AI. */
export function callInSpan(call: ModelCall, request: SummaryRequest): Promise<CallEnd> {
  const { model, telemetry = {} } = call;
  const { recordInputs = false, recordOutputs = false } = telemetry;
  const attributes = {
    'gen_ai.operation.name': 'chat',
    ...modelAttributes(model),
    ...(request.kind === 'text' ? {} : { 'gen_ai.output.type': 'json' }),
    ...(recordInputs ? { 'gen_ai.input.messages': messageOf('user', request.prompt) } : {}),
  };
  const name = `chat ${model.modelId}`;
  return runInSpan(telemetry, name, { kind: 2, attributes }, async (tellSpan) => {
    const end = await callModel(call, request);
    const { usage } = end;
    const said = recordOutputs && end.outcome === 'ok' && textsIn(end.answer).join('\n');
    tellSpan((span) => {
      if (end.outcome !== 'ok') failSpan(span, end.outcome);
      span.setAttributes({
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
        ...(said !== false && { 'gen_ai.output.messages': messageOf('assistant', said) }),
      });
    });
    return end;
  });
}

function messageOf(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type Streamed = Awaited<ReturnType<Parameters<WrapGenerate>[0]['doStream']>>;
type Generated = Awaited<ReturnType<WrapGenerate>>;

/**
 * Asks a model for a stream where the SDK asks it for an answer, which is put together from its parts: `generateObject`
 * answers all at once, and only a stream shows that a slow model is at work. Parts other than text are dropped. A model
 * that refuses to stream is asked for all at once: a refusal is not billed.
 */
function answerInParts(call: ModelCall, extend: () => void): WrapGenerate {
  const { model, forms } = call;
  return async ({ doStream, doGenerate, params }) => {
    let result: Generated | undefined;
    if (forms.of(model).includes('stream')) {
      try {
        result = await joined(await doStream(), params.abortSignal, () => {
          extend();
          call.onAlive?.();
        });
      } catch (error) {
        if (!refusesToStream(error)) throw error;
      }
      if (result === undefined) forms.leaveOut(model, ['stream']);
    }
    result ??= await doGenerate();
    const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
    const text = texts.join('').slice(0, maxAnswerCharacters);
    return { ...result, content: text === '' ? [] : [{ type: 'text', text }] };
  };
}

/**
 * Joins the parts of a streamed answer; returns `undefined` if the stream held nothing, not even usage: such a server
 * answers all at once, whatever it is asked for.
 */
async function joined(
  { stream, ...rest }: Streamed,
  abortSignal: AbortSignal | undefined,
  onPart: () => void,
): Promise<Generated | undefined> {
  let text = '';
  let end: Pick<Generated, 'finishReason' | 'usage'> | undefined;
  // Browsers do not iterate streams.
  const reader = stream.getReader();
  try {
    // With `finish` all has been said and billed: a connection that stays open is not waited for.
    while (end === undefined) {
      // A provider may go on after its call was given up: its parts are no longer reported.
      const { done, value: part } = await abortable(reader.read(), abortSignal);
      if (done) break;
      onPart();
      if (part.type === 'error') throw part.error;
      if (part.type === 'finish') end = { finishReason: part.finishReason, usage: part.usage };
      if (part.type === 'text-delta' && text.length < maxAnswerCharacters)
        text = (text + part.delta).slice(0, maxAnswerCharacters);
    }
  } finally {
    // The cancellation is not awaited, and may fail: the answer or its error is known.
    reader.cancel().catch(() => {});
  }
  // A complete answer was paid for, even without the part `finish`.
  if (end === undefined && parseJson(text) === undefined)
    throw new Error('The stream of the answer broke off.');
  const { inputTokens, outputTokens } = end?.usage ?? untold;
  if (text === '' && (inputTokens.total ?? outputTokens.total) === undefined) return undefined;
  const content = [{ type: 'text' as const, text }];
  return { finishReason: unsaid, usage: untold, ...rest, ...end, content, warnings: [] };
}

const unsaid = { unified: 'other', raw: undefined } as const;
const noTokens = { total: undefined, noCache: undefined, cacheRead: undefined, text: undefined };
const untoldTokens = { ...noTokens, cacheWrite: undefined, reasoning: undefined };
const untold = { inputTokens: untoldTokens, outputTokens: untoldTokens };

/** Parts of the usual form that models have not refused; the others are only a convenience. */
export interface ModelForms {
  readonly of: (model: ModelIdentity) => readonly FormPart[];
  /** Leaves parts of the form out from now on. */
  readonly leaveOut: (model: ModelIdentity, parts: readonly FormPart[]) => void;
}

/** Form of requests to a model that has refused nothing. */
const usualForm: readonly FormPart[] = ['json', 'system', 'limits', 'stream'];

/** Milliseconds after which a model is asked in the usual form again: deployments change. */
const lifetimeMs = 60 * 60_000;

/** Makes a memory of 1,000 models, each for an hour. */
export function modelForms(): ModelForms {
  const known = boundedMap<{ readonly form: readonly FormPart[]; readonly until: number }>(
    maxModels,
  );
  const of = (model: ModelIdentity): readonly FormPart[] => {
    const { form, until = 0 } = known.get(nameOfModel(model)) ?? {};
    return form !== undefined && clockMs() < until ? form : usualForm;
  };
  return {
    of,
    leaveOut: (model, parts) =>
      known.set(nameOfModel(model), {
        form: of(model).filter((part) => !parts.includes(part)),
        until: clockMs() + lifetimeMs,
      }),
  };
}

/** Tokens of an answer that are asked for, several times those of the largest record. */
const usualOutputTokens = 8000;

/** Models that cannot write so much. */
const briefModels = /^(?:gpt-3\.5|gpt-4-|claude-3-[hos])/;
const briefOutputTokens = 4000;

/** Models that reason unless told not to; an effort would make other models begin to reason. */
const reasoningModels = /^(?:o[1-9](?:$|-)|gpt-(?:[5-9]|\d\d)(?!.*chat)|gemini-(?:2\.5|[3-9]))/;

/**
 * Least size of a context, in such answers, whose prompts were chosen with room for the answer: with a provider
 * package's own default, 64,000 for Claude, the same prompt would be refused.
 */
const roomyContext = 8;

/** Bytes of a prompt per token, less than prose and code have; tokens of the frame of a request. */
const bytesOfToken = 2.5;
const frameTokens = 500;

/**
 * Limits how much a model reasons and writes for a summary: low effort if it reasons, and more tokens than any record
 * needs if its context is large or has room for them beside the prompt; else the server limits the answer.
 *
 * @param contextLength - Tokens it accepts; 0 where that is not known.
 * @param prompt - All text that is sent.
 * @param tokens - Its tokens, as o200k counts them; of ids, a token is less than two bytes.
 */
function limitsOf(
  model: ModelIdentity,
  contextLength: number,
  prompt: string,
  tokens = 0,
): Pick<CallOptions, 'maxOutputTokens' | 'reasoning'> {
  const { modelId } = model;
  const [name = modelId] = modelNames(modelId);
  const most = briefModels.test(name) ? briefOutputTokens : usualOutputTokens;
  const ofBytes = new TextEncoder().encode(prompt).length / bytesOfToken;
  const promptTokens = Math.max(ofBytes, tokens * tokenMultiplierOf(model));
  const isLeftFree = contextLength >= roomyContext * usualOutputTokens;
  const hasRoom = contextLength - frameTokens - promptTokens >= most;
  return {
    ...(isLeftFree || hasRoom ? { maxOutputTokens: most } : {}),
    ...(reasoningModels.test(name) ? { reasoning: 'low' as const } : {}),
  };
}

/** Puts a call into a form. */
function inForm(params: CallOptions, form: readonly FormPart[]): CallOptions {
  const { responseFormat: _format, ...withoutJson } = params;
  const asked = form.includes('json') ? params : withoutJson;
  const { maxOutputTokens: _most, reasoning: _effort, ...unlimited } = asked;
  const formed = form.includes('limits') ? asked : unlimited;
  return form.includes('system') ? formed : { ...formed, prompt: withoutSystem(formed.prompt) };
}

/** Puts the text of system messages before the user's. */
function withoutSystem(prompt: CallOptions['prompt']): CallOptions['prompt'] {
  const { systems, conversation: recent } = splitSystem(prompt);
  const text = systems.map(({ content }) => `${content}\n\n`).join('');
  const nothing = { systems: [], summarized: [], kept: [] };
  return text === '' ? prompt : injectSummary({ ...nothing, text, placement: 'user', recent });
}
