import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SummarizationError } from '../../../src/index.ts';
import { FailureMemory } from '../../../src/summaries/failure-memory.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function failure(retryable: boolean, retryAfterMs?: number): SummarizationError {
  return new SummarizationError({ reason: 'transport', message: 'down', retryable, retryAfterMs });
}

describe('FailureMemory', () => {
  it.each([
    ['a second if it may pass', true, undefined, 1000],
    ['a second at least', true, 1, 1000],
    ['as long as it is said to last', true, 7000, 7000],
    ['half a minute at most', true, 900_000, 30_000],
    ['ten minutes if it will not', false, undefined, 600_000],
  ])('holds a failure for %s', (_name, retryable, retryAfterMs, lifetime) => {
    const memory = new FailureMemory();
    const error = failure(retryable, retryAfterMs);
    memory.remember('key', error);
    expect([memory.recall('key'), memory.recall('other')]).toEqual([error, undefined]);
    vi.advanceTimersByTime(lifetime - 1);
    expect(memory.recall('key')).toBe(error);
    vi.advanceTimersByTime(1);
    expect(memory.recall('key')).toBeUndefined();
  });

  it('holds the last failure of a summary', () => {
    const memory = new FailureMemory();
    memory.remember('key', failure(false));
    const later = failure(true);
    memory.remember('key', later);
    expect(memory.recall('key')).toBe(later);
    vi.advanceTimersByTime(30_000);
    expect(memory.recall('key')).toBeUndefined();
  });

  it('holds the last thousand, and no more', () => {
    const memory = new FailureMemory();
    for (let index = 0; index <= 1000; index += 1) memory.remember(`${index}`, failure(false));
    expect(memory.recall('0')).toBeUndefined();
    expect(memory.recall('1')).toBeDefined();
    expect(memory.recall('1000')).toBeDefined();
  });
});
