import type { LanguageModel } from 'ai';
import { usageOf, type CallUsage } from './call-usage.ts';
import { classifyFailure, type CallFailure } from './classify-failure.ts';
import { cleanOutput } from './strip-invisible.ts';
import { withDeadline } from './with-deadline.ts';

/** One call for a text. */
export interface TextCall {
  readonly model: LanguageModel;
  /** The one user message. */
  readonly prompt: string;
  /** Milliseconds after which the call counts as failed. */
  readonly timeoutMs: number;
  readonly abortSignal?: AbortSignal | undefined;
}

/** How a call ended. */
export type TextCallResult = { readonly usage: CallUsage } & (
  | { readonly outcome: 'ok'; readonly text: string }
  | CallFailure
);

/**
 * Asks a model for a text through `generateText`: no tools, no provider options, no retries. The text is
 * stripped of invisible and control characters. One that was cut off counts, as what is asked for is
 * cut anyway; an empty one does not.
 *
 * @throws The signal's reason, when `abortSignal` aborts; nothing else.
 */
export async function generatePlainText(call: TextCall): Promise<TextCallResult> {
  const { abortSignal, timeoutMs } = call;
  try {
    return await withDeadline(abortSignal, timeoutMs, (signal) => generate(call, signal));
  } catch (error) {
    abortSignal?.throwIfAborted();
    return { usage: usageOf(error), ...classifyFailure(error, Date.now()) };
  }
}

async function generate(
  { model, prompt }: TextCall,
  abortSignal: AbortSignal,
): Promise<TextCallResult> {
  // Loaded here: the root entry must cost nothing to import.
  const { generateText } = await import('ai');
  const result = await generateText({ model, prompt, maxRetries: 0, abortSignal });
  const usage = usageOf(result);
  const { finishReason } = result;
  const text = cleanOutput(result.text);
  const isUsable = (finishReason === 'stop' || finishReason === 'length') && text !== '';
  return isUsable
    ? { outcome: 'ok', usage, text }
    : {
        outcome: 'invalid-output',
        usage,
        detail: `finish reason ${finishReason}, ${text.length} characters`,
      };
}
