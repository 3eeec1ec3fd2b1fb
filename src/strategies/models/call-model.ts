import type * as sdk from 'ai';
import type { CallTerms } from '../../prompt/provider-options.ts';
import { isOlderSDK } from '../../sdk/is-older-sdk.ts';
import { callTelemetry, type SummarizationTelemetry } from '../call-telemetry.ts';
import { classifyFailure, memberOf } from './classify-failure.ts';
import type { CallUsage, ModelCall, ModelCallResult } from './model-call.ts';
import { ownCallMark } from './own-call-mark.ts';
import { partialNarrative } from './partial-narrative.ts';
import { streamAnswer } from './stream-answer.ts';
import { withDeadline } from '../../util/async/with-deadline.ts';

/**
 * Characters of an answer that are read: of a summary of the largest budget, some 100,000 tokens. The
 * SDK parses the whole at once, and two megabytes of brackets take a fifth of a second.
 */
const maxAnswerCharacters = 400_000;

const cutText: sdk.LanguageModelMiddleware = {
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

/** What every call hands to the SDK. */
export interface CallSettings {
  readonly model: sdk.LanguageModel;
  readonly prompt: string;
  readonly maxRetries: number;
  readonly abortSignal: AbortSignal;
  readonly headers?: NonNullable<CallTerms['headers']>;
  readonly providerOptions: ReturnType<typeof ownCallMark>;
  readonly telemetry?: ReturnType<typeof callTelemetry>;
  /** Its name in AI SDK 6. */
  readonly experimental_telemetry?: ReturnType<typeof callTelemetry>;
}

/**
 * Makes a call within its time: no tools, no retries, no texts in telemetry unless asked for, the mark of a
 * call of the package's own, and of the answer the first 400,000 characters.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function callModel<Answer extends object>(
  call: ModelCall,
  generate: (ai: typeof sdk, settings: CallSettings) => Promise<ModelCallResult<Answer>>,
): Promise<ModelCallResult<Answer>> {
  const { tracer } = call.telemetry ?? {};
  if (tracer === undefined || call.telemetry?.isEnabled === false) return callOnce(call, generate);
  const { callInSpan } = await import('./call-in-span.ts');
  return callInSpan(tracer, call, async () => callOnce(call, generate));
}

async function callOnce<Answer extends object>(
  call: ModelCall,
  generate: (ai: typeof sdk, settings: CallSettings) => Promise<ModelCallResult<Answer>>,
): Promise<ModelCallResult<Answer>> {
  const { model, prompt, timeoutMs, telemetry, termsFor, abortSignal: callerSignal } = call;
  try {
    return await withDeadline(callerSignal, timeoutMs, async (abortSignal) => {
      // Loaded here: the root entry must cost nothing to import.
      const ai = await import('ai');
      const { headers, providerOptions } = termsFor?.(model) ?? {};
      return generate(ai, {
        model: ai.wrapLanguageModel({ model, middleware: [cutText, ...streaming(ai, call)] }),
        prompt,
        maxRetries: 0,
        abortSignal,
        ...(headers && { headers }),
        providerOptions: { ...providerOptions, ...ownCallMark() },
        ...telemetrySettings(ai, telemetry),
      });
    });
  } catch (error) {
    callerSignal?.throwIfAborted();
    return { usage: usageOf(error), ...(await classifyFailure(error, Date.now())), error };
  }
}

/** Asks for a stream where somebody reads along. */
function streaming(
  ai: typeof sdk,
  { onPartial }: Pick<ModelCall, 'onPartial'>,
): sdk.LanguageModelMiddleware[] {
  if (onPartial === undefined) return [];
  return [streamAnswer(maxAnswerCharacters, partialNarrative(ai.parsePartialJson, onPartial))];
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
