import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  eraseConversation,
  listSummaries,
  readArchive,
  type SummaryRecord,
  type SummaryStore,
  undoSummarization,
} from '../../src/index.ts';
import { sqliteStore } from '../../src/state/stores/sqlite-store.ts';
import { temporaryFolder } from '../node/folders.ts';
import { saysNothing, sealedText } from '../support/sealed-text.ts';
import { sharedStore } from '../support/shared-store.ts';
import { secret, summarize, talk } from '../support/summarized-chat.ts';
import { settled, stopTime } from '../support/virtual-time.ts';

const ends: (() => void)[] = [];
beforeAll(stopTime);
afterAll(() => {
  vi.useRealTimers();
  for (const end of ends) end();
});

/** A database, as processes open it. */
function database(): () => SummaryStore {
  const path = join(temporaryFolder(), 'state.db');
  return () => {
    const store = sqliteStore({ path });
    ends.push(store.close);
    return store;
  };
}

/** The store of a process that ends at one of its writes: what it begins from then on never happens. */
function endingAt(store: SummaryStore, last: number, isWritten: boolean) {
  const ended = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const keys = new Set<string>();
  let writes = 0;
  const write = async <Result>(key: string, operation: () => Promise<Result>): Promise<Result> => {
    writes += 1;
    keys.add(key);
    if (writes < last) return operation();
    if (writes === last && isWritten) await operation();
    ended.resolve();
    return never;
  };
  const ending: SummaryStore = {
    get: (key) => (writes < last ? store.get(key) : never),
    compareAndSet: (key, ...given) => write(key, () => store.compareAndSet(key, ...given)),
    delete: (key) => write(key, () => store.delete(key)),
  };
  return { ending, ended: ended.promise, keys, writes: () => writes };
}

const messages = talk(15);

/** As the next process sends them. */
const later = [...messages, ...talk(9).slice(1)];

describe.each([undefined, 'chat 1'])('a process that ends as it keeps a summary (id %s)', (id) => {
  const options = { archive: true, conversationId: id };
  const given = id === undefined ? { messages: later } : { conversationId: id };

  /** A database with one summary, and a process that makes the next one and ends. */
  async function endOnce(last: number, isWritten: boolean) {
    const open = database();
    await summarize(open(), messages.slice(0, 7), options);
    const process = endingAt(open(), last, isWritten);
    const call = summarize(process.ending, messages, options);
    call.catch(() => {});
    const isEnded = await Promise.race([process.ended.then(() => true), call.then(() => false)]);
    return { open, process, isEnded };
  }

  it.each([false, true])(
    'leaves no record without its originals, and nothing that erasure does not find (written: %s)',
    async (isWritten) => {
      let last = 1;
      for (; ; last += 1) {
        const { open, process, isEnded } = await endOnce(last, isWritten);
        const state = { store: open(), secret, ...given };
        const [newest] = await listSummaries(state);
        if (newest === undefined) throw new Error('The summary before is gone.');
        const of = { store: open(), secret, conversationId: id };
        const read = await readArchive({ ...of, record: newest, ancestors: true });
        expect(read.messages).toStrictEqual(messages.slice(0, newest.coveredMessages));
        // The next process goes on with what there is, once nobody is heard of any more who writes the summary.
        const next = open();
        const newer = await settled(summarize(next, later, options));
        const all = await readArchive({ ...of, record: newer.record, ancestors: true });
        expect(all.messages).toHaveLength(newer.covered);

        await eraseConversation({ store: next, secret, ...given });
        expect(await saidOf(next, process.keys)).toEqual([]);
        if (!isEnded) break;
      }
      expect(last).toBeGreaterThan(3);
    },
  );

  type Work = (store: SummaryStore, records: readonly SummaryRecord[]) => Promise<unknown>;
  const newest = (records: readonly SummaryRecord[]): SummaryRecord => {
    const record = records.at(-1);
    if (record === undefined) throw new Error('There is no record.');
    return record;
  };
  const save: Work = (store) => summarize(store, later, options);
  const erase: Work = (store) => eraseConversation({ store, secret, ...given });
  const undo: Work = (store, records) =>
    undoSummarization({ store, secret, conversationId: id, record: newest(records) });

  it.each<[string, Work, Work, (records: readonly SummaryRecord[]) => readonly SummaryRecord[]]>([
    ['is erased while the next one is saved', save, erase, () => []],
    ['is erased while it is undone', undo, erase, () => []],
    ['is undone while it is erased', erase, undo, () => []],
    ['is undone twice at once', undo, undo, ([first]) => (first ? [first] : [])],
  ])(
    'does not come back, whichever operation is the last before: a summary that %s',
    async (...of) => {
      const [, work, interruption, left] = of;
      let at = 1;
      for (let isOver = false; !isOver; at += 1) {
        const { open } = sharedStore();
        const first = await summarize(open(), messages.slice(0, 7), options);
        const second = await summarize(open(), messages, options);
        const records = [first.record, second.record];
        const store = open();
        const keys = new Set<string>();
        // Who has not claimed it yet begins after the other one.
        let operations = work === save ? -Infinity : 0;
        const next = async <Result>(key: string, operation: () => Promise<Result>) => {
          keys.add(key);
          operations += 1;
          if (operations === at) await interruption(open(), records);
          return operation();
        };
        const interrupted: SummaryStore = {
          get: async (key) => next(key, () => store.get(key)),
          compareAndSet: async (key, entry) => {
            const isWritten = await next(key, () => store.compareAndSet(key, entry));
            operations = Math.max(operations, 0);
            return isWritten;
          },
          delete: async (key) => next(key, () => store.delete(key)),
        };
        // Of two that undo the same, the later one is told that it is not there.
        await settled(work(interrupted, records)).catch(() => {});
        isOver = operations < at;
        if (isOver) break;
        const listed = await listSummaries({ store: open(), secret, ...given });
        expect(listed.map(({ id: each }) => each)).toEqual(
          left(records).map(({ id: each }) => each),
        );
        if (listed.length > 0) continue;
        // What the other one was about to write may be named yet.
        await erase(open(), records);
        expect(await saidOf(store, keys)).toEqual([]);
      }
      expect(at).toBeGreaterThan(2);
    },
  );
});

it('leaves nothing of an archive whose erasure has looked before it was begun', async () => {
  const open = database();
  const [store, another] = [open(), open()];
  const [hasLooked, isBegun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const keys = new Set<string>();
  let archiveKey: string | undefined;
  let looks = 0;
  let erasure: Promise<unknown> | undefined;
  const erasing: SummaryStore = {
    ...another,
    get: async (key) => {
      const value = await another.get(key);
      if (key !== archiveKey) return value;
      // Where it leads, then what is to be removed.
      looks += 1;
      if (looks < 2) return value;
      hasLooked.resolve();
      await isBegun.promise;
      return value;
    },
  };
  const compareAndSet: SummaryStore['compareAndSet'] = async (key, entry) => {
    keys.add(key);
    // The document names the archive, which is written then.
    if (keys.size === 2) {
      archiveKey = key;
      erasure ??= eraseConversation({ store: erasing, secret, messages });
      await hasLooked.promise;
    }
    const isWritten = await store.compareAndSet(key, entry);
    if (keys.size === 2) isBegun.resolve();
    return isWritten;
  };
  const call = summarize({ ...store, compareAndSet }, messages, { archive: true });
  // Who loses a race for a value pauses before it tries again.
  await settled(call.then(() => erasure));
  expect(keys.size).toBe(2);
  expect(await saidOf(store, keys)).toEqual([]);
});

it('is told of by an erasure that a store lets mark no archive', async () => {
  const open = database();
  const process = endingAt(open(), 1, true);
  const call = summarize(process.ending, messages, { archive: true });
  call.catch(() => {});
  await process.ended;
  const store = open();
  const compareAndSet: SummaryStore['compareAndSet'] = async (key, entry) =>
    sealedText(entry.value) !== '' && store.compareAndSet(key, entry);
  const given = { secret, messages };
  await expect(
    settled(eraseConversation({ store: { ...store, compareAndSet }, ...given })),
  ).rejects.toThrow(
    'The store did not confirm that everything was erased. Call the function again.',
  );
  await eraseConversation({ store: open(), ...given });
  expect(await saidOf(open(), process.keys)).toEqual([]);
});

/** What a store says of conversations under its keys. */
async function saidOf(store: SummaryStore, keys: ReadonlySet<string>): Promise<readonly string[]> {
  const values = await Promise.all([...keys].map((key) => store.get(key)));
  const texts = values.map((value) => (typeof value === 'string' ? sealedText(value) : ''));
  return texts.filter((text) => !saysNothing(text));
}
