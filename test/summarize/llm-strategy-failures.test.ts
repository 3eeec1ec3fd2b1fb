import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MockLanguageModelV4 } from 'ai/test';
import { SummarizationError } from '../../src/errors/summarization-error.ts';
import { llmStrategy } from '../../src/summarize/llm-strategy.ts';
import type { SummaryAttempt } from '../../src/summarize/summary-strategy.ts';
import { loadTextCounter } from '../../src/tokens/load-text-counter.ts';
import {
  answer,
  conversation,
  httpError,
  modelResult,
  summarizer,
  summaryInput,
  user,
} from './fixtures.ts';

const good = answer({ summary: 'Short.' });

/** Starts a run and records how it ended, so that no rejection goes unhandled. */
function watch(promise: Promise<unknown>): {
  error?: unknown;
  value?: unknown;
  isSettled: boolean;
} {
  const state: { error?: unknown; value?: unknown; isSettled: boolean } = { isSettled: false };
  const follow = async (): Promise<void> => {
    try {
      state.value = await promise;
    } catch (error) {
      state.error = error;
    }
    state.isSettled = true;
  };
  void follow();
  return state;
}

async function errorOf(promise: Promise<unknown>): Promise<SummarizationError> {
  const state = watch(promise);
  await vi.runAllTimersAsync();
  if (!SummarizationError.isInstance(state.error))
    throw new Error('expected a SummarizationError', { cause: state.error });
  return state.error;
}

/** Counts the listeners that are left on a signal. */
function spiedSignal(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const added = vi.spyOn(controller.signal, 'addEventListener');
  const removed = vi.spyOn(controller.signal, 'removeEventListener');
  return { controller, listeners: () => added.mock.calls.length - removed.mock.calls.length };
}

beforeEach(async () => {
  await loadTextCounter();
  await import('ai');
  vi.useFakeTimers();
});

afterEach(() => {
  const timersLeft = vi.getTimerCount();
  vi.useRealTimers();
  if (timersLeft > 0) throw new Error('a timer is left');
});

describe('transport failures', () => {
  it.each([
    [400, 1, false],
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
      Array.from({ length: calls }, () => ({
        model: 'mock:summarizer',
        outcome: 'transport-error',
        detail: `HTTP ${status}`,
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
    [{ 'retry-after': '900' }, 60_000],
  ])('waits as long as %j says', async (headers, ms) => {
    const model = summarizer([httpError(429, headers), good]);
    watch(llmStrategy().summarize(summaryInput(model)));
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(model.doGenerateCalls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(model.doGenerateCalls).toHaveLength(2);
    await vi.runAllTimersAsync();
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
    expect(run.value).toMatchObject({ content: { summary: 'Short.' } });
    expect(hanging.doGenerateCalls[0]?.abortSignal?.aborted).toBe(true);
    const alone = await errorOf(llmStrategy({ timeoutMs: 10 }).summarize(summaryInput(hanging)));
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

describe('breaker', () => {
  it('opens after three failed calls in a row, for 60 s, and probes with one call', async () => {
    let now = 0;
    let reply: 'fail' | 'hang' | 'work' = 'fail';
    const held = Promise.withResolvers<void>();
    const model = new MockLanguageModelV4({
      provider: 'mock',
      modelId: 'm',
      doGenerate: async () => {
        if (reply === 'fail') throw httpError(401);
        if (reply === 'hang') await held.promise;
        return modelResult(JSON.stringify(good));
      },
    });
    const strategy = llmStrategy({ now: () => now });
    const summarize = (): Promise<unknown> => strategy.summarize(summaryInput(model));
    const reasons: string[] = [];
    for (let run = 0; run < 5; run += 1) {
      // oxlint-disable-next-line no-await-in-loop -- in a row is the point
      reasons.push((await errorOf(summarize())).reason);
    }
    expect(reasons).toEqual([
      'transport',
      'transport',
      'transport',
      'breaker-open',
      'breaker-open',
    ]);
    expect(model.doGenerateCalls).toHaveLength(3);

    now = 59_999;
    expect((await errorOf(summarize())).reason).toBe('breaker-open');
    now = 60_000;
    expect((await errorOf(summarize())).reason).toBe('transport');
    now = 119_999;
    expect((await errorOf(summarize())).reason).toBe('breaker-open');

    now = 120_000;
    reply = 'hang';
    const probe = watch(summarize());
    await vi.advanceTimersByTimeAsync(0);
    const second = watch(summarize());
    await vi.advanceTimersByTimeAsync(0);
    expect(second.error).toMatchObject({ reason: 'breaker-open', retryable: true });
    held.resolve();
    await vi.runAllTimersAsync();
    expect(probe.value).toMatchObject({ content: { summary: 'Short.' } });
    reply = 'work';
    await expect(summarize()).resolves.toBeDefined();
    expect(model.doGenerateCalls).toHaveLength(6);
  });

  it('counts for each model alone, and asks the next one while one is left alone', async () => {
    const down = summarizer([httpError(401)], 'down');
    const working = summarizer([good], 'working');
    const strategy = llmStrategy({ models: [down, working] });
    for (let run = 0; run < 5; run += 1) {
      // oxlint-disable-next-line no-await-in-loop -- in a row is the point
      await strategy.summarize(summaryInput(down));
    }
    expect([down.doGenerateCalls.length, working.doGenerateCalls.length]).toEqual([3, 5]);
  });

  it('does not count aborts, and frees the probe of an aborted call', async () => {
    let now = 0;
    let isHanging = false;
    const model = new MockLanguageModelV4({
      doGenerate: () => (isHanging ? new Promise(() => {}) : Promise.reject(httpError(401))),
    });
    const strategy = llmStrategy({ now: () => now });
    const aborted = async (): Promise<unknown> => {
      const controller = new AbortController();
      isHanging = true;
      const run = watch(
        strategy.summarize(summaryInput(model, { abortSignal: controller.signal })),
      );
      await vi.advanceTimersByTimeAsync(0);
      controller.abort('stop');
      await vi.advanceTimersByTimeAsync(0);
      isHanging = false;
      return run.error;
    };
    for (let run = 0; run < 3; run += 1) {
      // oxlint-disable-next-line no-await-in-loop -- in a row is the point
      expect(await aborted()).toBe('stop');
    }
    for (let run = 0; run < 3; run += 1) {
      // oxlint-disable-next-line no-await-in-loop -- in a row is the point
      expect((await errorOf(strategy.summarize(summaryInput(model)))).reason).toBe('transport');
    }
    now = 60_000;
    expect(await aborted()).toBe('stop');
    expect((await errorOf(strategy.summarize(summaryInput(model)))).reason).toBe('transport');
  });

  it('counts two concurrent first failures as two', async () => {
    const model = summarizer([httpError(401)]);
    const strategy = llmStrategy();
    const runs = [1, 2, 3].map(() => watch(strategy.summarize(summaryInput(model))));
    await vi.runAllTimersAsync();
    expect(runs.every(({ error }) => SummarizationError.isInstance(error))).toBe(true);
    expect((await errorOf(strategy.summarize(summaryInput(model)))).reason).toBe('breaker-open');
  });
});

describe('abort', () => {
  const reason = new Error('the page was closed');

  it('rejects at once with the reason while a model that ignores the signal works', async () => {
    const model = new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) });
    const { controller, listeners } = spiedSignal();
    const run = watch(
      llmStrategy().summarize(summaryInput(model, { abortSignal: controller.signal })),
    );
    await vi.advanceTimersByTimeAsync(10);
    expect([run.isSettled, model.doGenerateCalls.length]).toEqual([false, 1]);
    controller.abort(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(run.error).toBe(reason);
    expect(model.doGenerateCalls[0]?.abortSignal?.aborted).toBe(true);
    expect(listeners()).toBe(0);
  });

  it('rejects at once during the back-off and calls no more', async () => {
    const model = summarizer([httpError(429, { 'retry-after': '30' })]);
    const { controller } = spiedSignal();
    const run = watch(
      llmStrategy().summarize(summaryInput(model, { abortSignal: controller.signal })),
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect(run.isSettled).toBe(false);
    controller.abort(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(run.error).toBe(reason);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('does not call a model when the signal is aborted already', async () => {
    const model = summarizer([good]);
    const run = watch(
      llmStrategy().summarize(summaryInput(model, { abortSignal: AbortSignal.abort(reason) })),
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(run.error).toBe(reason);
    expect(model.doGenerateCalls).toHaveLength(0);
  });

  it('leaves no listener on the signal after success or failure', async () => {
    const { controller, listeners } = spiedSignal();
    const input = { abortSignal: controller.signal };
    watch(llmStrategy().summarize(summaryInput(summarizer([httpError(500), good]), input)));
    watch(llmStrategy().summarize(summaryInput(summarizer([modelResult('nonsense')]), input)));
    await vi.runAllTimersAsync();
    expect(listeners()).toBe(0);
  });

  it('takes an abort error that is not of our signal for a transport failure', async () => {
    const model = summarizer([new DOMException('SECRET', 'AbortError'), good]);
    const run = watch(
      llmStrategy().summarize(summaryInput(model, { messages: [...conversation, user('more')] })),
    );
    await vi.runAllTimersAsync();
    expect(run.error).toBeUndefined();
    expect(model.doGenerateCalls).toHaveLength(2);
  });
});
