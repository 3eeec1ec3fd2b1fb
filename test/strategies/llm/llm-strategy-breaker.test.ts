import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SummarizationError, llmStrategy } from '../../../src/index.ts';
import { answer, httpError, modelResult, summarizer, summaryInput } from './fixtures.ts';
import { errorOf, watch, withTimers } from './watch.ts';

const good = answer({ summary: 'Short.' });
/** Milliseconds of the breaker's clock, which no timer moves. */
let now = 0;

beforeEach(async () => {
  // Loads what loads on demand, which no fake clock waits for.
  await llmStrategy().summarize(summaryInput(summarizer([answer({ summary: 'Short.' })])));
  vi.useFakeTimers();
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  const timersLeft = vi.getTimerCount();
  vi.restoreAllMocks();
  vi.useRealTimers();
  if (timersLeft > 0) throw new Error('a timer is left');
});

describe('breaker', () => {
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
      for (let run = 0; run < 5; run += 1) {
        // oxlint-disable-next-line no-await-in-loop -- in a row is the point
        await summarize('one', true);
      }
      expect(model.doGenerateCalls).toHaveLength(3 + otherForms);
      expect(await summarize('one')).toBe('breaker-open');
      expect(await summarize('other')).toBe('written');
      now = 60_000;
      expect(await summarize('one')).toBe('written');
      expect(await summarize('one')).toBe('written');
    });

    it('leaves the model alone once that is so of three in a row', async () => {
      const { model, summarize } = unlucky();
      for (const namespace of ['1', '2', '3', '4', '5', '6', '7']) {
        // oxlint-disable-next-line no-await-in-loop -- in a row is the point
        await summarize(namespace, true);
      }
      expect(model.doGenerateCalls).toHaveLength(5 + otherForms);
      expect(await summarize('other')).toBe('breaker-open');
    });
  });

  it('does not count aborts, and frees the probe of an aborted call', async () => {
    let isHanging = false;
    const model = new MockLanguageModelV4({
      doGenerate: () => (isHanging ? new Promise(() => {}) : Promise.reject(httpError(401))),
    });
    const strategy = llmStrategy();
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
      for (let call = 0; call < 3; call += 1)
        // oxlint-disable-next-line no-await-in-loop -- in a row is the point
        await start(maxWaitMs);
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
        // oxlint-disable-next-line no-await-in-loop -- in a row is the point
        const { controller } = await start();
        now += 10_000;
        controller.abort('stop');
        // oxlint-disable-next-line no-await-in-loop -- in a row is the point
        await vi.advanceTimersByTimeAsync(0);
      }
      const { run } = await start();
      expect(run.error).toMatchObject({ reason: 'breaker-open' });
      expect(calls).toHaveLength(3);
    });

    it('counts none while the model answers others', async () => {
      const { calls, start } = hanging();
      for (let call = 0; call < 4; call += 1)
        // oxlint-disable-next-line no-await-in-loop -- in a row is the point
        await start();
      now = 9999;
      calls[0]?.();
      await vi.advanceTimersByTimeAsync(0);
      now = 19_998;
      const { run } = await start();
      expect([run.isSettled, calls.length]).toEqual([false, 5]);
      for (const answerIt of calls) answerIt();
      await vi.runAllTimersAsync();
    });
  });
});
