import { APICallError, LoadAPIKeyError, NoSuchModelError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import {
  classifyFailure,
  parseRetryAfter,
} from '../../../../src/strategies/models/classify-failure.ts';
import { httpError } from '../../../strategies/llm/fixtures.ts';

const now = Date.UTC(2026, 0, 1);

describe('parseRetryAfter', () => {
  it.each([
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after-ms': '12.5', 'retry-after': '9' }, 12.5],
    [{ 'Retry-After': '3' }, 3000],
    [{ 'retry-after': ' 0.5 ' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': '3600' }, 3_600_000],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '0x10' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('reads %j as %j ms', (headers, expected) => {
    expect(parseRetryAfter(headers, now)).toBe(expected);
  });
});

describe('classifyFailure', () => {
  it.each([
    [400, undefined],
    [401, undefined],
    [403, undefined],
    [404, undefined],
    [408, 'soon'],
    [409, 'soon'],
    [413, undefined],
    [422, undefined],
    [429, 'soon'],
    [500, 'soon'],
    [503, 'soon'],
    [529, 'soon'],
  ])('status %i is a transport error, to retry: %s', async (status, retry) => {
    const error = httpError(status, { 'retry-after': '2' });
    expect(await classifyFailure(error, now)).toEqual({
      outcome: 'transport-error',
      usage: { inputTokens: 0, outputTokens: 0 },
      error,
      retry,
      retryAfterMs: 2000,
      detail: `HTTP ${status}`,
      isOfContent: [400, 422].includes(status),
    });
  });

  it('does not retry a refused request even if the provider calls it retryable', async () => {
    const error = new APICallError({
      message: 'm',
      url: 'u',
      requestBodyValues: {},
      statusCode: 401,
      isRetryable: true,
    });
    expect(await classifyFailure(error, now)).toMatchObject({ retry: undefined });
  });

  const reset = Object.assign(new Error('SECRET'), { code: 'ECONNRESET' });

  it.each([
    [
      'a lost connection',
      new TypeError('SECRET', { cause: reset }),
      'soon',
      'TypeError ECONNRESET',
    ],
    [
      'a connection that failed under fetch',
      new APICallError({
        message: 'SECRET',
        cause: reset,
        url: 'u',
        requestBodyValues: {},
        isRetryable: true,
      }),
      'soon',
      'AI_APICallError ECONNRESET',
    ],
    ['a timeout', new DOMException('SECRET', 'TimeoutError'), 'later', 'TimeoutError'],
    ['a missing key', new LoadAPIKeyError({ message: 'SECRET' }), undefined, 'AI_LoadAPIKeyError'],
    [
      'an unknown model',
      new NoSuchModelError({ modelId: 'm', modelType: 'languageModel' }),
      undefined,
      'AI_NoSuchModelError',
    ],
    [
      'an error that quotes what was sent in its name and code',
      Object.assign(new Error('m'), { name: 'said SECRET words', code: 'SECRET said' }),
      'soon',
      'unknown error',
    ],
    ['a thrown string', 'SECRET', 'soon', 'unknown error'],
    ['nothing', undefined, 'soon', 'unknown error'],
  ])('%s is a transport error', async (_, error, retry, detail) => {
    expect(await classifyFailure(error, now)).toMatchObject({
      outcome: 'transport-error',
      retry,
      detail,
    });
  });
});
