import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { llmStrategy, type SummaryAttempt } from '../../../src/index.ts';
import { answer, httpError, summarizer, summaryInput } from './fixtures.ts';
import { errorOf, watch } from './watch.ts';

const good = answer({ summary: 'Short.' });

beforeEach(async () => {
  // Loads what loads on demand, which no fake clock waits for.
  await llmStrategy().summarize(summaryInput(summarizer([answer({ summary: 'Short.' })])));
  vi.useFakeTimers();
});

afterEach(() => {
  const timersLeft = vi.getTimerCount();
  vi.useRealTimers();
  if (timersLeft > 0) throw new Error('a timer is left');
});

describe('transport failures', () => {
  it.each([
    // In all forms, of which none is why.
    [400, 3, false],
    [401, 1, false],
    [403, 1, false],
    [404, 1, false],
    [408, 2, true],
    [429, 2, true],
    [500, 2, true],
    [503, 2, true],
    [529, 2, true],
  ])('status %i: %i calls, retryable %s', async (status, calls, retryable) => {
    const model = summarizer([httpError(status)]);
    const attempts: SummaryAttempt[] = [];
    const error = await errorOf(
      llmStrategy().summarize(
        summaryInput(model, { onAttempt: (attempt) => attempts.push(attempt) }),
      ),
    );
    expect([error.reason, error.retryable]).toEqual(['transport', retryable]);
    expect(model.doGenerateCalls).toHaveLength(calls);
    expect(attempts).toEqual(
      Array.from({ length: calls }, (_, call) => ({
        model: 'mock:summarizer',
        outcome: 'transport-error',
        detail: `HTTP ${status}`,
        ...(status === 400 && call < 2 ? { refused: [['json', 'limits'], ['system']][call] } : {}),
      })),
    );
    expect(JSON.stringify([error.message, error.cause, attempts])).not.toContain('SECRET');
  });

  it('waits 250 ms before the retry', async () => {
    const model = summarizer([httpError(500), good]);
    const run = watch(llmStrategy().summarize(summaryInput(model)));
    await vi.advanceTimersByTimeAsync(249);
    expect(model.doGenerateCalls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(model.doGenerateCalls).toHaveLength(2);
    await vi.runAllTimersAsync();
    expect(run.value).toMatchObject({ content: { summary: 'Short.' } });
  });

  it.each([
    [{ 'retry-after-ms': '40' }, 40],
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '60' }, 60_000],
  ])('waits as long as %j says', async (headers, ms) => {
    const model = summarizer([httpError(429, headers), good]);
    watch(llmStrategy().summarize(summaryInput(model)));
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(model.doGenerateCalls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(model.doGenerateCalls).toHaveLength(2);
    await vi.runAllTimersAsync();
  });

  it.each([
    [{ 'retry-after': '61' }, undefined],
    [{ 'retry-after': '900' }, undefined],
    [{ 'retry-after-ms': '501' }, 500],
  ])('does not wait longer than a summary may take: %j', async (headers, summaryTimeoutMs) => {
    const busy = summarizer([httpError(429, headers)], 'busy');
    const working = summarizer([good], 'working');
    const rests: number[] = [];
    const input = summaryInput(busy, { summaryTimeoutMs, onRest: (ms) => rests.push(ms) });
    const run = watch(llmStrategy({ models: [busy, working] }).summarize(input));
    await vi.advanceTimersByTimeAsync(0);
    expect([busy.doGenerateCalls.length, working.doGenerateCalls.length]).toEqual([1, 1]);
    await vi.runAllTimersAsync();
    expect(run.error).toBeUndefined();
    expect(rests).toEqual([]);
  });

  it('says how long it rests', async () => {
    const model = summarizer([httpError(429, { 'retry-after': '7' }), good]);
    const rests: number[] = [];
    watch(llmStrategy().summarize(summaryInput(model, { onRest: (ms) => rests.push(ms) })));
    await vi.runAllTimersAsync();
    expect(rests).toEqual([7000]);
  });

  it('goes to the next model after the retry, at once after a refusal', async () => {
    const down = summarizer([httpError(503)], 'down');
    const refusing = summarizer([httpError(401)], 'refusing');
    const working = summarizer([good], 'working');
    const first = watch(llmStrategy({ models: [down, working] }).summarize(summaryInput(down)));
    await vi.runAllTimersAsync();
    expect(first.value).toMatchObject({ usage: { inputTokens: 100, outputTokens: 10 } });
    expect([down.doGenerateCalls.length, working.doGenerateCalls.length]).toEqual([2, 1]);
    const second = watch(
      llmStrategy({ models: [refusing, working] }).summarize(summaryInput(down)),
    );
    await vi.runAllTimersAsync();
    expect(second.error).toBeUndefined();
    expect([refusing.doGenerateCalls.length, working.doGenerateCalls.length]).toEqual([1, 2]);
  });

  it('stops after three failed calls, however many models are left', async () => {
    const models = ['a', 'b', 'c'].map((id) => summarizer([httpError(503)], id));
    const error = await errorOf(
      llmStrategy({ models }).summarize(summaryInput(summarizer([good]))),
    );
    expect(models.map(({ doGenerateCalls }) => doGenerateCalls.length)).toEqual([2, 1, 0]);
    expect(error.reason).toBe('transport');
  });

  it('gives up a call after the time limit and does not repeat it', async () => {
    const hanging = new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) });
    const working = summarizer([good]);
    const run = watch(llmStrategy({ models: [hanging, working] }).summarize(summaryInput(hanging)));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(working.doGenerateCalls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(hanging.doGenerateCalls[0]?.abortSignal?.aborted).toBe(true);
    // The next request is counted, and its answer read, in slices.
    await vi.runAllTimersAsync();
    expect(run.value).toMatchObject({ content: { summary: 'Short.' } });
    const alone = await errorOf(llmStrategy().summarize(summaryInput(hanging)));
    expect([alone.reason, alone.retryable]).toEqual(['transport', true]);
    expect(hanging.doGenerateCalls).toHaveLength(2);
  });

  it('resolves ids by the default provider, and goes on when an id is unknown', async () => {
    const working = summarizer([good], 'known');
    const ids: string[] = [];
    vi.stubGlobal('AI_SDK_DEFAULT_PROVIDER', {
      languageModel: (id: string) => {
        ids.push(id);
        if (id === 'unknown/model') throw new Error('SECRET no such model');
        return working;
      },
    });
    const attempts: SummaryAttempt[] = [];
    const run = watch(
      llmStrategy({ models: ['unknown/model', 'mock/known'] }).summarize(
        summaryInput(working, { onAttempt: (attempt) => attempts.push(attempt) }),
      ),
    );
    await vi.runAllTimersAsync();
    vi.unstubAllGlobals();
    expect(run.value).toMatchObject({ content: { summary: 'Short.' } });
    expect(ids).toEqual(['unknown/model', 'mock/known']);
    expect(attempts).toEqual([
      { model: 'unknown/model', outcome: 'transport-error', detail: 'Error' },
      { model: 'mock:known', outcome: 'ok' },
    ]);
  });
});
