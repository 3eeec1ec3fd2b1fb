import { APICallError } from '@ai-sdk/provider';
import { generateText } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStore, type SummarizationOptions } from '../../src/index.ts';
import { MockLanguageModelV4 } from 'ai/test';
import { assistant, chat, user, words } from '../support/messages.ts';
import { textResult } from '../support/models.ts';
import { lastPrompt } from '../support/prompts.ts';
import { quiet } from '../support/quiet.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { elapse, stopClock } from '../support/still-clock.ts';
import { until } from '../support/until.ts';
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
    const timers = vi.getTimerCount();
    const made = make();
    const run = send(made);
    await until(() => vi.getTimerCount() > timers);
    await quiet();
    await elapse(500);
    await until(() => run.outcome !== undefined);
    expect(lastSummary(made)).toContain('rivers');
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
    await quiet();
    await elapse(4000);
    await until(() => first.outcome !== undefined && second.outcome !== undefined);
    await answered(made);
    expect(made.inner.doGenerateCalls).toHaveLength(3);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
  });

  it('is counted from the start where the conversation goes on meanwhile, too', async () => {
    const made = setUp(fitting, { summarizer: summarizerThat(take(15_000)) });
    const first = await sendUntilAsked(made);
    await elapse(10_000);
    await until(() => first.outcome !== undefined);
    const grown = [...history, assistant('Yes.'), user('And then?')];
    const second = send(made, { messages: grown });
    await until(() => second.outcome !== undefined);
    expect(lastPrompt(made.inner)).toHaveLength(grown.length);
    await elapse(5000);
    do await answered(made, grown);
    while (lastSummary(made) === undefined);
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

  it('of 0 pays once for calls that come one right after another', async () => {
    const made = setUp(
      { contextLength: 1200, triggerTokenRatio: 0.7, maxWaitMs: 0 },
      { summarizer: summarizerThat(take(900)) },
    );
    // oxlint-disable-next-line no-await-in-loop -- one after another is the point
    for (const count of [17, 19, 21]) await answered(made, chat(count));
    await until(() => made.summarizer.doGenerateCalls.length > 0);
    await elapse(900);
    do await answered(made, chat(21));
    while (lastSummary(made) === undefined);
    expect(reasons(made, 'start')).toEqual(['token-ratio']);
  });

  /** A model that reports a fifth less than a count says. */
  const reporting = (): MockLanguageModelV4 =>
    new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'gpt-test',
      doGenerate: async ({ prompt }) => {
        const { usage, ...result } = textResult('Yes.');
        const inputTokens = { ...usage.inputTokens, total: prompt.length * 44 };
        return { ...result, usage: { ...usage, inputTokens } };
      },
    });

  it('sends a prompt as it stands that fits by the usage of the call before', async () => {
    const inner = reporting();
    const summarizer = summarizerThat(hang);
    const made = setUp({ contextLength: 870, maxWaitMs: 0 }, { inner, summarizer });
    // oxlint-disable-next-line no-await-in-loop -- one after another is the point
    for (const count of [13, 15, 17]) await answered(made, chat(count));
    expect(reasons(made, 'skipped')).toEqual(['summary-pending', 'summary-pending']);
    expect(reasons(made, 'recovered')).toEqual([]);
    expect(lastPrompt(inner)).toHaveLength(17);
  });

  it.each([
    [98, 780],
    [98.5, 776],
    [99.5, 768],
  ])('ends no wait of one that would be shortened, at %f percent', async (_, contextLength) => {
    const inner = reporting();
    const summarizer = summarizerThat(take(900));
    const made = setUp({ contextLength, maxWaitMs: 0 }, { inner, summarizer });
    // oxlint-disable-next-line no-await-in-loop -- one after another is the point
    for (const count of [13, 15]) await answered(made, chat(count));
    const run = send(made, { messages: chat(17) });
    await quiet();
    expect(run.outcome).toBeUndefined();
    await elapse(900);
    await until(() => run.outcome !== undefined);
    expect(reasons(made, 'recovered')).toEqual([]);
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
    const [first, second] = [summarizerThat(hang), summarizerThat(hang)];
    const summarizerModelPreference = [first, second];
    const made = setUp({ ...tooSmall, summarizerModelPreference }, { summarizer: first });
    const run = await sendUntilAsked(made);
    await elapse(60_000);
    await until(() => run.outcome !== undefined);
    expect(run.outcome).toBe('answered');
    expect(reasons(made, 'fallback')).toHaveLength(1);
    expect(lastSummary(made)).toBeDefined();
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

describe('background', () => {
  it.each([
    ['a prompt that fits does not wait', fitting, undefined],
    ['one that does not fit does', tooSmall, 'rivers'],
  ])('%s', async (_name, options, summary) => {
    const made = setUp({ ...options, background: true }, { summarizer: summarizerThat(take(900)) });
    const run = await sendUntilAsked(made);
    if (summary !== undefined) await elapse(900);
    await until(() => run.outcome !== undefined);
    expect(lastSummary(made)?.includes('rivers')).toBe(summary === undefined ? undefined : true);
    await elapse(900);
    await untilSummarized(made);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
  });

  it.each([
    ['is waited for', take(900), 900, false],
    ['gives way to the fallback when it fails', async () => refuse(900), 900, true],
    ['gives way to the fallback when it hangs', hang, 60_000, true],
  ])(
    'prepares a summary that %s where a prompt does not fit',
    async (_name, reply, afterMs, degraded) => {
      const made = setUp(
        { contextLength: 1050, background: true },
        { summarizer: summarizerThat(reply) },
      );
      await answered(made, chat(15));
      await until(() => made.summarizer.doGenerateCalls.length > 0);
      const timers = vi.getTimerCount();
      const run = send(made, { messages: chat(23) });
      await until(() => vi.getTimerCount() > timers);
      await elapse(afterMs - 1);
      expect(run.outcome).toBeUndefined();
      await elapse(1);
      await until(() => run.outcome !== undefined);
      expect(run.outcome).toBe('answered');
      expect(made.summarizer.doGenerateCalls).toHaveLength(1);
      expect(made.events).toContainEqual(expect.objectContaining({ type: 'applied', degraded }));
      const sent = lastPrompt(made.inner);
      await answered(made, chat(23));
      expect(lastPrompt(made.inner)).toEqual(sent);
    },
  );

  it('gives what is to be kept alive to a function, before the model is asked', async () => {
    const works: { readonly asked: number; isOver: boolean }[] = [];
    const background = (promise: Promise<void>): void => {
      const work = { asked: made.inner.doGenerateCalls.length, isOver: false };
      works.push(work);
      void promise.then(() => (work.isOver = true));
    };
    const made = setUp({ ...fitting, background }, { summarizer: summarizerThat(take(900)) });
    await answered(made);
    expect(works).toEqual([{ asked: 0, isOver: false }]);
    await until(() => made.summarizer.doGenerateCalls.length > 0);
    await elapse(900);
    await until(() => works[0]?.isOver === true);
    await answered(made);
    expect(lastSummary(made)).toContain('rivers');
    expect(works).toHaveLength(1);
  });

  it('gives it also where the request is given up', async () => {
    const controller = new AbortController();
    const works: Promise<void>[] = [];
    const made = setUp(
      { ...tooSmall, background: (work) => works.push(work) },
      { summarizer: summarizerThat(take(900)) },
    );
    const run = await sendUntilAsked(made, 1, { abortSignal: controller.signal });
    expect(works).toHaveLength(1);
    controller.abort(new Error('The user left.'));
    await until(() => run.outcome === 'failed');
    await elapse(900);
    await works[0];
    await answered(made);
    expect(lastSummary(made)).toContain('rivers');
  });

  it('never rejects what it gives to the function', async () => {
    let work: Promise<void> | undefined;
    const made = setUp(
      { ...fitting, background: (promise) => (work = promise), fallbackStrategy: false },
      { summarizer: summarizerThat(() => Promise.reject(new Error('down'))) },
    );
    await answered(made);
    await until(() => made.summarizer.doGenerateCalls.length > 0);
    await elapse(1000);
    expect(await work).toBeUndefined();
  });

  it.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('outside of a request');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('outside of a request'))],
  ])('whose function %s costs nothing but an event', async (_name, background) => {
    const made = setUp({ ...fitting, background }, { summarizer: summarizerThat(take(900)) });
    await answered(made);
    await until(() => made.summarizer.doGenerateCalls.length > 0);
    expect(made.events).toContainEqual(
      expect.objectContaining({ type: 'failed', stage: 'background' }),
    );
    await elapse(900);
    await untilSummarized(made);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
  });
});

describe('the abortSignal of the middleware', () => {
  it.each([
    ['as it stands where it fits', fitting],
    ['shortened where it does not', tooSmall],
  ])('ends a summary: the prompt is sent %s', async (_name, options) => {
    const controller = new AbortController();
    const { signal: abortSignal } = controller;
    const made = setUp({ ...options, abortSignal }, { summarizer: summarizerThat(hang) });
    const run = await sendUntilAsked(made);
    controller.abort(new Error('shutting down'));
    await until(() => run.outcome !== undefined);
    expect(run.outcome).toBe('answered');
    expect(made.summarizer.doGenerateCalls[0]?.abortSignal?.aborted).toBe(true);
    await answered(made);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    expect(made.events.filter(({ type }) => ['failed', 'end'].includes(type))).toEqual([]);
  });

  it('ends what no call waits for any more', async () => {
    const controller = new AbortController();
    const { signal: abortSignal } = controller;
    const made = setUp(
      { ...fitting, abortSignal, background: true },
      { summarizer: summarizerThat(hang) },
    );
    await answered(made);
    await until(() => made.summarizer.doGenerateCalls.length > 0);
    controller.abort(new Error('shutting down'));
    expect(made.summarizer.doGenerateCalls[0]?.abortSignal?.aborted).toBe(true);
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

describe('an hour in which the summarising model is out of order', () => {
  const refuses = (): Promise<void> => Promise.reject(refusal(401));
  const overloaded = (): Promise<void> => Promise.reject(refusal(503));
  const busy = (): Promise<void> => Promise.reject(tooManyRequests(1));
  const waits: SummarizationOptions = { ...fitting, maxWaitMs: 5000 };
  /** The prompts are below the trigger. */
  const prepares: SummarizationOptions = { contextLength: 1180, background: true };

  it.each([
    ['and hangs', hang, waits, 3],
    ['and refuses', refuses, waits, 3],
    ['and hangs, in the background', hang, prepares, 3],
    ['and refuses, in the background', refuses, prepares, 3],
    // What may pass in a moment is looked after sooner: a second later, then two, four, and so on to a minute.
    ['and is overloaded', overloaded, waits, 12],
    ['and is overloaded, in the background', overloaded, prepares, 12],
    // Who says when to come back is asked then, and once more.
    ['and is busy', busy, waits, 360],
  ])(
    '%s costs some attempts and one a minute, and no call its answer',
    async (_name, reply, given, first) => {
      const attempts: number[] = [];
      const summarizer = summarizerThat(async () => {
        attempts.push(performance.now());
        await reply();
      });
      const made = setUp(given, { summarizer });
      const outcomes: Run['outcome'][] = [];
      for (let minute = 0; minute < 60; minute += 1)
        for (let call = 0; call < 3; call += 1) {
          const asked = attempts.length;
          const before = made.inner.doGenerateCalls.length;
          const messages = [user(`${minute} ${call}`), ...history.slice(1), user(words(1, 12))];
          const run = send(made, { messages });
          // oxlint-disable-next-line no-await-in-loop -- one after another is the point
          await until(() => attempts.length > asked || run.outcome !== undefined);
          // oxlint-disable-next-line no-await-in-loop -- one after another is the point
          await elapse(5000);
          // oxlint-disable-next-line no-await-in-loop -- one after another is the point
          await until(() => run.outcome !== undefined);
          outcomes.push(run.outcome);
          expect(made.inner.doGenerateCalls).toHaveLength(before + 1);
          // oxlint-disable-next-line no-await-in-loop -- one after another is the point
          await elapse(15_000);
        }
      expect(new Set(outcomes)).toEqual(new Set(['answered']));
      expect(attempts.length).toBeGreaterThan(10);
      expect(attempts.length).toBeLessThanOrEqual(first + 60);
      const gaps = attempts
        .slice(first)
        .map((at, index) => at - (attempts[index + first - 1] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000);
    },
  );
});

/** Takes some time to say that there will be no summary. */
async function refuse(ms: number): Promise<void> {
  await take(ms)();
  throw refusal(401);
}

function refusal(statusCode: number): APICallError {
  return new APICallError({
    message: 'not now',
    url: 'https://api.example.com',
    requestBodyValues: {},
    statusCode,
  });
}

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

it('a summary to order waits for another one no longer than a summary may take', async () => {
  const made = setUp(tooSmall, { summarizer: summarizerThat(hang) });
  const leaving = new AbortController();
  const run = await sendUntilAsked(made, 1, { abortSignal: leaving.signal });
  leaving.abort(new Error('The user closed the tab.'));
  await until(() => run.outcome === 'failed');
  const toOrder = { summarization: { force: true, instructions: 'Look to the rivers.' } };
  let isAnswered = false;
  void generateText({
    model: made.model,
    messages: [...history],
    providerOptions: toOrder,
  }).then(() => (isAnswered = true));
  await quiet();
  await elapse(60_000);
  await until(() => isAnswered);
  expect(reasons(made, 'waiting')).not.toEqual([]);
  expect(made.inner.doGenerateCalls).toHaveLength(1);
});
