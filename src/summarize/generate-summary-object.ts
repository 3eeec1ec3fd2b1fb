import type { LanguageModel } from 'ai';
import { usageOf, type CallUsage } from './call-usage.ts';
import { classifyFailure, type CallFailure } from './classify-failure.ts';
import {
  answerJsonSchema,
  parseAnswer,
  type AnswerKind,
  type SummaryAnswer,
} from './summary-answer.ts';
import { withDeadline } from './with-deadline.ts';

/** One call of a summarising model. */
export interface SummaryCall {
  readonly model: LanguageModel;
  /** The system prompt; constant, so that providers can cache it. */
  readonly instructions: string;
  /** The one user message. */
  readonly prompt: string;
  readonly kind: AnswerKind;
  /** Milliseconds after which the call counts as failed. */
  readonly timeoutMs: number;
  readonly abortSignal?: AbortSignal | undefined;
}

/** How a call ended. A failure is a value, so that an error of the provider cannot escape. */
export type SummaryCallResult = { readonly usage: CallUsage } & (
  | { readonly outcome: 'ok'; readonly answer: SummaryAnswer }
  | CallFailure
);

/**
 * Asks a model for a summary through `generateObject`: no tools, no provider options, no retries. An
 * answer counts only if it ends with finish reason `stop`, has the asked form and a summary in it. A
 * Markdown fence around the JSON is removed; nothing else is repaired.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function generateSummaryObject(call: SummaryCall): Promise<SummaryCallResult> {
  const { abortSignal, timeoutMs } = call;
  try {
    return await withDeadline(abortSignal, timeoutMs, (signal) => generate(call, signal));
  } catch (error) {
    abortSignal?.throwIfAborted();
    return { usage: usageOf(error), ...classifyFailure(error, Date.now()) };
  }
}

async function generate(call: SummaryCall, abortSignal: AbortSignal): Promise<SummaryCallResult> {
  // Loaded here: the root entry must cost nothing to import.
  const { generateObject, jsonSchema } = await import('ai');
  const result = await startQuietly(() =>
    generateObject({
      model: call.model,
      schema: jsonSchema(answerJsonSchema(call.kind), {
        // Read tolerantly below: the schema is what is asked for, not what is accepted.
        validate: (value) => ({ success: true, value }),
      }),
      instructions: call.instructions,
      prompt: call.prompt,
      maxRetries: 0,
      abortSignal,
      repairText: ({ text }) => Promise.resolve(withoutFence(text)),
    }),
  );
  const usage = usageOf(result);
  if (result.finishReason !== 'stop') {
    return { outcome: 'invalid-output', usage, detail: `finish reason ${result.finishReason}` };
  }
  const answer = parseAnswer(result.object);
  return answer === undefined
    ? { outcome: 'invalid-output', usage, detail: 'the answer is not a summary of the asked form' }
    : { outcome: 'ok', usage, answer };
}

/**
 * Starts a call without the SDK's note that `generateObject` is deprecated, which would stand in every
 * user's log on the package's account. The SDK writes it before its first await, so the setting is back
 * before anybody else can run.
 */
function startQuietly<T>(start: () => Promise<T>): Promise<T> {
  const logger = globalThis.AI_SDK_LOG_WARNINGS;
  globalThis.AI_SDK_LOG_WARNINGS = false;
  try {
    return start();
  } finally {
    globalThis.AI_SDK_LOG_WARNINGS = logger;
  }
}

/** The inside of one Markdown fence that spans the whole text; `null` tells the SDK to give up. */
function withoutFence(text: string): string | null {
  return /^\s*```[a-z]*\s*\n(.*)\n\s*```\s*$/is.exec(text)?.[1] ?? null;
}
