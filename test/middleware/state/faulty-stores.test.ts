import { generateText } from 'ai';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eraseConversation, type SummaryStore } from '../../../src/index.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { chat } from '../../support/messages.ts';
import { setUp } from '../../support/set-up.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { fakeClock, processes, refreshTime, secret } from './processes.ts';

beforeAll(async () => {
  const store = sharedStore();
  await processes().start(store.open(), { secret: 'a secret of somebody else' }).send(messages);
  foreign = [...store.entries.values()].map(({ value }) => value);
});
beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const messages = chat(19);
/** What a store holds of the same conversation, under another secret. */
let foreign: readonly string[] = [];
const fault = async (): Promise<never> => Promise.reject(new Error('ECONNRESET'));
const silence = async (): Promise<never> => new Promise(() => {});

function after(ms: number, { get, compareAndSet }: SummaryStore): Partial<SummaryStore> {
  const pause = async (): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
  return {
    get: async (key) => pause().then(() => get(key)),
    compareAndSet: async (...given) => pause().then(() => compareAndSet(...given)),
  };
}

function throwing(): never {
  throw new Error('closed');
}

/** What may be wrong with a store, by name. */
const faults: readonly [string, (plain: SummaryStore) => Partial<SummaryStore>][] = [
  ['rejects reads', () => ({ get: fault })],
  ['rejects writes', () => ({ compareAndSet: fault })],
  ['rejects everything', () => ({ get: fault, compareAndSet: fault, delete: fault })],
  ['throws at once', () => ({ get: throwing, compareAndSet: throwing, delete: throwing })],
  ['never answers reads', () => ({ get: silence })],
  ['never answers writes', () => ({ compareAndSet: silence })],
  ['never answers', () => ({ get: silence, compareAndSet: silence, delete: silence })],
  ['takes 300 ms', (plain) => after(300, plain)],
  ['takes 5 s', (plain) => after(5000, plain)],
  ['loses what is written', () => ({ compareAndSet: async () => true })],
  ['is read-only', () => ({ compareAndSet: async () => false })],
  [
    'garbles what it reads',
    ({ get }) => ({ get: async (key) => (await get(key))?.replace(/.$/, '!') }),
  ],
  [
    'cuts off what it reads',
    ({ get }) => ({ get: async (key) => (await get(key))?.slice(0, 100) }),
  ],
  [
    'holds values of somebody else',
    () => {
      let reads = 0;
      return { get: async () => foreign[(reads += 1) % foreign.length] };
    },
  ],
  ['holds values of an older format', () => ({ get: async () => '[{"count":6,"digest":"x"}]' })],
  ['answers null', () => ({ get: async () => null })],
  [
    'answers while the event loop stands still',
    ({ get }) => ({
      get: async (key) => {
        vi.advanceTimersByTime(10_000);
        return get(key);
      },
    }),
  ],
  [
    'dies after its first answer',
    ({ get }) => {
      let reads = 0;
      return { get: async (key) => ((reads += 1) > 1 ? fault() : get(key)) };
    },
  ],
];

describe('a store that', () => {
  it.each(faults)('%s costs a process one summary for 20 requests', async (_what, change) => {
    const { start, paid } = processes();
    const store = sharedStore();
    const { send } = start(store.open(change));
    const first = await send(messages);
    for (let request = 1; request < 20; request += 1) {
      expect(await send(messages)).toBe(first);
      await refreshTime();
    }
    expect(paid()).toBe(1);
  });

  it.each(faults)('%s costs another process one more at most', async (_what, change) => {
    const { start, paid } = processes();
    const store = sharedStore();
    await start(store.open()).send(messages);
    const { send } = start(store.open(change));
    const first = await send(messages);
    for (let request = 1; request < 5; request += 1) {
      expect(await send(messages)).toBe(first);
      await refreshTime();
    }
    expect(paid()).toBeLessThanOrEqual(2);
  });

  it('has lost what was erased costs one summary behind the erasure', async () => {
    const store: SummaryStore = {
      get: async () => undefined,
      compareAndSet: async () => true,
      delete: async () => {},
    };
    let paid = 0;
    const strategy = {
      name: 'counting',
      summarize: async () => ({
        content: emptyContent(`Summary ${(paid += 1)}.`),
        usage: { inputTokens: 1, outputTokens: 1 },
      }),
    };
    const { model } = setUp({ store, secret, strategy });
    const send = async (): Promise<unknown> => generateText({ model, messages });
    await send();
    await eraseConversation({ store, secret, messages });
    vi.advanceTimersByTime(1000);
    for (let request = 0; request < 5; request += 1) {
      await send();
      await refreshTime();
    }
    expect(paid).toBe(2);
  });
});
