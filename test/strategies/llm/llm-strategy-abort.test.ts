import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { llmStrategy } from '../../../src/index.ts';
import {
  answer,
  conversation,
  httpError,
  modelResult,
  summarizer,
  summaryInput,
  user,
} from './fixtures.ts';
import { watch } from './watch.ts';

const good = answer({ summary: 'Short.' });

/** Counts the listeners that are left on a signal. */
function spiedSignal(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const added = vi.spyOn(controller.signal, 'addEventListener');
  const removed = vi.spyOn(controller.signal, 'removeEventListener');
  return { controller, listeners: () => added.mock.calls.length - removed.mock.calls.length };
}

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
