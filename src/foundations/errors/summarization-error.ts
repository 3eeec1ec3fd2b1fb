import { SDKError } from './sdk-error.ts';

const summarizationErrorMarker = 'ai-sdk-summarization.error.SummarizationError';

/**
 * Thrown by `summarize` and by functions on state, and instead of the answer when `abortOnFailure` is set and no summary could be
 * made. The SDK does not retry it.
 */
export class SummarizationError extends SDKError {
  /** Machine-readable cause. */
  readonly reason: SummarizationFailure;
  /** Whether the same call may succeed later: `true` for transport failures. */
  readonly retryable: boolean;
  /** Milliseconds after which it is worth trying again, where that is known. */
  readonly retryAfterMs: number | undefined;
  /** Tokens that summarizing models billed for what failed, where that is known. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;

  constructor({ message, cause, ...details }: SummarizationErrorOptions) {
    super({ name: 'SummarizationError', message, cause });
    this.reason = details.reason;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
    this.usage = details.usage;
    Object.defineProperty(this, Symbol.for(summarizationErrorMarker), { value: true });
  }

  /** Recognizes the error across copies of the package and realms. */
  static override isInstance(error: unknown): error is SummarizationError {
    return SDKError.hasMarker(error, summarizationErrorMarker);
  }
}

type SummarizationErrorOptions = Pick<SummarizationError, 'reason' | 'message'> &
  Partial<Pick<SummarizationError, 'retryable' | 'retryAfterMs' | 'usage' | 'cause'>>;

/**
 * Why no summary was made, or state not changed:
 * - `transport`: the summarizing model could not be reached or answered with an error;
 * - `invalid-output`: it answered, but not with a usable summary (malformed, empty, cut off, filtered);
 * - `not-smaller`: the summary was not smaller than what it would replace;
 * - `timeout`: it took longer than a call may wait for it;
 * - `hourly-limit`: `maxSummaryCallsPerHour` calls have been made already;
 * - `aborted`: the `abortSignal` of the middleware ended it;
 * - `breaker-open`: earlier failures; the model is left alone for a while;
 * - `strategy`: a custom strategy threw;
 * - `redact`: the option `redact` threw or did not return a string;
 * - `parent-mismatch`: `summarizeConversation` was given a parent that covers other messages;
 * - `archive`: originals of a record are gone or damaged;
 * - `store`: a function on state was not answered by the store, or not told that it is done.
 */
export type SummarizationFailure =
  | 'transport'
  | 'invalid-output'
  | 'not-smaller'
  | 'timeout'
  | 'aborted'
  | 'hourly-limit'
  | 'breaker-open'
  | 'strategy'
  | 'redact'
  | 'parent-mismatch'
  | 'archive'
  | 'store';

/** The same error, with more said about it. */
export function withDetails(
  error: SummarizationError,
  details: Partial<Pick<SummarizationError, 'message' | 'usage' | 'cause'>>,
): SummarizationError {
  const { reason, message, retryable, retryAfterMs, usage, cause } = error;
  const known = { reason, message, retryable, retryAfterMs, usage, cause };
  return new SummarizationError({ ...known, ...details });
}
