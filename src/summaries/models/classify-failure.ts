import { AISDKError, APICallError } from '@ai-sdk/provider';
import { contextOverflowOf, type ContextOverflow } from '../../sizes/overflow/context-overflow.ts';
import { errorEvidence } from '../../sizes/overflow/error-evidence.ts';
import type { SummaryOutput } from '../strategies/summary-strategy.ts';
import type { SummaryAnswer } from './summary-answer.ts';

/** Tokens a call was billed, 0 where the provider does not say. */
export type CallUsage = SummaryOutput['usage'];

/**
 * How a call of a summarizing model ended: with an answer, without one, or with one that is of no use. A failure is a
 * value, so that an error of the provider cannot escape.
 */
export type CallEnd = AnsweredCall | FailedCall;

interface AnsweredCall {
  readonly outcome: 'ok';
  readonly usage: CallUsage;
  /** The whole answer; after a request for a text, only its narrative. */
  readonly answer: SummaryAnswer;
}

/** A call without a usable answer. */
export interface FailedCall {
  readonly outcome: 'transport-error' | 'invalid-output';
  readonly usage: CallUsage;
  /**
   * Whether the same call may succeed: after a short wait or another time.
   * @default not at all
   */
  readonly retry?: 'soon' | 'later' | undefined;
  /** Milliseconds the provider asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Status or kind of error; never a provider's text, which may quote the messages. */
  readonly detail?: string | undefined;
  /** Whether the messages may be the cause: others may be answered. */
  readonly isOfContent?: boolean | undefined;
  /** Present when the model refused the request as too long. */
  readonly overflow?: ContextOverflow | undefined;
  /** Refused parts of the form, if the model may accept the same request in another form. */
  readonly refusal?: readonly FormPart[] | undefined;
  /** The error that was thrown; may quote the messages. */
  readonly error?: unknown;
  /** The unusable answer as it came: it may leave only redacted. */
  readonly said?: string | undefined;
}

/**
 * Part of a request that a model may refuse: JSON by the provider's own means, which the instructions ask for in any
 * case; instructions as a system message, else they precede the user's; limits of effort and output; a stream.
 */
export type FormPart = 'json' | 'system' | 'limits' | 'stream';

/** Statuses of requests that a provider finds wrong or against its policy. */
const ofContent: ReadonlySet<unknown> = new Set([400, 422]);

/** Statuses that mean the request itself is refused, whatever a provider says about retrying. */
const refused: ReadonlySet<unknown> = new Set([400, 401, 403, 404]);

/** Statuses of requests whose form may be refused, and of servers whose templates fail. */
const ofForm: ReadonlySet<unknown> = new Set([400, 415, 422, 500, 501]);

/**
 * Tells what a call's error means. An abort by the caller must be handled before.
 *
 * @param now - Milliseconds since the epoch, for `Retry-After` dates.
 */
export async function classifyFailure(error: unknown, now: number): Promise<FailedCall> {
  const status = memberOf(error, 'statusCode');
  const cause = memberOf(error, 'cause');
  const body = memberOf(error, 'requestBodyValues') ?? memberOf(cause, 'requestBodyValues');
  const overflow = contextOverflowOf(error, body);
  const said = typeof status === 'number' ? `HTTP ${status}` : undefined;
  const failure = { outcome: 'transport-error', usage: usageOf(error), error } as const;
  // An error that only quotes the messages is no reason to read them in smaller parts.
  if (overflow !== undefined && overflow.isQuoted !== true)
    return {
      ...failure,
      detail: [said, 'too long for the model'].filter(Boolean).join(', '),
      overflow,
    };
  const apiError = [error, cause].find((candidate) => APICallError.isInstance(candidate));
  return {
    ...failure,
    retry: refused.has(status) ? undefined : retryOf(error),
    retryAfterMs: parseRetryAfter(apiError?.responseHeaders, now),
    detail: said ?? kindOf(error, cause),
    isOfContent: ofContent.has(status),
  };
}

/** Reads the usage of a result, or of an error: an unusable answer is billed like a good one. */
export function usageOf(source: unknown): CallUsage {
  const usage = memberOf(source, 'usage');
  const read = (key: string): number => {
    const tokens = memberOf(usage, key);
    return typeof tokens === 'number' && Number.isFinite(tokens) ? tokens : 0;
  };
  return { inputTokens: read('inputTokens'), outputTokens: read('outputTokens') };
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
  const given = Object.entries(headers ?? {});
  const header = (name: string): string =>
    given.find(([each]) => each.toLowerCase() === name)?.[1].trim() ?? '';
  const [ms, after] = [toNumber(header('retry-after-ms')), header('retry-after')];
  const waits = [ms, toNumber(after) * 1000, Date.parse(after) - now];
  const wait = waits.find((each) => !Number.isNaN(each));
  return wait && Math.max(wait, 0);
}

/** Plain decimal numbers only: `Number` would read an empty header as 0 and `0x10` as 16. */
function toNumber(text: string): number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

/**
 * Tells when to retry: by the provider's own word, if there is one (`APICallError`, errors of the gateway). A call that
 * timed out has used up its time. Other errors of the SDK are mistakes in the set-up, such as a missing key. All others
 * come from the connection or from a custom provider and may pass.
 */
function retryOf(error: unknown): FailedCall['retry'] {
  if (memberOf(error, 'name') === 'TimeoutError') return 'later';
  const isRetryable = memberOf(error, 'isRetryable') ?? !AISDKError.isInstance(error);
  return isRetryable === true ? 'soon' : undefined;
}

/** Reads name and code of an error, such as `TypeError ECONNRESET`. */
function kindOf(error: unknown, cause: unknown): string {
  const words = [memberOf(error, 'name'), memberOf(error, 'code') ?? memberOf(cause, 'code')];
  // Custom providers may put anything there, even their input.
  const kinds = words.filter((word) => typeof word === 'string' && /^[\w$.:-]{1,64}$/.test(word));
  return kinds.join(' ') || 'unknown error';
}

/** Reads a property of any value. */
export function memberOf(value: unknown, key: string | symbol): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** Words with which providers name the part of a form that they refuse. */
const refusingWords: readonly (readonly [FormPart, RegExp])[] = [
  ['json', /response[_ ]?(?:format|mime|schema)|json[_ ]?(?:schema|object|mode)|structured/],
  ['limits', /max[_ ]?(?:completion[_ ]|output[_ ])?tokens|reasoning|thinking/],
  ['system', /system|developer|chat template|jinja|roles? must|conversation roles/],
];

/** Words of a filter or gate, which would refuse any form. */
const otherMatters =
  /content.?(?:filter|polic|management)|safety|moderation|api.?key|quota|billing|credit/;

/**
 * Reads a refusal of the form. A refusal that names no part is attributed to the most particular parts of the form.
 *
 * @param form - Parts of the form that were used.
 * @returns `undefined` where another form would be refused, too.
 */
export function refusalOf(
  error: unknown,
  form: readonly FormPart[],
): readonly FormPart[] | undefined {
  const { statuses, texts } = errorEvidence(error);
  const isBySDK = memberOf(error, 'name') === 'AI_UnsupportedFunctionalityError';
  if (!isBySDK && !statuses.some((status) => ofForm.has(status))) return undefined;
  const text = texts.join('\n');
  const named = refusingWords.find(([part, words]) => form.includes(part) && words.test(text));
  if (named) return [named[0]];
  const isRefused = statuses.some((status) => ofContent.has(status)) && !otherMatters.test(text);
  if (!isBySDK && !isRefused) return undefined;
  const likely = form.filter((part) => part === 'json' || part === 'limits');
  const parts = likely.length > 0 ? likely : form.filter((part) => part === 'system');
  return parts.length === 0 ? undefined : parts;
}

/** Whether a model refuses to stream, as OpenAI does to organizations that have not been verified, or has no means to. */
export function refusesToStream(error: unknown): boolean {
  const { statuses, texts } = errorEvidence(error);
  const isByServer = statuses.some((status) => ofContent.has(status));
  const words = isByServer ? /\bstream/ : /not (?:yet )?(?:implemented|supported)/;
  return (isByServer || statuses.length === 0) && texts.some((text) => words.test(text));
}
