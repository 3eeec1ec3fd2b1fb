import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  eraseConversation,
  listSummaries,
  prepareSummary,
  type SummaryJob,
  type SummaryStore,
  type SummaryStrategy,
  undoSummarization,
} from '../../src/index.ts';
import { seed } from '../../src/entries/handoff/index.ts';
import { knownStrategy } from '../properties/rig/known-strategy.ts';
import { saysNothing, sealedText } from '../support/sealed-text.ts';
import { sharedStore, type SharedStore } from '../support/shared-store.ts';
import { setUp } from '../support/set-up.ts';
import { secret, send, summarize, talk } from '../support/summarized-chat.ts';
import { elapse, settled, stopTime } from '../support/virtual-time.ts';

beforeAll(stopTime);
afterAll(() => void vi.useRealTimers());

/** Answers to the process whose write comes late. */
const fates = ['no answer', 'an error', 'a late answer', 'nothing, as it has ended'] as const;
type Fate = (typeof fates)[number];

/** The store of a process in which one write comes late. */
function delaying(store: SummaryStore, late: number, fate: Fate) {
  const [hold, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let [writes, hasEnded] = [0, false];
  let landing: Promise<unknown> = Promise.resolve();
  const never = new Promise<never>(() => {});
  const write = async <Result>(operation: () => Promise<Result>): Promise<Result> => {
    if (hasEnded) return never;
    writes += 1;
    if (writes !== late) return operation();
    const answer = gate.promise.then(operation);
    landing = answer.catch(() => {});
    hold.resolve();
    if (fate === 'an error') throw new Error('ECONNRESET');
    hasEnded = fate === 'nothing, as it has ended';
    return hasEnded ? never : answer;
  };
  const lateStore: SummaryStore = {
    get: (key) => (hasEnded ? never : store.get(key)),
    compareAndSet: (key, entry) => write(() => store.compareAndSet(key, entry)),
    delete: (key) => write(() => store.delete(key)),
  };
  const release = async (): Promise<void> => {
    gate.resolve();
    await landing;
  };
  return { lateStore, isHeld: hold.promise, release };
}

const messages = talk(15);
const conversationId = 'chat 1';
const state = { secret, conversationId };
const options = { archive: true, conversationId };

/** Work of a process, and that of another one before. */
interface Work {
  readonly before: (store: SummaryStore) => Promise<unknown>;
  readonly work: (store: SummaryStore) => Promise<unknown>;
}

const works: Readonly<Record<string, Work>> = {
  'a first summary': {
    before: async () => {},
    work: (store) => summarize(store, messages, options),
  },
  'a later summary': {
    before: (store) => summarize(store, messages.slice(0, 7), options),
    work: (store) => summarize(store, messages, options),
  },
  'a memory': {
    before: (store) => summarize(store, messages, { conversationId: 'chat 0' }),
    work: async (store) => {
      const of = { store, secret, conversationId: 'chat 0' };
      const [record] = await listSummaries(of);
      await seed({ store, ...state, record, from: 'chat 0' });
      await eraseConversation(of);
    },
  },
};

/** Texts that stand in a store; an encrypted one is not read. */
function textsIn({ entries }: SharedStore): readonly string[] {
  const values = [...entries.values()].map(({ value }) => value);
  return values.map((value) =>
    value.split(':')[2] === 'plain' ? sealedText(value) : 'an encrypted text',
  );
}

/** Does a work whose write comes late, something else meanwhile, and gives the texts that stand there in the end. */
async function textsAfter(
  { before, work }: Work,
  late: number,
  fate: Fate,
  meanwhile: (store: SummaryStore) => Promise<unknown>,
): Promise<readonly string[] | undefined> {
  const server = sharedStore();
  await before(server.open());
  const { lateStore, isHeld, release } = delaying(server.open(), late, fate);
  const working = work(lateStore);
  const end = working.then(
    () => false,
    () => false,
  );
  const isLate = await settled(Promise.race([isHeld.then(() => true), end]));
  if (!isLate) return undefined;
  if (fate === 'no answer' || fate === 'an error') await settled(end);
  await settled(meanwhile(server.open()));
  await settled(release());
  if (fate === 'a late answer') await settled(end);
  // Leases end, and what a store refused is tried again.
  await elapse(60_000);
  return textsIn(server);
}

describe.each(fates)('a write that comes late, of which its process learns by %s', (fate) => {
  it.each(Object.entries(works))('brings nothing back that is erased: %s', async (_, work) => {
    let late = 1;
    const erase = async (store: SummaryStore): Promise<void> => {
      await eraseConversation({ store, secret, conversationId: 'chat 0' });
      await eraseConversation({ store, ...state });
    };
    for (; ; late += 1) {
      const texts = await textsAfter(work, late, fate, erase);
      if (texts === undefined) break;
      expect(
        texts.filter((text) => !saysNothing(text)),
        `write ${late}`,
      ).toEqual([]);
    }
    expect(late).toBeGreaterThan(2);
  });
});

it('a summary that is begun while the store is slow does not outlive an erasure', async () => {
  const server = sharedStore();
  await summarize(server.open(), messages.slice(0, 7), options);
  let isSlow = true;
  const store = server.open(({ get }) => ({
    get: async (key) => {
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 2500));
      return get(key);
    },
  }));
  const { name, summarize: write } = knownStrategy();
  const strategy: SummaryStrategy = {
    name,
    summarize: async (input) => {
      const output = await write(input);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      await eraseConversation({ store: server.open(), ...state });
      isSlow = false;
      return output;
    },
  };
  await settled(summarize(store, messages, { ...options, strategy }));
  await elapse(60_000);
  expect(textsIn(server).filter((text) => !saysNothing(text))).toEqual([]);
  // Messages that are sent after the erasure are summarized again.
  const { record } = await settled(summarize(store, messages, options));
  const summaries = await listSummaries({ store: server.open(), ...state });
  expect(summaries.map(({ id }) => id)).toEqual([record.id]);
});

it('a job that was queued while the store was slow brings nothing back that is erased before its turn', async () => {
  const server = sharedStore();
  const own = { contextLength: 2000, minMessages: 4, preserveRecent: 2, strategy: knownStrategy() };
  const store = server.open(({ get }) => ({
    get: async (key) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return get(key);
    },
  }));
  const jobs: SummaryJob[] = [];
  const background = { enqueue: async (job: SummaryJob) => void jobs.push(job) };
  await settled(send(setUp({ ...own, secret, store, background }), talk(21), { conversationId }));
  await elapse(1000);
  const [job] = jobs;
  if (job === undefined) throw new Error('No job was queued.');
  const worker = server.open();
  await settled(eraseConversation({ store: worker, ...state }));
  const { inner: model } = setUp();
  const result = await settled(
    prepareSummary({ store: worker, secret, model, ...job, options: own }),
  );
  expect(result).toMatchObject({ ok: true, reason: 'erased' });
  expect(textsIn(server).filter((text) => !saysNothing(text))).toEqual([]);
});

it.each(['no answer', 'an error'] as const)(
  'a write that comes late leaves no originals of a summary that is undone (its process learns by %s)',
  async (fate) => {
    const work = {
      before: async () => {},
      work: (store: SummaryStore) => summarize(store, messages, options),
    };
    let undone = 0;
    for (let late = 1; ; late += 1) {
      let id = '';
      const undo = async (store: SummaryStore): Promise<void> => {
        const [record] = await listSummaries({ store, ...state });
        if (record === undefined) return;
        ({ id } = record);
        await undoSummarization({ store, ...state, record });
      };
      const texts = await textsAfter(work, late, fate, undo);
      if (texts === undefined) break;
      if (id === '') continue;
      undone += 1;
      const isArchive = (text: string): boolean => text.includes('"packed"') && text.includes(id);
      expect(texts.filter(isArchive), `write ${late}`).toEqual([]);
    }
    expect(undone).toBeGreaterThan(0);
  },
);

it('a summary after an erasure is stored, although the store first answers when it is paid', async () => {
  const server = sharedStore();
  const store = server.open();
  let lateMs = 0;
  const late = async <Result>(operation: () => Promise<Result>): Promise<Result> => {
    if (lateMs > 0) await new Promise((resolve) => setTimeout(resolve, lateMs));
    return operation();
  };
  const slowStore: SummaryStore = {
    get: (key) => late(() => store.get(key)),
    compareAndSet: (key, entry) => late(() => store.compareAndSet(key, entry)),
    delete: (key) => late(() => store.delete(key)),
  };
  const process = setUp({
    contextLength: 100_000,
    preserveRecent: 2,
    preserveRecentTokenRatio: 0,
    strategy: {
      name: 'slow',
      summarize: async (input) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return knownStrategy().summarize(input);
      },
    },
    store: slowStore,
    secret,
    storeTimeoutMs: 500,
  });
  await send(process, messages.slice(0, 5), { conversationId });
  await settled(eraseConversation({ store: slowStore, ...state }));
  await send(process, messages.slice(0, 5), { conversationId });
  await elapse(1000);
  lateMs = 700;
  setTimeout(() => (lateMs = 0), 650);
  await settled(send(process, messages, { conversationId, force: true }));
  await elapse(60_000);
  expect(await settled(listSummaries({ store: server.open(), ...state }))).toHaveLength(1);
});

it('an erasure on a full server, which takes no new value, ends', async () => {
  const server = sharedStore();
  const store = server.open();
  await summarize(store, messages, { conversationId });
  const fullStore: SummaryStore = {
    ...store,
    compareAndSet: (key, entry) =>
      entry.expected === undefined
        ? Promise.reject(new Error('OOM command not allowed'))
        : store.compareAndSet(key, entry),
  };
  await settled(eraseConversation({ store: fullStore, ...state }));
  expect(textsIn(server).filter((text) => !saysNothing(text))).toEqual([]);
});
