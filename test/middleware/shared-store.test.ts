import { describe, expect, it, vi } from 'vitest';
import type { SummarizationOptions, SummaryStore } from '../../src/index.ts';
import { chat, user, words } from '../support/messages.ts';
import type { SetUp } from '../support/set-up.ts';
import { dyingAfter, sharedStore } from '../support/shared-store.ts';
import { turns, until } from '../support/until.ts';
import { elapse } from '../support/virtual-time.ts';
import {
  hang,
  history,
  lastSummary,
  reasons,
  type Run,
  send,
  sendUntilAsked,
  slow,
  take,
  tooSmall,
  withStillClock,
} from '../support/waiting.ts';

withStillClock();

/** A process of its own: a store object has one flight for each summary. */
function processWith(
  store: SummaryStore,
  options: SummarizationOptions,
  reply: () => Promise<void> = take(0),
): SetUp {
  return slow({ ...options, store }, reply);
}

function bills(...processes: readonly SetUp[]): number {
  return processes.reduce((sum, { summarizer }) => sum + summarizer.doGenerateCalls.length, 0);
}

/** Lets the clock go on until something holds; no longer than so many milliseconds. */
async function elapseUntil(holds: () => boolean, ms: number): Promise<void> {
  for (let passed = 0; !holds() && passed < ms; passed += 250) {
    await elapse(250);
    // What waits for no time is not to be late.
    await turns(200);
  }
}

const isAnswered = (run: Run) => (): boolean => run.outcome !== undefined;

describe('two processes that need the same summary', () => {
  it.each([
    ['at once', 1000],
    ['for longer than a lease lasts', 35_000],
  ])('pay for one, and send the same bytes: %s', async (_name, ms) => {
    const store = sharedStore();
    const first = processWith(store.open(), tooSmall, take(ms));
    const second = processWith(store.open(), tooSmall);
    const one = await sendUntilAsked(first);
    const other = send(second);
    await elapseUntil(() => isAnswered(one)() && isAnswered(other)(), ms + 20_000);
    expect([one.outcome, other.outcome]).toEqual(['answered', 'answered']);
    expect(bills(first, second)).toBe(1);
    expect(lastSummary(second)).toBe(lastSummary(first));
    expect(lastSummary(second)).toContain('rivers');
  });

  it.each([
    ['the same messages', history],
    ['more messages', [...history, ...chat(19).slice(17)]],
  ])('pay once for %s where a clock is hours ahead', async (_what, messages) => {
    const store = sharedStore();
    // The server has a clock of its own.
    const open = (): SummaryStore =>
      store.open(({ compareAndSet }) => ({
        compareAndSet: async (key, entry) => compareAndSet(key, { ...entry, ttlMs: undefined }),
      }));
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

  it('leave no claim behind where one finds what the other has just stored', async () => {
    const store = sharedStore();
    const first = processWith(store.open(), tooSmall);
    let writes = 0;
    const open = (): SummaryStore =>
      store.open(({ compareAndSet }) => ({
        compareAndSet: async (key, entry) => {
          writes += 1;
          const run = writes === 1 ? send(first) : undefined;
          if (run !== undefined) await elapseUntil(isAnswered(run), 20_000);
          return compareAndSet(key, entry);
        },
      }));
    const second = processWith(open(), { ...tooSmall, maxWaitMs: 60_000 });
    const other = send(second);
    await elapseUntil(isAnswered(other), 40_000);
    expect(bills(first, second)).toBe(1);
    expect(lastSummary(second)).toBe(lastSummary(first));
    const before = writes;
    await elapse(120_000);
    await turns(200);
    expect(writes).toBe(before);
  });

  it('pay twice when the one that writes is killed, and nobody fails', async () => {
    const store = sharedStore();
    const dying = dyingAfter();
    const first = processWith(store.open(dying.change), tooSmall, hang);
    const second = processWith(store.open(), tooSmall);
    await sendUntilAsked(first);
    dying.kill();
    const other = send(second);
    await turns(200);
    expect(second.summarizer.doGenerateCalls).toHaveLength(0);
    await elapseUntil(isAnswered(other), 60_000);
    expect(other.outcome).toBe('answered');
    expect(lastSummary(second)).toContain('rivers');
    expect(bills(first, second)).toBe(2);
  });

  it('end their wait for each other with the abortSignal of the middleware', async () => {
    const store = sharedStore();
    const controller = new AbortController();
    const { signal: abortSignal } = controller;
    const first = processWith(store.open(), tooSmall, hang);
    const second = processWith(store.open(), { ...tooSmall, abortSignal });
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

  it('go on waiting for each other where polls fail in a row', async () => {
    const store = sharedStore();
    let failures = 0;
    const open = store.open(({ get }) => ({
      get: async (key) => {
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error('ECONNRESET')) : get(key);
      },
    }));
    const first = processWith(store.open(), tooSmall, take(4000));
    const second = processWith(open, tooSmall);
    const one = await sendUntilAsked(first);
    const other = send(second);
    await elapse(500);
    failures = 3;
    await elapseUntil(() => isAnswered(one)() && isAnswered(other)(), 20_000);
    expect(failures).toBeLessThan(0);
    expect([one.outcome, other.outcome]).toEqual(['answered', 'answered']);
    expect(bills(first, second)).toBe(1);
  });

  it('wait for one that never ends no longer than summaryTimeoutMs', async () => {
    const store = sharedStore();
    const first = processWith(store.open(), tooSmall, hang);
    await sendUntilAsked(first);
    const made = processWith(store.open(), { ...tooSmall, summaryTimeoutMs: 5000 });
    const run = send(made);
    await elapseUntil(isAnswered(run), 30_000);
    expect(run.outcome).toBe('answered');
    expect(lastSummary(made)).toBeDefined();
  });
});

const conversation = (name: string): typeof history => [
  user(name),
  ...history.slice(1),
  user(words(1, 30)),
];

async function sendEach(made: SetUp, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const run = send(made, { messages: conversation(name) });
    await elapseUntil(isAnswered(run), 5000);
    expect(run.outcome).toBe('answered');
  }
}

it('maxSummaryCallsPerHour lets the rules write what is beyond it, whichever process asks', async () => {
  const store = sharedStore();
  const options = { ...tooSmall, maxSummaryCallsPerHour: 3 };
  const first = processWith(store.open(), options, async () => {});
  const second = processWith(store.open(), options, async () => {});
  await sendEach(first, ['a', 'b']);
  await sendEach(second, ['c', 'd', 'e']);
  expect([bills(first), bills(second)]).toEqual([2, 1]);
  expect(reasons(second, 'fallback')).toEqual(['hourly-limit', 'hourly-limit']);
  expect(lastSummary(second)).toBeDefined();
});
