import { APICallError } from '@ai-sdk/provider';
import { generateText } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { user, words } from '../support/messages.ts';
import { lastPrompt } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { elapse, stopClock } from '../support/still-clock.ts';
import { turns, until } from '../support/until.ts';
import {
  answered,
  fitting,
  hang,
  history,
  lastSummary,
  reasons,
  send,
  sendUntilAsked,
  summarizerThat,
  take,
  tooSmall,
  untilSummarized,
  type Run,
} from '../support/waiting.ts';

beforeEach(async () => {
  // Loads what loads on demand, which no fake clock waits for.
  await generateText({ model: setUp(tooSmall).model, messages: [...history] });
  stopClock();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a summariser that is slower than the patience of the caller', () => {
  /** Sends a request that is given up after 400 ms; `answerMs` when it is answered before. */
  async function sendBriefly(made: SetUp, answerMs?: number): Promise<Run['outcome']> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Error('too slow')), 400);
    const timers = vi.getTimerCount();
    const run = send(made, { abortSignal: controller.signal });
    await until(() => made.summarizer.doGenerateCalls.length > 0);
    // Who waits has a timer.
    if (answerMs !== 0) await until(() => vi.getTimerCount() > timers);
    await elapse(answerMs ?? 400);
    await until(() => run.outcome !== undefined);
    clearTimeout(timer);
    return run.outcome;
  }

  async function sendEight(
    made: SetUp,
    answerMs: readonly (number | undefined)[],
  ): Promise<readonly Run['outcome'][]> {
    const outcomes: Run['outcome'][] = [];
    for (let request = 0; request < 8; request += 1)
      // oxlint-disable-next-line no-await-in-loop -- one after another is the point
      outcomes.push(await sendBriefly(made, request < answerMs.length ? answerMs[request] : 0));
    return outcomes;
  }

  it.each([
    ['a prompt that fits', fitting],
    ['a prompt that does not fit', tooSmall],
  ])('is paid once, and its summary is found: %s', async (_name, options) => {
    const made = setUp(options, { summarizer: summarizerThat(take(900)) });
    const [first, second, ...others] = await sendEight(made, [undefined, undefined, 100]);
    expect([first, second]).toEqual(['failed', 'failed']);
    expect(others).toEqual(Array(6).fill('answered'));
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    expect(lastSummary(made)).toContain('rivers');
  });

  it('is found by a middleware that is made anew for each request', async () => {
    const store = memoryStore();
    const summarizer = summarizerThat(take(900));
    const make = (): SetUp => setUp({ ...fitting, store }, { summarizer });
    expect(await sendBriefly(make())).toBe('failed');
    const made = make();
    await elapse(500);
    await untilSummarized(made);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
  });

  it('and hangs keeps no prompt that fits from being answered', async () => {
    const made = setUp(fitting, { summarizer: summarizerThat(hang) });
    const outcomes = await sendEight(made, [undefined, undefined, undefined]);
    expect(outcomes).toEqual([...Array(3).fill('failed'), ...Array(5).fill('answered')]);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    expect(lastSummary(made)).toBeUndefined();
  });

  it('and hangs gives way to the rules, once three have left, where a prompt does not fit', async () => {
    const made = setUp(tooSmall, { summarizer: summarizerThat(hang) });
    const outcomes = await sendEight(made, [undefined, undefined, undefined]);
    expect(outcomes).toEqual([...Array(3).fill('failed'), ...Array(5).fill('answered')]);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    expect(reasons(made, 'fallback')).toEqual(['timeout']);
    expect(lastSummary(made)).toBeDefined();
  });
});

describe('maxWaitMs', () => {
  it('ends the wait of a prompt that fits; the summary serves the next call', async () => {
    const made = setUp(fitting, { summarizer: summarizerThat(take(15_000)) });
    const run = await sendUntilAsked(made);
    await elapse(9999);
    expect(run.outcome).toBeUndefined();
    await elapse(1);
    await until(() => run.outcome !== undefined);
    expect(run.outcome).toBe('answered');
    expect(lastSummary(made)).toBeUndefined();
    expect(lastPrompt(made.inner)).toHaveLength(history.length);
    expect(reasons(made, 'skipped')).toEqual(['summary-pending']);
    await elapse(5000);
    await untilSummarized(made);
    expect(lastSummary(made)).toContain('rivers');
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
  });

  it('is counted from the start of the summary, not anew for each call', async () => {
    const made = setUp(fitting, { summarizer: summarizerThat(hang) });
    const first = await sendUntilAsked(made);
    await elapse(6000);
    const second = send(made);
    await turns(100);
    await elapse(4000);
    await until(() => first.outcome !== undefined && second.outcome !== undefined);
    await answered(made);
    expect(made.inner.doGenerateCalls).toHaveLength(3);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
  });

  it('is an option, and 0 waits never', async () => {
    const made = setUp({ ...fitting, maxWaitMs: 0 }, { summarizer: summarizerThat(take(10)) });
    await answered(made);
    expect(lastSummary(made)).toBeUndefined();
    await until(() => made.summarizer.doGenerateCalls.length === 1);
    await elapse(10);
    await untilSummarized(made);
    expect(lastSummary(made)).toContain('rivers');
  });

  it('does not hold a call back for a retry that comes later', async () => {
    const busy = (): Promise<void> => Promise.reject(tooManyRequests(12));
    const made = setUp(fitting, { summarizer: summarizerThat(busy, take(0)) });
    const run = send(made);
    await until(() => run.outcome !== undefined);
    expect(run.outcome).toBe('answered');
    expect(lastSummary(made)).toBeUndefined();
    await elapse(12_000);
    await elapse(1);
    await untilSummarized(made);
    expect(lastSummary(made)).toContain('rivers');
  });
});

describe('summaryTimeoutMs', () => {
  it.each([
    [undefined, 60_000],
    [5000, 5000],
  ])('of %j ends the wait of a prompt that does not fit: the rules write', async (given, ms) => {
    const made = setUp(
      { ...tooSmall, summaryTimeoutMs: given },
      { summarizer: summarizerThat(hang) },
    );
    const run = await sendUntilAsked(made);
    await elapse(ms - 1);
    expect(run.outcome).toBeUndefined();
    await elapse(1);
    await until(() => run.outcome !== undefined);
    expect(run.outcome).toBe('answered');
    expect(reasons(made, 'fallback')).toHaveLength(1);
    expect(made.events).toContainEqual(
      expect.objectContaining({ type: 'applied', degraded: true }),
    );
  });

  it('is shared by all the models of a summary', async () => {
    const second = summarizerThat(hang);
    const made = setUp(
      { ...tooSmall, strategy: 'llm', summarizerModelPreference: [summarizerThat(hang), second] },
      { summarizer: second },
    );
    const run = send(made);
    await turns(200);
    await elapse(60_000);
    await until(() => run.outcome !== undefined);
    expect(run.outcome).toBe('answered');
    expect(second.doGenerateCalls).toHaveLength(0);
  });

  it('is as long as a fallback that hangs may hold a call but for ten seconds', async () => {
    const made = setUp(
      { ...tooSmall, fallbackStrategy: { name: 'deaf', summarize: () => new Promise(() => {}) } },
      { summarizer: summarizerThat(hang) },
    );
    const run = await sendUntilAsked(made);
    await elapse(69_999);
    expect(run.outcome).toBeUndefined();
    await elapse(1);
    await until(() => run.outcome !== undefined);
    expect(run.outcome).toBe('answered');
    expect(reasons(made, 'recovered')).toEqual(['too-long']);
  });

  it('is not slept through for a retry that comes after it', async () => {
    const busy = (): Promise<void> => Promise.reject(tooManyRequests(900));
    const made = setUp(tooSmall, { summarizer: summarizerThat(busy) });
    await answered(made);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    expect(made.events).toContainEqual(
      expect.objectContaining({ type: 'applied', degraded: true }),
    );
  });
});

describe('a summarising model that hangs', () => {
  it('collects three conversations, not all of them', async () => {
    const made = setUp(tooSmall, { summarizer: summarizerThat(hang) });
    const openings = ['one', 'two', 'three', 'four', 'five'].map((name) => [
      user(name),
      ...history.slice(1),
      user(words(1, 30)),
    ]);
    const held: Run[] = [];
    for (const messages of openings.slice(0, 3))
      // oxlint-disable-next-line no-await-in-loop -- one after another is the point
      held.push(await sendUntilAsked(made, held.length + 1, { messages }));
    await elapse(10_000);
    for (const messages of openings.slice(3)) {
      const run = send(made, { messages });
      // oxlint-disable-next-line no-await-in-loop -- one after another is the point
      await until(() => run.outcome !== undefined);
      expect(run.outcome).toBe('answered');
    }
    expect(held.map(({ outcome }) => outcome)).toEqual([undefined, undefined, undefined]);
    expect(made.summarizer.doGenerateCalls).toHaveLength(3);
    expect(reasons(made, 'fallback')).toEqual(['breaker-open', 'breaker-open']);
  });
});

function tooManyRequests(seconds: number): APICallError {
  return new APICallError({
    message: 'busy',
    url: 'https://api.example.com',
    requestBodyValues: {},
    statusCode: 429,
    responseHeaders: { 'retry-after': String(seconds) },
    isRetryable: true,
  });
}
