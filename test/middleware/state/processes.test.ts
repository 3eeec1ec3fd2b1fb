import { generateText } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SummaryStore } from '../../../src/index.ts';
import { assistant, chat, user, words } from '../../support/messages.ts';
import { quiet } from '../../support/quiet.ts';
import { setUp } from '../../support/set-up.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { elapse, stopTime } from '../../support/virtual-time.ts';
import { fitting, lastSummary, send, summarizerThat, tooSmall } from '../../support/waiting.ts';
import { fakeClock, processes, refreshTime, secret, textsIn } from './processes.ts';

afterEach(() => {
  vi.useRealTimers();
});

const messages = chat(19);
const summary = /Summary \d+/;

/** More of the conversation: enough for another summary. */
const more = [
  ...messages,
  ...Array.from({ length: 12 }, (_, index) =>
    index % 2 === 0
      ? assistant(`Later ${index}: ${words(index, 40)}`)
      : user(`More ${index}: ${words(index, 40)}`),
  ),
];

describe('two processes', () => {
  beforeEach(fakeClock);

  it('that could not see each other send what the store had first, once both see it', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    let isApart = true;
    const fault = async (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'));
    const winner = start(store.open());
    const loser = start(
      store.open((plain) => ({
        get: async (key) => (isApart ? fault() : plain.get(key)),
        compareAndSet: async (...given) => (isApart ? fault() : plain.compareAndSet(...given)),
      })),
    );
    const sent = await loser.send(messages);
    const first = await winner.send(messages);
    expect(summary.exec(first)?.[0]).not.toBe(summary.exec(sent)?.[0]);
    isApart = false;
    // When the store has rested it is given what it did not take, and says what it had first.
    vi.advanceTimersByTime(61_000);
    await quiet();
    for (let request = 0; request < 3; request += 1) {
      await refreshTime();
      expect(await loser.send(messages)).toBe(first);
    }
    const next = await loser.send(more);
    expect(await winner.send(more)).toBe(next);
    expect(paid()).toBe(3);
    // Nor does it write its own over what the store has of it.
    const read = JSON.stringify(loser.summarizer.doGenerateCalls.at(-1)?.prompt);
    for (const texts of [textsIn(store).join(' '), read]) {
      expect(texts).toContain(`${summary.exec(first)?.[0]}.`);
      expect(texts).not.toContain(`${summary.exec(sent)?.[0]}.`);
    }
  });
});

describe('one operation of a store that fails', () => {
  beforeEach(fakeClock);

  it.each([
    ['a claim that is refused', 1, false],
    ['a claim whose answer is lost', 1, true],
    ['a summary that is refused', 2, false],
    ['a summary whose answer is lost', 2, true],
  ])('costs nothing: %s', async (_what, failing, isWritten) => {
    const { start, paid } = processes();
    const store = sharedStore();
    let writes = 0;
    const first = start(
      store.open(({ compareAndSet }) => ({
        compareAndSet: async (key, entry) => {
          writes += 1;
          const isFailing = writes === failing;
          const result = isFailing && !isWritten ? false : await compareAndSet(key, entry);
          return isFailing ? Promise.reject(new Error('ECONNRESET')) : result;
        },
      })),
    );
    const sent = await first.send(messages);
    expect(writes).toBeGreaterThanOrEqual(failing);
    const begun = performance.now();
    expect(await start(store.open()).send(messages)).toBe(sent);
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(paid()).toBe(1);
  });
});

it('a command that a client sends again does not make a call wait for itself', async () => {
  await fakeClock();
  const { start, paid } = processes();
  const shared = sharedStore();
  const store = shared.open(({ compareAndSet }) => ({
    compareAndSet: async (...given) => {
      await compareAndSet(...given);
      // The connection was lost before the first answer came. No two values that are written at different times are alike.
      vi.setSystemTime(Date.now() + 1);
      return compareAndSet(...given);
    },
  }));
  const begun = performance.now();
  const sent = await start(store).send(messages);
  expect(performance.now()).toBe(begun);
  expect(await start(shared.open()).send(messages)).toBe(sent);
  expect(paid()).toBe(1);
});

it('a process that is four messages further does not pay again', async () => {
  await fakeClock();
  const { start, paid } = processes();
  const shared = sharedStore();
  const saving = Promise.withResolvers<void>();
  const secondWrite = Promise.withResolvers<void>();
  let writes = 0;
  const first = start(
    shared.open(({ compareAndSet }) => ({
      compareAndSet: async (...given) => {
        writes += 1;
        if (writes === 2) {
          secondWrite.resolve();
          await saving.promise;
        }
        return compareAndSet(...given);
      },
    })),
    { storeTimeoutMs: 1_000_000 },
  ).send(messages);
  await secondWrite.promise;
  const further = start(shared.open()).send(more.slice(0, messages.length + 4));
  await quiet();
  saving.resolve();
  await first;
  expect(await further).toContain('Summary 1.');
  expect(paid()).toBe(1);
});

describe('the namespace of a call', () => {
  beforeEach(fakeClock);

  it.each([
    ['the same string', { namespace: 'one' }, { namespace: 'one' }, 1],
    ['a string with a space behind', { namespace: 'one' }, { namespace: 'one ' }, 2],
    ['other capitals', { namespace: 'one' }, { namespace: 'One' }, 2],
    ['another composition of the same letter', { namespace: 'é' }, { namespace: 'e\u0301' }, 2],
    ['a namespace and none', { namespace: 'one' }, {}, 2],
    ['the empty one and none', { namespace: '' }, {}, 1],
    [
      'a border between namespace and id that lies elsewhere',
      { namespace: 'a', conversationId: 'bc' },
      { namespace: 'ab', conversationId: 'c' },
      2,
    ],
  ])('is compared as it is: %s', async (_what, one, other, bills) => {
    const { start, paid } = processes();
    const store = sharedStore();
    await start(store.open()).send(messages, one);
    await start(store.open()).send(messages, other);
    expect(paid()).toBe(bills);
  });
});

describe('a summary that somebody asks for', () => {
  const force = { summarization: { force: true } };
  /** What no other summary will do for. */
  const toOrder = { summarization: { force: true, instructions: 'Look to the rivers.' } };

  /** A call whose summary is written, and waits in the store for `saving`. */
  async function whileSaved(saving: Promise<unknown>, options = {}) {
    const isMade = (): boolean => made.events.some(({ type }) => type === 'end');
    const store = sharedStore().open(({ compareAndSet }) => ({
      compareAndSet: async (...given) => {
        if (isMade()) await saving;
        return compareAndSet(...given);
      },
    }));
    const made = setUp({ ...fitting, store, secret, ...options });
    const controller = new AbortController();
    const run = send(made, { abortSignal: controller.signal });
    while (!isMade()) await quiet();
    return { made, run, controller };
  }

  it('goes on from one that is being saved', async () => {
    const saving = Promise.withResolvers<void>();
    const { made, run, controller } = await whileSaved(saving.promise);
    controller.abort();
    await quiet();
    expect(run.outcome).toBe('failed');
    const call = { model: made.model, messages: chat(25), providerOptions: toOrder };
    const asked = generateText(call);
    await quiet();
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    saving.resolve();
    await asked;
    expect(made.summarizer.doGenerateCalls).toHaveLength(2);
    expect(made.events.findLast(({ type }) => type === 'end')).toMatchObject({ depth: 1 });
  });

  it('is waited for by another call, and paid once', async () => {
    const writing = Promise.withResolvers<void>();
    const summarizer = summarizerThat(async () => writing.promise);
    const made = setUp(fitting, { summarizer });
    const first = generateText({ model: made.model, messages: chat(13), providerOptions: force });
    while (summarizer.doGenerateCalls.length === 0) await quiet();
    const second = send(made, { messages: chat(25) });
    await quiet();
    writing.resolve();
    await first;
    while (second.outcome === undefined) await quiet();
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(lastSummary(made)).toBeDefined();
  });

  it('is the one that is being written, or goes on from it where it is to order', async () => {
    const writing = Promise.withResolvers<void>();
    const summarizer = summarizerThat(async () => writing.promise);
    const made = setUp(fitting, { summarizer });
    const first = send(made);
    while (summarizer.doGenerateCalls.length === 0) await quiet();
    const asked = [force, toOrder].map(async (providerOptions) =>
      generateText({ model: made.model, messages: chat(19), providerOptions }),
    );
    await quiet();
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    writing.resolve();
    await Promise.all(asked);
    while (first.outcome === undefined) await quiet();
    expect(summarizer.doGenerateCalls).toHaveLength(2);
  });
});

describe('a store that is slow', () => {
  it.each([300, 3000])('is waited for once, for storeTimeoutMs: %i ms', async (storeTimeoutMs) => {
    await stopTime();
    // Reads are answered: for its turn is waited, and then not for its share of the hour.
    const silence = async (): Promise<never> => new Promise(() => {});
    const store = sharedStore().open(() => ({ compareAndSet: silence }));
    const made = setUp({ ...tooSmall, store, secret, storeTimeoutMs, maxSummaryCallsPerHour: 10 });
    const run = send(made);
    await quiet();
    await elapse(storeTimeoutMs - 1);
    await quiet();
    expect(made.summarizer.doGenerateCalls).toHaveLength(0);
    await elapse(1);
    await quiet();
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    // Nor for its place in the store.
    expect(run.outcome).toBe('answered');
  });

  it('is asked once by requests for the same conversation that come at once', async () => {
    const asked: string[] = [];
    const store: SummaryStore = sharedStore().open(({ get }) => ({
      get: async (key) => {
        asked.push(key);
        await quiet();
        return get(key);
      },
    }));
    const { model } = setUp({ contextLength: 100_000, store, secret });
    await Promise.all(
      Array.from({ length: 50 }, async () => generateText({ model, messages: chat(41) })),
    );
    // Two documents: what opens alike, and the conversation.
    expect(asked).toHaveLength(2);
  });
});
