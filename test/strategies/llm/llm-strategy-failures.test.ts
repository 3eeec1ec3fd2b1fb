import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { llmStrategy, type SummarizationError, type SummaryAttempt } from '../../../src/index.ts';
import {
  answer,
  conversation,
  httpError,
  modelResult,
  summarizer,
  summaryInput,
} from './fixtures.ts';
import { user } from '../../support/prompt-messages.ts';
import { errorOf, failure, started, turn, watch, withFakeTimers, withTimers } from './watch.ts';

const good = answer({ summary: 'Short.' });

withFakeTimers();

describe('transport failures', () => {
  it.each([
    // In all forms, of which none is why.
    [400, 3, false],
    [401, 1, false],
    [408, 2, true],
    [429, 2, true],
    [500, 2, true],
    [529, 2, true],
  ])('status %i: %i calls, retryable %s', async (status, calls, retryable) => {
    const model = summarizer([httpError(status)]);
    const attempts: SummaryAttempt[] = [];
    const error = await failure(model, { onAttempt: (attempt) => attempts.push(attempt) });
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

  it.each([
    [{}, 250],
    [{ 'retry-after-ms': '40' }, 40],
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '60' }, 60_000],
  ])('waits as long as %j says before the retry', async (headers, ms) => {
    const model = summarizer([httpError(429, headers), good]);
    const run = started(model);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(model.doGenerateCalls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    // Work in slices goes on in a turn that no fake timer moves.
    await turn();
    expect(model.doGenerateCalls).toHaveLength(2);
    await vi.runAllTimersAsync();
    expect(run.value).toMatchObject({ content: { summary: 'Short.' } });
  });

  it.each([
    [{ 'retry-after': '61' }, undefined],
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

  it('goes to the next model after the retry, at once after a refusal', async () => {
    const down = summarizer([httpError(503)], 'down');
    const refusing = summarizer([httpError(401)], 'refusing');
    const working = summarizer([good], 'working');
    const first = started(down, {}, { models: [down, working] });
    await vi.runAllTimersAsync();
    expect(first.value).toMatchObject({ usage: { inputTokens: 100, outputTokens: 10 } });
    expect([down.doGenerateCalls.length, working.doGenerateCalls.length]).toEqual([2, 1]);
    const second = started(down, {}, { models: [refusing, working] });
    await vi.runAllTimersAsync();
    expect(second.error).toBeUndefined();
    expect([refusing.doGenerateCalls.length, working.doGenerateCalls.length]).toEqual([1, 2]);
  });

  it('stops after three failed calls, however many models are left', async () => {
    const models = ['a', 'b', 'c'].map((id) => summarizer([httpError(503)], id));
    const error = await failure(summarizer([good]), {}, { models });
    expect(models.map(({ doGenerateCalls }) => doGenerateCalls.length)).toEqual([2, 1, 0]);
    expect(error.reason).toBe('transport');
  });

  it('gives up a call after the time limit and does not repeat it', async () => {
    const hanging = new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) });
    const working = summarizer([good]);
    const run = started(hanging, {}, { models: [hanging, working] });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(working.doGenerateCalls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(hanging.doGenerateCalls[0]?.abortSignal?.aborted).toBe(true);
    // The next request is counted, and its answer read, in slices.
    await vi.runAllTimersAsync();
    expect(run.value).toMatchObject({ content: { summary: 'Short.' } });
    const alone = await failure(hanging);
    expect([alone.reason, alone.retryable]).toEqual(['transport', true]);
    expect(hanging.doGenerateCalls).toHaveLength(2);
  });
});

/** Counts the listeners that are left on a signal. */
function spiedSignal(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const added = vi.spyOn(controller.signal, 'addEventListener');
  const removed = vi.spyOn(controller.signal, 'removeEventListener');
  return { controller, listeners: () => added.mock.calls.length - removed.mock.calls.length };
}

describe('abort', () => {
  const reason = new Error('the page was closed');

  it('rejects at once with the reason while a model that ignores the signal works', async () => {
    const model = new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) });
    const { controller, listeners } = spiedSignal();
    const run = started(model, { abortSignal: controller.signal });
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
    const run = started(model, { abortSignal: controller.signal });
    await vi.advanceTimersByTimeAsync(5000);
    expect(run.isSettled).toBe(false);
    controller.abort(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(run.error).toBe(reason);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('leaves no listener on the signal after success or failure', async () => {
    const { controller, listeners } = spiedSignal();
    const input = { abortSignal: controller.signal };
    started(summarizer([httpError(500), good]), input);
    started(summarizer([modelResult('nonsense')]), input);
    await vi.runAllTimersAsync();
    expect(listeners()).toBe(0);
  });

  it('takes an abort error that is not of our signal for a transport failure', async () => {
    const model = summarizer([new DOMException('SECRET', 'AbortError'), good]);
    const run = started(model, { messages: [...conversation, user('more')] });
    await vi.runAllTimersAsync();
    expect(run.error).toBeUndefined();
    expect(model.doGenerateCalls).toHaveLength(2);
  });
});

describe('breaker', () => {
  /** Milliseconds of the breaker's clock, which no timer moves. */
  let now = 0;

  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('opens after three failed calls in a row, for 60 s, and probes with one call', async () => {
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
    const strategy = llmStrategy();
    const summarize = (): Promise<unknown> => strategy.summarize(summaryInput(model));
    const reasons: string[] = [];
    for (let run = 0; run < 5; run += 1) reasons.push((await errorOf(summarize())).reason);
    expect(reasons.join()).toBe('transport,transport,transport,breaker-open,breaker-open');
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

  it('leaves a model that is away alone for a second, and each time twice as long, up to a minute', async () => {
    const model = summarizer([httpError(503)]);
    const strategy = llmStrategy();
    const reason = async () => (await errorOf(strategy.summarize(summaryInput(model)))).reason;
    for (let run = 0; run < 3; run += 1) await reason();
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      now += 1000 * seconds - 1;
      expect([seconds, await reason()]).toEqual([seconds, 'breaker-open']);
      now += 1;
      expect([seconds, await reason()]).toEqual([seconds, 'transport']);
    }
  });

  it('counts for each model alone, and asks the next one while one is left alone', async () => {
    const down = summarizer([httpError(401)], 'down');
    const working = summarizer([good], 'working');
    const strategy = llmStrategy({ models: [down, working] });
    for (let run = 0; run < 5; run += 1) await strategy.summarize(summaryInput(down));
    expect([down.doGenerateCalls.length, working.doGenerateCalls.length]).toEqual([3, 5]);
  });

  describe.each([
    ['answers what one namespace sends with nothing usable', 'I will not.'],
    ['refuses what one namespace sends', httpError(400)],
  ])('where the model %s', (_what, reply) => {
    // Once, what is refused is asked for as plain text, and then without a system message.
    const otherForms = typeof reply === 'string' ? 0 : 2;

    function unlucky() {
      let isUnlucky = false;
      const model = new MockLanguageModelV4({
        doGenerate: async () => {
          if (!isUnlucky) return modelResult(JSON.stringify(good));
          if (typeof reply !== 'string') throw reply;
          return modelResult(reply);
        },
      });
      const strategy = llmStrategy();
      const summarize = async (namespace: string, fails = false): Promise<unknown> => {
        isUnlucky = fails;
        const run = strategy.summarize(summaryInput(model, { namespace }));
        const written = run.then(() => 'written');
        return withTimers(written).catch((error: SummarizationError) => error.reason);
      };
      return { model, summarize };
    }

    it('leaves the others their model', async () => {
      const { model, summarize } = unlucky();
      for (let run = 0; run < 5; run += 1) await summarize('one', true);
      expect(model.doGenerateCalls).toHaveLength(3 + otherForms);
      expect(await summarize('one')).toBe('breaker-open');
      expect(await summarize('other')).toBe('written');
      now = 60_000;
      expect(await summarize('one')).toBe('written');
      expect(await summarize('one')).toBe('written');
    });

    it('leaves the model alone once that is so of three in a row', async () => {
      const { model, summarize } = unlucky();
      for (const namespace of '1234567') await summarize(namespace, true);
      expect(model.doGenerateCalls).toHaveLength(5 + otherForms);
      expect(await summarize('other')).toBe('breaker-open');
    });
  });

  it('does not count calls that were aborted', async () => {
    const model = new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) });
    const strategy = llmStrategy();
    for (let run = 1; run < 6; run += 1) {
      const controller = new AbortController();
      const { signal: abortSignal } = controller;
      const aborted = watch(strategy.summarize(summaryInput(model, { abortSignal })));
      await vi.advanceTimersByTimeAsync(0);
      controller.abort('stop');
      await vi.advanceTimersByTimeAsync(0);
      expect(aborted.error).toBe('stop');
      expect(model.doGenerateCalls).toHaveLength(run);
    }
  });

  describe('with calls that hang', () => {
    function hanging() {
      const calls: (() => void)[] = [];
      const model = new MockLanguageModelV4({
        doGenerate: () =>
          new Promise((resolve) => {
            calls.push(() => resolve(modelResult(JSON.stringify(good))));
          }),
      });
      const strategy = llmStrategy();
      const start = async (maxWaitMs?: number) => {
        const controller = new AbortController();
        const { signal: abortSignal } = controller;
        const run = watch(strategy.summarize(summaryInput(model, { abortSignal, maxWaitMs })));
        await vi.advanceTimersByTimeAsync(0);
        return { run, controller };
      };
      return { calls, start };
    }

    it.each([
      [undefined, 10_000],
      [0, 10_000],
      [2000, 2000],
    ])('opens when three are under way for maxWaitMs: %j', async (maxWaitMs, slowMs) => {
      const { calls, start } = hanging();
      for (let call = 0; call < 3; call += 1) await start(maxWaitMs);
      now = slowMs - 1;
      const { run: early, controller } = await start(maxWaitMs);
      expect([early.isSettled, calls.length]).toEqual([false, 4]);
      controller.abort('stop');
      now = slowMs;
      const { run: late } = await start(maxWaitMs);
      expect(late.error).toMatchObject({ reason: 'breaker-open' });
      // One of them was slow and no more.
      calls[0]?.();
      await vi.advanceTimersByTimeAsync(0);
      await start(maxWaitMs);
      expect(calls).toHaveLength(5);
      for (const answerIt of calls) answerIt();
      await vi.runAllTimersAsync();
    });

    it('counts those that were given up, once each', async () => {
      const { calls, start } = hanging();
      for (let call = 0; call < 3; call += 1) {
        const { controller } = await start();
        now += 10_000;
        controller.abort('stop');
        await vi.advanceTimersByTimeAsync(0);
      }
      const { run } = await start();
      expect(run.error).toMatchObject({ reason: 'breaker-open' });
      expect(calls).toHaveLength(3);
    });
  });
});
