import { AISDKError, APICallError } from '@ai-sdk/provider';
import { contextOverflowOf, type ContextOverflow } from '../../overflow/context-overflow.ts';
import { quotedInBody } from '../../overflow/quoted-text.ts';
import { runInSlices } from '../../util/async/run-steps.ts';
import { timeSlices } from '../../util/async/time-slices.ts';

/** How a call to a summarising model failed. */
export type CallFailure = TransportFailure | UnusableAnswer;

/** The model could not be reached or answered with an error. */
export interface TransportFailure {
  readonly outcome: 'transport-error';
  /** Whether the same call may succeed: after a short wait, another time, or not at all. */
  readonly retry: 'soon' | 'later' | 'never';
  /** Milliseconds the provider asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Status or kind of error; never a provider's text, which may quote the messages. */
  readonly detail: string;
  /** Whether the request was refused for what it says or how: others may be answered. */
  readonly isOfRequest?: boolean | undefined;
  /** Present when the model refused the request as too long. */
  readonly overflow?: ContextOverflow | undefined;
  /** What was thrown; may quote the messages. */
  readonly error?: unknown;
}

/** The model answered, but not with a usable summary. */
interface UnusableAnswer {
  readonly outcome: 'invalid-output';
  readonly detail: string;
  /** What it said, as it came: nothing of it may leave but through the door. */
  readonly answer?: string | undefined;
}

/** Statuses that mean the request itself is refused, whatever a provider says about retrying. */
const refused: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** Statuses of requests that a provider finds wrong or against its policy. */
const ofRequest: ReadonlySet<number> = new Set([400, 422]);

/**
 * Tells what a call's error means. An abort by the caller is none of these and must be handled before.
 *
 * @param now - Milliseconds since the epoch, for `Retry-After` dates.
 */
export async function classifyFailure(error: unknown, now: number): Promise<TransportFailure> {
  const status = memberOf(error, 'statusCode');
  const cause = error instanceof Error ? error.cause : undefined;
  const body = memberOf(error, 'requestBodyValues') ?? memberOf(cause, 'requestBodyValues');
  const overflow =
    contextOverflowOf(error) &&
    contextOverflowOf(error, await runInSlices(quotedInBody(body), timeSlices()));
  // What the messages say of themselves is no reason to read them in smaller parts.
  if (overflow !== undefined && overflow.isQuoted !== true) {
    const detail = `${typeof status === 'number' ? `HTTP ${status}, ` : ''}too long for the model`;
    return { outcome: 'transport-error', retry: 'never', detail, overflow };
  }
  if (typeof status === 'number') {
    const apiError = [error, cause].find((candidate) => APICallError.isInstance(candidate));
    return {
      outcome: 'transport-error',
      retry: refused.has(status) ? 'never' : retryOf(error),
      retryAfterMs: parseRetryAfter(apiError?.responseHeaders, now),
      detail: `HTTP ${status}`,
      ...(ofRequest.has(status) ? { isOfRequest: true } : {}),
    };
  }
  return {
    outcome: 'transport-error',
    retry: retryOf(error),
    detail: error instanceof Error ? kindOf(error) : 'unknown error',
  };
}

/**
 * Reads how long a provider asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as a date.
 *
 * @param now - Milliseconds since the epoch, to which a date is compared.
 * @returns Milliseconds, at least 0; `undefined` if there is no usable header.
 */
export function parseRetryAfter(
  headers: Readonly<Record<string, string>> | undefined,
  now: number,
): number | undefined {
  const byName = new Map(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value.trim()]),
  );
  const ms = toNumber(byName.get('retry-after-ms'));
  const seconds = toNumber(byName.get('retry-after'));
  const date = Date.parse(byName.get('retry-after') ?? '');
  const wait = ms ?? (seconds === undefined ? date - now : seconds * 1000);
  return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}

/** Plain decimal numbers only: `Number` would read an empty header as 0 and `0x10` as 16. */
function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/**
 * The provider's own word where there is one (`APICallError`, errors of the gateway). A call that timed
 * out has used up its time. Other errors of the SDK are mistakes in the set-up, such as a missing key.
 * What is left comes from the connection or from a custom provider and may pass.
 */
function retryOf(error: unknown): 'soon' | 'later' | 'never' {
  const isRetryable = memberOf(error, 'isRetryable');
  if (typeof isRetryable === 'boolean') return isRetryable ? 'soon' : 'never';
  if (stringIn(error, 'name') === 'TimeoutError') return 'later';
  return AISDKError.isInstance(error) ? 'never' : 'soon';
}

/** Name and code, such as `TypeError ECONNRESET`. */
function kindOf(error: Error): string {
  const code = stringIn(error, 'code') ?? stringIn(error.cause, 'code');
  // Custom providers may put anything there, also what they were sent.
  const words = [stringIn(error, 'name'), code].filter((text) =>
    /^[\w$.:-]{1,64}$/.test(text ?? ''),
  );
  return words.length === 0 ? 'an error' : words.join(' ');
}

function stringIn(value: unknown, key: string): string | undefined {
  const found = memberOf(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** A property of what may be anything. */
export function memberOf(value: unknown, key: string | symbol): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
