import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import {
  classifyFailure,
  parseRetryAfter,
} from '../../../../src/strategies/models/classify-failure.ts';

// Which statuses are asked for again is held by test/strategies/llm/llm-strategy-failures.test.ts.

const now = Date.UTC(2026, 0, 1);
const day = 'Thu, 01 Jan 2026 00:00:20 GMT';

it.each([
  [{ 'retry-after-ms': '12.5', 'retry-after': '9' }, 12.5],
  [{ 'Retry-After': '3' }, 3000],
  [{ 'retry-after': day }, 20_000],
  [{ 'retry-after': day.replace('2026', '2025') }, 0],
  [{ 'retry-after': '-5' }, 0],
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

  it.each<[string, unknown, 'soon' | 'later' | undefined, string]>([
    ['401, retryable', new APICallError({ ...request, statusCode: 401 }), undefined, 'HTTP 401'],
    ['lost', new TypeError('SECRET', { cause: reset }), 'soon', 'TypeError ECONNRESET'],
    [
      'failed under fetch',
      new APICallError({ ...request, cause: reset }),
      'soon',
      'AI_APICallError ECONNRESET',
    ],
    ['timeout', new DOMException('SECRET', 'TimeoutError'), 'later', 'TimeoutError'],
    ['no key', new LoadAPIKeyError({ message: 'SECRET' }), undefined, 'AI_LoadAPIKeyError'],
    ['quotes what was sent', Object.assign(new Error('m'), quoting), 'soon', 'unknown error'],
    ['nothing', undefined, 'soon', 'unknown error'],
  ])('takes for a transport error: %s', async (_, error, retry, detail) => {
    const outcome = 'transport-error';
    expect(await classifyFailure(error, now)).toMatchObject({ outcome, retry, detail });
  });
});
