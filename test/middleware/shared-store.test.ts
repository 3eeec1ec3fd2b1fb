import { generateText } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SummarizationOptions, SummaryStore } from '../../src/index.ts';
import { storeOver, type SharedMap } from '../stores/shared-map.ts';
import { chat, user, words } from '../support/messages.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { elapse, stopClock } from '../support/still-clock.ts';
import { turns, until } from '../support/until.ts';
import {
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

/** A process of its own: a store object has one flight for each summary. */
function processWith(
  store: SummaryStore,
  options: SummarizationOptions,
  reply: () => Promise<void> = take(0),
): SetUp {
  return setUp({ ...options, store }, { summarizer: summarizerThat(reply) });
}

function bills(...processes: readonly SetUp[]): number {
  return processes.reduce((sum, { summarizer }) => sum + summarizer.doGenerateCalls.length, 0);
}

/** Lets the clock go on until something holds; no longer than so many milliseconds. */
async function elapseUntil(holds: () => boolean, ms: number): Promise<void> {
  for (let passed = 0; !holds() && passed < ms; passed += 250) {
    // oxlint-disable-next-line no-await-in-loop -- one after another is the point
    await elapse(250);
    // What waits for no time is not to be late.
    // oxlint-disable-next-line no-await-in-loop -- one after another is the point
    await turns(200);
  }
}

const isAnswered = (run: Run) => (): boolean => run.outcome !== undefined;

describe('two processes that need the same summary', () => {
  it.each([
    ['at once', 1000],
    ['for longer than a lease lasts', 35_000],
  ])('pay for one, and send the same bytes: %s', async (_name, ms) => {
    const entries: SharedMap = new Map();
    const first = processWith(storeOver(entries), tooSmall, take(ms));
    const second = processWith(storeOver(entries), tooSmall);
    const one = await sendUntilAsked(first);
    const other = send(second);
    await elapseUntil(() => isAnswered(one)() && isAnswered(other)(), ms + 20_000);
    expect([one.outcome, other.outcome]).toEqual(['answered', 'answered']);
    expect(bills(first, second)).toBe(1);
    expect(lastSummary(second)).toBe(lastSummary(first));
    expect(lastSummary(second)).toContain('rivers');
  });

  it('hold up no prompt that fits for longer than maxWaitMs', async () => {
    const entries: SharedMap = new Map();
    const first = processWith(storeOver(entries), fitting, take(30_000));
    const second = processWith(storeOver(entries), { ...fitting, maxWaitMs: 2000 });
    await sendUntilAsked(first);
    const sentAt = performance.now();
    const other = send(second);
    await elapseUntil(isAnswered(other), 20_000);
    expect(other.outcome).toBe('answered');
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(2000);
    expect(reasons(second, 'skipped')).toEqual(['summary-pending']);
    // In steps: what renews a lease takes real time.
    await elapseUntil(() => first.events.some(({ type }) => type === 'end'), 40_000);
    await untilSummarized(second);
    expect(bills(first, second)).toBe(1);
  });

  it.each([
    ['the same messages', history],
    ['more messages', [...history, ...chat(19).slice(17)]],
  ])('pay once for %s where a clock is hours ahead', async (_what, messages) => {
    const entries: SharedMap = new Map();
    // The server has a clock of its own.
    const { compareAndSet } = storeOver(entries);
    const open = (): SummaryStore =>
      storeOver(entries, {
        compareAndSet: async (key, entry) => compareAndSet(key, { ...entry, ttlMs: undefined }),
      });
    const options = { contextLength: 1000, triggerTokenRatio: 0.5, resetTokenRatio: 0.4 };
    const first = processWith(open(), options, hang);
    const second = processWith(open(), { ...options, maxWaitMs: 2000 });
    await sendUntilAsked(first);
    vi.setSystemTime(Date.now() + 3 * 60 * 60_000);
    const other = send(second, { messages });
    await elapseUntil(isAnswered(other), 20_000);
    expect(other.outcome).toBe('answered');
    expect(bills(second)).toBe(0);
    expect(reasons(second, 'skipped')).toEqual(['summary-pending']);
  });

  it('pay twice when the one that writes is killed, and nobody fails', async () => {
    const entries: SharedMap = new Map();
    let isAlive = true;
    const alive = storeOver(entries);
    const onlyAlive = <T>(operation: () => Promise<T>): Promise<T> =>
      isAlive ? operation() : new Promise(() => {});
    const first = processWith(
      storeOver(entries, {
        get: (key) => onlyAlive(() => Promise.resolve(alive.get(key))),
        compareAndSet: (key, entry) => onlyAlive(() => alive.compareAndSet(key, entry)),
        delete: (key) => onlyAlive(() => alive.delete(key)),
      }),
      tooSmall,
      hang,
    );
    const second = processWith(storeOver(entries), tooSmall);
    await sendUntilAsked(first);
    isAlive = false;
    const other = send(second);
    await turns(200);
    expect(second.summarizer.doGenerateCalls).toHaveLength(0);
    await elapseUntil(isAnswered(other), 60_000);
    expect(other.outcome).toBe('answered');
    expect(lastSummary(second)).toContain('rivers');
    expect(bills(first, second)).toBe(2);
  });

  it('end their wait for each other with the abortSignal of the middleware', async () => {
    const entries: SharedMap = new Map();
    const controller = new AbortController();
    const { signal: abortSignal } = controller;
    const first = processWith(storeOver(entries), tooSmall, hang);
    const second = processWith(storeOver(entries), { ...tooSmall, abortSignal });
    await sendUntilAsked(first);
    const other = send(second);
    await until(() => second.events.some(({ type }) => type === 'check'));
    await turns(50);
    controller.abort(new Error('shutting down'));
    await until(isAnswered(other));
    expect(other.outcome).toBe('answered');
    expect(bills(second)).toBe(0);
    expect(reasons(second, 'failed')).toEqual([]);
  });

  it('wait for one that never ends no longer than summaryTimeoutMs', async () => {
    const entries: SharedMap = new Map();
    const first = processWith(storeOver(entries), tooSmall, hang);
    await sendUntilAsked(first);
    const made = processWith(storeOver(entries), { ...tooSmall, summaryTimeoutMs: 5000 });
    const run = send(made);
    await elapseUntil(isAnswered(run), 30_000);
    expect(run.outcome).toBe('answered');
    expect(lastSummary(made)).toBeDefined();
  });

  it.each<[string, Partial<SummaryStore>]>([
    [
      'throws',
      {
        get: () => Promise.reject(new Error('down')),
        compareAndSet: () => Promise.reject(new Error('down')),
      },
    ],
    ['hangs', { get: () => new Promise(() => {}), compareAndSet: () => new Promise(() => {}) }],
    ['says that everybody has the lease', { compareAndSet: () => Promise.resolve(true) }],
    ['writes nothing', { compareAndSet: () => Promise.resolve(false) }],
  ])('are both answered by a store that %s', async (_name, fault) => {
    const entries: SharedMap = new Map();
    const first = processWith(storeOver(entries, fault), tooSmall);
    const second = processWith(storeOver(entries, fault), tooSmall);
    const runs = [send(first), send(second)];
    await elapseUntil(() => runs.every((run) => isAnswered(run)()), 60_000);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
    expect(bills(first, second)).toBe(2);
    expect(lastSummary(second)).toContain('rivers');
  });
});

describe('maxSummaryCallsPerHour', () => {
  const conversation = (name: string): typeof history => [
    user(name),
    ...history.slice(1),
    user(words(1, 30)),
  ];

  async function sendEach(made: SetUp, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const run = send(made, { messages: conversation(name) });
      // oxlint-disable-next-line no-await-in-loop -- one after another is the point
      await until(isAnswered(run));
      expect(run.outcome).toBe('answered');
    }
  }

  it('lets the rules write what is beyond it, whichever process asks', async () => {
    const entries: SharedMap = new Map();
    const options = { ...tooSmall, maxSummaryCallsPerHour: 3 };
    const first = processWith(storeOver(entries), options, async () => {});
    const second = processWith(storeOver(entries), options, async () => {});
    await sendEach(first, ['a', 'b']);
    await sendEach(second, ['c', 'd', 'e']);
    expect([bills(first), bills(second)]).toEqual([2, 1]);
    expect(reasons(second, 'fallback')).toEqual(['hourly-limit', 'hourly-limit']);
    expect(lastSummary(second)).toBeDefined();
  });

  it('is counted for each namespace, and costs the rules nothing', async () => {
    const entries: SharedMap = new Map();
    const options = { ...tooSmall, maxSummaryCallsPerHour: 1 };
    const store = storeOver(entries);
    const rules = processWith(store, { ...options, strategy: 'rule-based' });
    await sendEach(rules, ['a', 'b']);
    const tenants = ['one', 'two'].map((namespace) =>
      processWith(store, { ...options, namespace }, async () => {}),
    );
    // oxlint-disable-next-line no-await-in-loop -- one after another is the point
    for (const tenant of tenants) await sendEach(tenant, ['c', 'd']);
    expect(tenants.map((tenant) => bills(tenant))).toEqual([1, 1]);
    expect(reasons(rules, 'fallback')).toEqual([]);
  });
});
