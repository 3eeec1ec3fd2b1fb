import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import {
  classifyFailure,
  parseRetryAfter,
  refusalOf,
  refusesToStream,
} from '../../../../src/summaries/models/classify-failure.ts';

// Which statuses are asked for again is held by test/strategies/llm/llm-strategy-failures.test.ts.

const now = Date.UTC(2026, 0, 1);
const day = 'Thu, 01 Jan 2026 00:00:20 GMT';

it.each([
  [{ 'retry-after-ms': '12.5', 'retry-after': '9' }, 12.5],
  [{ 'Retry-After': '3' }, 3000],
  [{ 'retry-after': day }, 20_000],
  [{ 'retry-after': day.replace('2026', '2025') }, 0],
  [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0x10' }, undefined],
  [undefined, undefined],
])('parseRetryAfter reads %j as %j ms', (headers, expected) => {
  expect(parseRetryAfter(headers, now)).toBe(expected);
});

describe('classifyFailure', () => {
  const reset = Object.assign(new Error('SECRET'), { code: 'ECONNRESET' });
  const request = { message: 'SECRET', url: 'u', requestBodyValues: {}, isRetryable: true };
  const quoting = { name: 'said SECRET words', code: 'SECRET said' };

  const spent = { usage: { inputTokens: 3, outputTokens: '4' } };
  const billed = { usage: { inputTokens: 3, outputTokens: 0 } };
  const underFetch = new APICallError({ ...request, cause: reset });
  const cause = new APICallError({ ...request, responseHeaders: { 'Retry-After': '2' } });
  const message = 'prompt is too long';
  const quoted = { ...request, requestBodyValues: { message }, message, statusCode: 422 };

  it.each<[string, unknown, 'soon' | 'later' | undefined, string, object?]>([
    ['billed', Object.assign(new Error('m'), spent), 'soon', 'Error', billed],
    ['quotes an overflow', new APICallError(quoted), 'soon', 'HTTP 422', { isOfContent: true }],
    ['busy', new Error('m', { cause }), 'soon', 'Error', { retryAfterMs: 2000 }],
    ['401, retryable', new APICallError({ ...request, statusCode: 401 }), undefined, 'HTTP 401'],
    ['lost', new TypeError('SECRET', { cause: reset }), 'soon', 'TypeError ECONNRESET'],
    ['failed under fetch', underFetch, 'soon', 'AI_APICallError ECONNRESET'],
    ['timeout', new DOMException('SECRET', 'TimeoutError'), 'later', 'TimeoutError'],
    ['no key', new LoadAPIKeyError({ message: 'SECRET' }), undefined, 'AI_LoadAPIKeyError'],
    ['quotes what was sent', Object.assign(new Error('m'), quoting), 'soon', 'unknown error'],
    ['nothing', undefined, 'soon', 'unknown error'],
  ])('takes for a transport error: %s', async (_, error, retry, detail, more) => {
    const usage = { inputTokens: 0, outputTokens: 0 };
    const end = { outcome: 'transport-error', usage, error, retry, detail, isOfContent: false };
    expect(await classifyFailure(error, now)).toEqual({ ...end, ...more });
  });
});

const refusing = (said: string): APICallError => {
  const status = /^\d+/.test(said) && { statusCode: Number.parseInt(said, 10) };
  return new APICallError({ url: 'u', requestBodyValues: {}, message: said, ...status });
};

it.each([
  '400 No response_format here → json',
  '415 Structured outputs, please → json',
  '422 max_completion_tokens is too large → limits',
  '500 reasoning effort is unknown → limits',
  '501 the chat template failed → system',
  '400 roles must alternate → system',
  '400 Bad Request → json, limits',
  '400 Bad Request: content filter → nothing',
  '400 Bad Request: billing → nothing',
  '500 Bad Request → nothing',
  '404 no json_schema → nothing',
  // What was not used of a form is not what is refused.
  '400 no json_schema → system → system',
  '400 no json_schema → nothing → stream',
])('of the form of a request is refused: %s', (row) => {
  const [said = '', refused, only] = row.split(' → ');
  const form = (['json', 'system', 'limits', 'stream'] as const).filter(
    (part) => only === undefined || part === only,
  );
  const named = refusalOf(refusing(said), form);
  expect(named?.join(', ') ?? 'nothing').toBe(refused);
});

it.each([
  ['422 stream: your organization must be verified', true],
  ['Streaming is not yet supported', true],
  ['The stream broke off', false],
  ['404 stream is not supported', false],
  ['400 not supported', false],
])('a stream is refused: %s %j', (said, expected) => {
  expect(refusesToStream(refusing(said))).toBe(expected);
});
