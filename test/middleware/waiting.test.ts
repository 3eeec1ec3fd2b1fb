import { describe, expect, it, vi } from 'vitest';
import { type SummarizationOptions } from '../../src/index.ts';
import { chat, user, words } from '../support/messages.ts';
import { apiError } from '../support/models.ts';
import { lastPrompt } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { until } from '../support/until.ts';
import { elapse } from '../support/virtual-time.ts';
import {
  answered,
  fitting,
  hang,
  history,
  isAnswered,
  lastSummary,
  reasons,
  type Run,
  send,
  sendUntilAsked,
  slow,
  summarizerThat,
  take,
  tooSmall,
  untilSummarized,
  waitsFor,
  withStillClock,
} from '../support/waiting.ts';
import { throwing, rejecting } from '../support/throwing.ts';

withStillClock();

describe('a summarizer that is slower than the patience of the caller', () => {
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

  it.each([
    ['a prompt that fits', fitting],
    ['a prompt that does not fit', tooSmall],
  ])('is paid once, and its summary is found: %s', async (_name, options) => {
    const made = slow(options, take(900));
    const outcomes: Run['outcome'][] = [];
    for (const answerMs of [undefined, undefined, 100, 0, 0])
      outcomes.push(await sendBriefly(made, answerMs));
    expect(outcomes).toEqual(['failed', 'failed', 'answered', 'answered', 'answered']);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    expect(lastSummary(made)).toContain('rivers');
  });
});

describe('maxWaitMs', () => {
  it('ends the wait of a prompt that fits; the summary serves the next call', async () => {
    const made = slow(fitting, take(15_000));
    const run = await sendUntilAsked(made);
    await waitsFor(run, 10_000);
    expect(lastSummary(made)).toBeUndefined();
    expect(lastPrompt(made.inner)).toHaveLength(history.length);
    expect(reasons(made, 'skipped')).toEqual(['summary-pending']);
    await elapse(5000);
    await untilSummarized(made);
    expect(lastSummary(made)).toContain('rivers');
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
  });

  it('is an option, and 0 waits never', async () => {
    const made = slow({ ...fitting, maxWaitMs: 0 }, take(10));
    await answered(made);
    expect(lastSummary(made)).toBeUndefined();
    await until(() => made.summarizer.doGenerateCalls.length === 1);
    await elapse(10);
    await untilSummarized(made);
    expect(lastSummary(made)).toContain('rivers');
  });
});

describe('summaryTimeoutMs', () => {
  it.each([
    [undefined, 60_000],
    [5000, 5000],
  ])('of %j ends the wait of a prompt that does not fit: the rules write', async (given, ms) => {
    const made = slow({ ...tooSmall, summaryTimeoutMs: given }, hang);
    const run = await sendUntilAsked(made);
    await waitsFor(run, ms);
    expect(reasons(made, 'fallback')).toHaveLength(1);
    expect(made.events).toContainEqual(
      expect.objectContaining({ type: 'applied', degraded: true }),
    );
  });

  it('is as long as a fallback that hangs may hold a call but for ten seconds', async () => {
    const made = slow(
      { ...tooSmall, fallbackStrategy: { name: 'deaf', summarize: () => new Promise(() => {}) } },
      hang,
    );
    const run = await sendUntilAsked(made);
    await waitsFor(run, 70_000);
    expect(reasons(made, 'recovered')).toEqual(['too-long']);
  });
});

describe('background', () => {
  it.each([
    ['is waited for', take(900), 900, false],
    ['gives way to the fallback when it fails', async () => refuse(900), 900, true],
    ['gives way to the fallback when it hangs', hang, 60_000, true],
  ])(
    'prepares a summary that %s where a prompt does not fit',
    async (_name, reply, afterMs, degraded) => {
      const made = slow({ contextLength: 1050, background: true }, reply);
      await answered(made, chat(15));
      await until(() => made.summarizer.doGenerateCalls.length > 0);
      const timers = vi.getTimerCount();
      const run = send(made, { messages: chat(23) });
      await until(() => vi.getTimerCount() > timers);
      await waitsFor(run, afterMs);
      expect(made.summarizer.doGenerateCalls).toHaveLength(1);
      expect(made.events).toContainEqual(expect.objectContaining({ type: 'applied', degraded }));
      const sent = lastPrompt(made.inner);
      await answered(made, chat(23));
      expect(lastPrompt(made.inner)).toEqual(sent);
    },
  );

  it('never rejects what it gives to the function', async () => {
    let work: Promise<void> | undefined;
    const made = slow(
      { ...fitting, background: (promise) => (work = promise), fallbackStrategy: false },
      () => Promise.reject(new Error('down')),
    );
    await answered(made);
    await until(() => made.summarizer.doGenerateCalls.length > 0);
    await elapse(1000);
    expect(await work).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ['throws', throwing],
    ['rejects', rejecting],
  ])('whose function %s costs nothing but an event', async (_name, background) => {
    const made = slow({ ...fitting, background }, take(900));
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

it.each([
  ['as it stands where it fits', fitting],
  ['shortened where it does not', tooSmall],
])(
  'the abortSignal of the middleware ends a summary: the prompt is sent %s',
  async (_name, options) => {
    const controller = new AbortController();
    const { signal: abortSignal } = controller;
    const made = slow({ ...options, abortSignal }, hang);
    const run = await sendUntilAsked(made);
    controller.abort(new Error('shutting down'));
    await isAnswered(run);
    expect(made.summarizer.doGenerateCalls[0]?.abortSignal?.aborted).toBe(true);
    await answered(made);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    expect(made.events.filter(({ type }) => ['failed', 'end'].includes(type))).toEqual([]);
  },
);

describe('twenty minutes in which the summarizing model is out of order', () => {
  const refuses = (): Promise<void> => Promise.reject(apiError('not now', 401));
  const overloaded = (): Promise<void> => Promise.reject(apiError('not now', 503));
  const busy = (): Promise<void> => Promise.reject(apiError('busy', 429, { 'retry-after': '1' }));
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
    ['and is busy', busy, waits, 120],
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
      for (let minute = 0; minute < 20; minute += 1)
        for (let call = 0; call < 3; call += 1) {
          const asked = attempts.length;
          const before = made.inner.doGenerateCalls.length;
          const messages = [user(`${minute} ${call}`), ...history.slice(1), user(words(1, 12))];
          const run = send(made, { messages });
          await until(() => attempts.length > asked || run.outcome !== undefined);
          await elapse(5000);
          await until(() => run.outcome !== undefined);
          outcomes.push(run.outcome);
          expect(made.inner.doGenerateCalls).toHaveLength(before + 1);
          await elapse(15_000);
        }
      expect(new Set(outcomes)).toEqual(new Set(['answered']));
      expect(attempts.length).toBeGreaterThan(10);
      expect(attempts.length).toBeLessThanOrEqual(first + 20);
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
  throw apiError('not now', 401);
}
