import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eraseConversation, type SummaryStore } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { quiet } from '../../support/quiet.ts';
import { saysNothing, sealedText } from '../../support/sealed-text.ts';
import { sharedStore, type SharedStore } from '../../support/shared-store.ts';
import { until } from '../../support/until.ts';
import { fakeClock, processes, secret } from './processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

/** What is left of a conversation beside what tells of its erasure. */
function leftIn({ entries }: SharedStore): readonly string[] {
  return [...entries.values()]
    .map(({ value }) => sealedText(value))
    .filter((text) => !saysNothing(text));
}

/** What holds a process up at one of the writes by which it keeps its next summary. */
function gateAt(write: number) {
  const open = Promise.withResolvers<void>();
  const gate = { isReached: false, isArmed: false, open: open.resolve };
  let writes = 0;
  const hold = async <Result>(operation: () => Promise<Result>): Promise<Result> => {
    if (gate.isArmed) writes += 1;
    if (gate.isArmed && writes === write) {
      gate.isReached = true;
      await open.promise;
    }
    return operation();
  };
  const change = ({ compareAndSet, delete: remove }: SummaryStore): Partial<SummaryStore> => ({
    compareAndSet: async (key, entry) => {
      // From where it says that it writes the next summary.
      if (sealedText(entry.value).includes('"writing":[{"')) gate.isArmed = true;
      return hold(async () => compareAndSet(key, entry));
    },
    delete: async (key) => hold(async () => remove(key)),
  });
  return { gate, change };
}

describe.each([undefined, 'chat'])(
  'a conversation that is erased while its next summary is kept (id %s)',
  (id) => {
    const own = id === undefined ? {} : { conversationId: id };
    const given = id === undefined ? { messages: chat(31) } : { conversationId: id };

    it.each([true, false])(
      'stays erased, at whichever write the summary is (kept before the erasure ends: %s)',
      async (isKeptBefore) => {
        let write = 1;
        for (; ; write += 1) {
          const { start } = processes();
          const store = sharedStore();
          await start(store.open(), { archive: true }).send(chat(19), own);
          const { gate, change } = gateAt(write);
          const options = { archive: true, storeTimeoutMs: 1_000_000 };
          const sending = start(store.open(change), options).send(chat(31), own);
          await Promise.race([sending, until(() => gate.isReached)]);
          const keep = async (): Promise<void> => {
            gate.open();
            await sending;
            await quiet();
          };
          let isWalking = false;
          const eraser = store.open(({ get }) => ({
            get: async (key) => {
              const value = await get(key);
              if (!isKeptBefore || isWalking || !sealedText(value ?? '').includes('Summary 1.'))
                return value;
              isWalking = true;
              await keep();
              return value;
            },
          }));
          await eraseConversation({ store: eraser, secret, ...given });
          await keep();
          if (!gate.isReached) break;
          expect(leftIn(store)).toEqual([]);
        }
        expect(write).toBeGreaterThan(3);
      },
    );

    it('stays erased where its first summary is being kept', async () => {
      let write = 1;
      for (; ; write += 1) {
        const { start } = processes();
        const store = sharedStore();
        const { gate, change } = gateAt(write);
        const options = { archive: true, storeTimeoutMs: 1_000_000 };
        const sending = start(store.open(change), options).send(chat(31), own);
        await Promise.race([sending, until(() => gate.isReached)]);
        await eraseConversation({ store: store.open(), secret, ...given });
        gate.open();
        await sending;
        await quiet();
        if (!gate.isReached) break;
        expect(leftIn(store)).toEqual([]);
      }
      expect(write).toBeGreaterThan(3);
    });

    it('gets no summary in a tree store afterwards', async () => {
      const { start } = processes();
      const store = sharedStore();
      const persist = vi.fn<() => Promise<void>>(async () => {});
      const none = { getFinalSummary: async () => undefined, list: async () => [] };
      const summaryTreeStore = { persist, ...none, delete: async () => {} };
      const { gate, change } = gateAt(1);
      const options = { summaryTreeStore, storeTimeoutMs: 1_000_000 };
      const { send } = start(store.open(change), options);
      const sending = send(chat(31), own);
      await until(() => gate.isReached);
      await eraseConversation({ store: store.open(), secret, ...given });
      gate.open();
      await sending;
      await quiet();
      expect(persist).not.toHaveBeenCalled();
      await send(chat(31), own);
      await quiet();
      expect(persist).toHaveBeenCalledOnce();
    });

    it('can be erased again where the store did not confirm all of it', async () => {
      for (const isRefused of [
        // The erasure itself; then that nothing is left.
        (text: string) => text.startsWith('{"epoch":"0'),
        (text: string) => text.startsWith('{"epoch":"0') && saysNothing(text),
      ]) {
        const { start } = processes();
        const store = sharedStore();
        await start(store.open(), { archive: true }).send(chat(19), own);
        await start(store.open(), { archive: true }).send(chat(31), own);
        let refusals = 1;
        const full = store.open(({ compareAndSet }) => ({
          compareAndSet: async (key, entry) => {
            if (!isRefused(sealedText(entry.value)) || refusals === 0)
              return compareAndSet(key, entry);
            refusals -= 1;
            throw new Error('The disk is full.');
          },
        }));
        const state = { store: full, secret, ...given };
        await expect(eraseConversation(state)).rejects.toThrow('did not confirm');
        await eraseConversation(state);
        expect(leftIn(store)).toEqual([]);
      }
    });
  },
);
