import type { LanguageModel } from 'ai';
import type { TextDoor } from '../../cleaning/text-door.ts';
import { usageOf, type CallUsage } from './call-usage.ts';
import { callTelemetry, type SummarizationTelemetry } from '../call-telemetry.ts';
import { classifyFailure, type CallFailure } from './classify-failure.ts';
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

/** How a call ended. A failure is a value, so that an error of the provider cannot escape. */
export type ModelCallResult<Answer extends object> = { readonly usage: CallUsage } & (
  | (Answer & { readonly outcome: 'ok' })
  | CallFailure
);

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
