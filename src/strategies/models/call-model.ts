import type { LanguageModel, LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import type { TextDoor } from '../../cleaning/text-door.ts';
import { callTelemetry, type SummarizationTelemetry } from '../call-telemetry.ts';
import { classifyFailure, memberOf, type CallFailure } from './classify-failure.ts';
import { ownCallMark } from './own-call-mark.ts';
import { withDeadline } from '../../util/with-deadline.ts';

/** One call of a summarising model. */
export interface ModelCall {
  readonly model: LanguageModel;
  /** The one user message. */
  readonly prompt: string;
  /** Milliseconds after which the call counts as failed. */
  readonly timeoutMs: number;
  /** What of the answer comes back, and into logs, has gone through it. */
  readonly clean: TextDoor;
  readonly telemetry?: SummarizationTelemetry | undefined;
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
  | CallFailure
);

/**
 * Characters of an answer that are read: of a summary of the largest budget, some 100,000 tokens. The
 * SDK parses the whole at once, and two megabytes of brackets take a fifth of a second.
 */
const maxAnswerCharacters = 400_000;

const cutText: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapGenerate: async ({ doGenerate }) => {
    const result = await doGenerate();
    let left = maxAnswerCharacters;
    const content = result.content.map((part) => {
      if (part.type !== 'text' || typeof part.text !== 'string') return part;
      const text = part.text.slice(0, left);
      left -= text.length;
      return text.length === part.text.length ? part : { ...part, text };
    });
    return { ...result, content };
  },
};

/**
 * The same model, of whose answers the first 400,000 characters are read.
 *
 * @param wrap - The SDK's `wrapLanguageModel`, which is loaded where a model is called.
 */
export function withBoundedAnswers(
  model: LanguageModel,
  wrap: typeof wrapLanguageModel,
): LanguageModel {
  return typeof model === 'string' ? model : wrap({ model, middleware: cutText });
}

/** What every call hands to the SDK. */
export interface CallSettings {
  readonly model: LanguageModel;
  readonly prompt: string;
  readonly maxRetries: number;
  readonly abortSignal: AbortSignal;
  readonly providerOptions: ReturnType<typeof ownCallMark>;
  readonly telemetry: ReturnType<typeof callTelemetry>;
}

/** No tools, no retries, no texts in telemetry unless asked for, and the mark of a call of the package's own. */
export function callSettings(
  { model, prompt, telemetry }: ModelCall,
  abortSignal: AbortSignal,
): CallSettings {
  return {
    model,
    prompt,
    maxRetries: 0,
    abortSignal,
    providerOptions: ownCallMark(),
    telemetry: callTelemetry(telemetry),
  };
}

/**
 * Makes a call within its time.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function callModel<Answer extends object>(
  { abortSignal, timeoutMs }: ModelCall,
  generate: (abortSignal: AbortSignal) => Promise<ModelCallResult<Answer>>,
): Promise<ModelCallResult<Answer>> {
  try {
    return await withDeadline(abortSignal, timeoutMs, generate);
  } catch (error) {
    abortSignal?.throwIfAborted();
    return { usage: usageOf(error), ...classifyFailure(error, Date.now()), error };
  }
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
