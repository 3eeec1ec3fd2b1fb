import type { ModelMessage } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import {
  eraseConversation,
  listSummaries,
  type SummaryInput,
  type SummaryStore,
  undoSummarization,
} from '../../../src/index.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { chat } from '../../support/messages.ts';
import { quiet } from '../../support/quiet.ts';
import { saysNothing, sealedText } from '../../support/sealed-text.ts';
import { sharedStore, type SharedStore } from '../../support/shared-store.ts';
import { untyped } from '../../support/untyped.ts';
import { until } from '../../support/until.ts';
import {
  gateAt,
  processes,
  refreshTime,
  secret,
  settled,
  textsIn,
  withFakeClock,
} from './processes.ts';

withFakeClock();

const messages = chat(19);
const more = chat(31);
/** No operation of a store is given up for being slow. */
const patient = { storeTimeoutMs: 1_000_000 };

/** Erases as another process does. */
async function erase(
  shared: SharedStore,
  given: { messages: ModelMessage[] } | { conversationId: string } = { messages },
): Promise<void> {
  await settled(eraseConversation({ store: shared.open(), secret, ...given }));
}

/** What is left of a conversation beside what tells of its erasure. */
function leftIn(shared: SharedStore): readonly string[] {
  return textsIn(shared).filter((text) => !saysNothing(text));
}

/** Holds a process up at one of the writes by which it keeps its next summary, from where it says that it writes one. */
function gateAtWrite(write: number) {
  let writes = 0;
  return gateAt((text) => {
    if (writes > 0 || text.includes('"writing":[{"')) writes += 1;
    return writes === write;
  });
}

describe.each([undefined, 'chat'])(
  'a conversation that is erased while a summary of it is kept (id %s)',
  (id) => {
    const own = id === undefined ? {} : { conversationId: id };
    const given = id === undefined ? { messages: more } : { conversationId: id };

    it.each([
      ['its first summary is kept after it', false, false],
      ['its next summary is kept after it', true, false],
      ['its next summary is kept before it ends', true, true],
    ])('stays erased at whichever write: %s', async (_when, isSecond, isKeptBefore) => {
      let write = 1;
      for (; ; write += 1) {
        const { start } = processes();
        const store = sharedStore();
        const options = { archive: true, ...patient };
        if (isSecond) await start(store.open(), options).send(messages, own);
        const { gate, change } = gateAtWrite(write);
        const sending = start(store.open(change), options).send(more, own);
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
        await settled(eraseConversation({ store: eraser, secret, ...given }));
        await keep();
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
      const { gate, change } = gateAtWrite(1);
      const { send } = start(store.open(change), { summaryTreeStore, ...patient });
      const sending = send(more, own);
      await until(() => gate.isReached);
      await erase(store, given);
      gate.open();
      await sending;
      await quiet();
      expect(persist).not.toHaveBeenCalled();
      await send(more, own);
      await quiet();
      expect(persist).toHaveBeenCalledOnce();
    });

    it.each([
      ['the erasure itself', (text: string) => text.startsWith('{"epoch":"0')],
      [
        'that nothing is left',
        (text: string) => text.startsWith('{"epoch":"0') && saysNothing(text),
      ],
    ])('can be erased again where the store did not confirm %s', async (_what, isRefused) => {
      const { start } = processes();
      const store = sharedStore();
      await start(store.open(), { archive: true }).send(messages, own);
      await start(store.open(), { archive: true }).send(more, own);
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
      await expect(settled(eraseConversation(state))).rejects.toThrow('did not confirm');
      await settled(eraseConversation(state));
      expect(leftIn(store)).toEqual([]);
    });
  },
);

describe('what another process has erased', () => {
  it('leaves the process that is asked to erase it too', async () => {
    const shared = sharedStore();
    const here = shared.open();
    const { send } = processes().start(here);
    expect(await send(messages)).toContain('Summary 1.');
    await erase(shared);
    await settled(eraseConversation({ store: here, secret, messages }));
    expect(await send(messages)).not.toContain('Summary 1.');
  });

  it('leaves the process that is asked to undo it, which another one has done', async () => {
    const shared = sharedStore();
    const [here, there] = [shared.open(), shared.open()];
    const { send } = processes().start(here);
    await send(messages);
    const [record] = await listSummaries({ store: there, secret, messages });
    if (record === undefined) throw new Error('There is a summary.');
    await settled(undoSummarization({ store: there, secret, record }));
    const again = await settled(undoSummarization({ store: here, secret, record }));
    expect(again).toEqual({ record: undefined, isParentGone: false });
    expect(await send(messages)).not.toContain('Summary 1.');
  });

  it('is not written again by one that found it unreadable', async () => {
    const store = sharedStore();
    let isGated = false;
    const { gate, change } = gateAt((text) => isGated && text.includes('Summary 1.'));
    const warm = processes().start(store.open(change), patient);
    await warm.send(messages);
    store.alter((value) => (sealedText(value).includes('Summary 1.') ? `${value}!` : value));
    isGated = true;
    await refreshTime();
    await warm.send(chat(15));
    await until(() => gate.isReached);
    await erase(store);
    gate.open();
    await quiet();
    expect(textsIn(store).join(' ')).not.toContain('Summary 1.');
  });

  it('is paid once where it is made anew and continued', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    const warm = start(store.open());
    await warm.send(messages);
    await erase(store);
    await start(store.open()).send(messages);
    await refreshTime();
    const sent = await warm.send(more);
    const bill = paid();
    for (let request = 0; request < 2; request += 1) {
      await refreshTime();
      expect(await warm.send(more)).toBe(sent);
    }
    expect(await start(store.open()).send(more)).toBe(sent);
    expect(paid()).toBe(bill);
  });

  it('is not what a process goes on from, where it was summarized anew elsewhere', async () => {
    const { start } = processes();
    const store = sharedStore();
    const other = start(store.open());
    const warm = start(store.open());
    await other.send(messages);
    expect(await warm.send(messages)).toContain('Summary 1.');
    await erase(store);
    await refreshTime();
    await other.send(messages);
    await refreshTime();
    expect(await other.send(messages)).toContain('Summary 2.');
    // Its number may stand in no message that it is of.
    expect(await warm.send(more)).toMatch(/Summary 3\b/);
    const read = JSON.stringify(warm.summarizer.doGenerateCalls.at(-1)?.prompt);
    expect(read).toContain('Summary 2.');
    expect(read).not.toContain('Summary 1.');
  });

  it('is not brought back by one that erased at the same time and whose store did not confirm it', async () => {
    // Which of two erasures of a moment is the later one is left to chance.
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const shared = sharedStore();
      let isDown = false;
      const down = async (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'));
      const store = shared.open(({ get, compareAndSet }) => ({
        get: async (key) => (isDown ? down() : get(key)),
        compareAndSet: async (key, entry) => (isDown ? down() : compareAndSet(key, entry)),
      }));
      const { send } = processes().start(store);
      isDown = true;
      await expect(settled(eraseConversation({ store, secret, messages }))).rejects.toThrow(
        'did not confirm',
      );
      expect(await send(messages)).toContain('Summary 1.');
      await erase(shared);
      isDown = false;
      vi.advanceTimersByTime(61_000);
      await send(chat(15));
      await quiet();
      expect(await send(chat(15))).not.toContain('Summary 1.');
      expect(textsIn(shared).join(' ')).not.toContain('Summary 1.');
    }
  });
});

describe('a summary that continues what is erased meanwhile', () => {
  /** A process whose second summary is not written before the gate is open, and that has heard of an erasure then. */
  async function processThatWrites(first = messages, own = {}) {
    const store = sharedStore();
    const gate = Promise.withResolvers<void>();
    let written = 0;
    const strategy = {
      name: 'continuing',
      summarize: async ({ previous }: SummaryInput) => {
        written += 1;
        const text = `Summary ${written}. ${previous?.summary ?? ''}`;
        if (written === 2) await gate.promise;
        return { content: emptyContent(text), usage: { inputTokens: 1, outputTokens: 1 } };
      },
    };
    const { send } = processes().start(store.open(), { strategy });
    await send(first, own);
    const sending = send(more);
    await until(() => written === 2);
    await erase(store, { messages: more });
    return { send, sending, gate };
  }

  it('is sent with no call that has heard of it', async () => {
    const { send, sending, gate } = await processThatWrites();
    await refreshTime();
    // This one asks the store beside its way.
    const hearing = send(more);
    await quiet();
    const sent = send(more);
    await quiet();
    gate.resolve();
    expect(await sent).toContain('Summary 3.');
    expect(await sent).not.toContain('Summary 1.');
    await Promise.all([sending, hearing]);
  });

  it('is heard of by who says that it writes', async () => {
    const { send, sending, gate } = await processThatWrites();
    vi.advanceTimersByTime(4000);
    await quiet();
    expect(await send(messages)).not.toContain('Summary 1.');
    gate.resolve();
    await sending;
  });

  it('is heard of by who is refused for it, where what it continues stands in another document', async () => {
    // Of a conversation without an id, what stands for fewer than eight messages does.
    const { send, sending, gate } = await processThatWrites(chat(9), { force: true });
    gate.resolve();
    await sending;
    await quiet();
    expect(await send(chat(9))).not.toContain('Summary 1.');
  });

  it('is not kept where the store does not say whether that one was erased', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    let isReadable = true;
    const { send } = start(
      store.open(({ get }) => ({
        get: async (key) => {
          if (!isReadable) throw new Error('The store cannot be read.');
          return get(key);
        },
      })),
    );
    await send(messages);
    await erase(store);
    isReadable = false;
    await send(more);
    await quiet();
    expect(paid()).toBe(2);
    expect(textsIn(store).join(' ')).not.toMatch(/Summary \d/);
    isReadable = true;
    await refreshTime();
    await send(chat(33));
    await quiet();
    expect(textsIn(store).join(' ')).not.toContain('Summary 1.');
  });
});

it('an erasure that the store does not confirm takes it from the process that asked', async () => {
  const { start, paid } = processes();
  let isDown = false;
  const down = async (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'));
  const store = sharedStore().open(({ get, compareAndSet }) => ({
    get: async (key) => (isDown ? down() : get(key)),
    compareAndSet: async (...given) => (isDown ? down() : compareAndSet(...given)),
  }));
  const { send } = start(store);
  expect(await send(messages)).toContain('Summary 1.');
  isDown = true;
  await expect(settled(eraseConversation({ store, secret, messages }))).rejects.toThrow(
    'did not confirm',
  );
  // It fits without one.
  expect(await send(chat(15))).not.toContain('Summary 1.');
  expect(await send(messages)).toContain('Summary 2.');
  expect(paid()).toBe(2);
});

it('an erasure waits ten seconds in all for a store that is silent', async () => {
  const never = async () => new Promise<never>(() => {});
  const store = { get: never, compareAndSet: never, delete: never };
  const begun = Date.now();
  const erasing = eraseConversation({ store, secret, conversationId: 'silent' });
  await expect(settled(erasing)).rejects.toMatchObject({ reason: 'store' });
  expect(Date.now() - begun).toBeLessThan(11_000);
});

it('no archive stays of two instances whose store does not compare, and that has lost what one of them wrote', async () => {
  const shared = sharedStore();
  const { start, paid } = processes();
  const { get, delete: remove } = shared.open();
  const plain = (onSet: (text: string) => Promise<void> = async () => {}): SummaryStore => {
    const set = async (key: string, value: string): Promise<boolean> => {
      await onSet(sealedText(value));
      shared.entries.set(key, { value, expiresAt: Number.POSITIVE_INFINITY });
      return true;
    };
    return untyped<SummaryStore>({ get, set, delete: remove });
  };
  const [isSaving, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // The later one has read the document before the first one has saved anything, and writes it then.
  const later = plain(async (text) => {
    if (!text.includes('"keyPoints"') || text.includes('"packed"')) return;
    isSaving.resolve();
    await release.promise;
  });
  const options = { archive: true, ...patient };
  const first = start(plain(), options);
  const own = { conversationId: 'raced' };
  const sending = start(later, options).send(messages, own);
  await settled(isSaving.promise);
  for (const [key, { value }] of shared.entries)
    if (sealedText(value).includes('"writing":[{')) shared.entries.delete(key);
  await first.send(messages, own);
  release.resolve();
  await settled(sending);
  expect(paid()).toBe(2);
  await refreshTime();
  await first.send(chat(15), own);
  await quiet();
  await erase(shared, own);
  expect(leftIn(shared)).toEqual([]);
});

it('an erasure is begun again where a store that does not compare lets a call write over its mark', async () => {
  const shared = sharedStore();
  const { start } = processes();
  const plain = (onSet: (text: string) => Promise<void>) => {
    const { get, delete: remove } = shared.open();
    const set = async (key: string, value: string): Promise<boolean> => {
      await onSet(sealedText(value));
      shared.entries.set(key, { value, expiresAt: Number.POSITIVE_INFINITY });
      return true;
    };
    return { get, set, delete: remove };
  };
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let isHeld = false;
  // The claim of a call waits between what it has read and what it writes.
  const writer = plain(async () => {
    if (isHeld) return;
    isHeld = true;
    reached.resolve();
    await release.promise;
  });
  const { send } = start(untyped<SummaryStore>(writer), patient);
  const sending = send(messages, { conversationId: 'raced' });
  await settled(reached.promise);
  let isFirst = true;
  const eraser = plain(async () => {});
  const store = {
    ...eraser,
    set: async (key: string, value: string): Promise<boolean> => {
      await eraser.set(key, value);
      if (isFirst) {
        isFirst = false;
        release.resolve();
        await quiet();
      }
      return true;
    },
  };
  await settled(eraseConversation({ store, secret, conversationId: 'raced' }));
  await settled(sending);
  const listed = listSummaries({ store: plain(async () => {}), secret, conversationId: 'raced' });
  expect(await settled(listed)).toEqual([]);
});
