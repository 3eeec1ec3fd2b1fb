import { generateText, type ModelMessage } from 'ai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eraseConversation, listSummaries, type SummaryInput } from '../../../src/index.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { chat } from '../../support/messages.ts';
import { quiet } from '../../support/quiet.ts';
import { sealedText } from '../../support/sealed-text.ts';
import { setUp } from '../../support/set-up.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { until } from '../../support/until.ts';
import { fakeClock, processes, refreshTime, secret } from './processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

it.each([undefined, 'chat'])(
  'what is erased while its text is written once more, as another summary continues it, stays erased (id %s)',
  async (conversationId) => {
    const own = conversationId === undefined ? {} : { conversationId };
    const { start } = processes();
    const store = sharedStore();
    await start(store.open()).send(chat(19), own);
    const gate = Promise.withResolvers<void>();
    let isAtGate = false;
    const { send } = start(
      store.open(({ compareAndSet }) => ({
        compareAndSet: async (key, entry) => {
          if (entry.expected !== undefined && sealedText(entry.value).includes('Summary 1.')) {
            isAtGate = true;
            await gate.promise;
          }
          return compareAndSet(key, entry);
        },
      })),
      { storeTimeoutMs: 1_000_000 },
    );
    const sending = send(chat(31), own);
    await until(() => isAtGate);
    const given = conversationId === undefined ? { messages: chat(31) } : { conversationId };
    await eraseConversation({ store: store.open(), secret, ...given });
    gate.resolve();
    await sending;
    await quiet();
    const texts = [...store.entries.values()].map(({ value }) => sealedText(value));
    expect(texts.join(' ')).not.toMatch(/Summary \d|originalMessageIds/);
  },
);

it('what is erased while a process writes it again that found it unreadable stays erased', async () => {
  const { start } = processes();
  const store = sharedStore();
  const gate = Promise.withResolvers<void>();
  let isGated = false;
  let isAtGate = false;
  const warm = start(
    store.open(({ compareAndSet }) => ({
      compareAndSet: async (key, entry) => {
        if (isGated && sealedText(entry.value).includes('Summary 1.')) {
          isAtGate = true;
          await gate.promise;
        }
        return compareAndSet(key, entry);
      },
    })),
    { storeTimeoutMs: 1_000_000 },
  );
  await warm.send(chat(19));
  store.alter((value) => (sealedText(value).includes('Summary 1.') ? `${value}!` : value));
  isGated = true;
  await refreshTime();
  await warm.send(chat(15));
  await until(() => isAtGate);
  await eraseConversation({ store: store.open(), secret, messages: chat(19) });
  gate.resolve();
  await quiet();
  const texts = [...store.entries.values()].map(({ value }) => sealedText(value));
  expect(texts.join(' ')).not.toContain('Summary 1.');
});

/** A process whose second summary is not written before the gate is open, and that has heard of an erasure then. */
async function processThatWrites() {
  const { start } = processes();
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
  const { send } = start(store.open(), { strategy });
  await send(chat(19));
  const sending = send(chat(31));
  await until(() => written === 2);
  await eraseConversation({ store: store.open(), secret, messages: chat(31) });
  return { send, sending, gate };
}

it('what is erased is in no summary that a call gets which has heard of it', async () => {
  const { send, sending, gate } = await processThatWrites();
  await refreshTime();
  // This one asks the store beside its way.
  const hearing = send(chat(31));
  await quiet();
  const sent = send(chat(31));
  await quiet();
  gate.resolve();
  expect(await sent).toContain('Summary 3.');
  expect(await sent).not.toContain('Summary 1.');
  await Promise.all([sending, hearing]);
});

it('what is erased is heard of by who says that it writes', async () => {
  const { send, sending, gate } = await processThatWrites();
  vi.advanceTimersByTime(4000);
  await quiet();
  expect(await send(chat(19))).not.toContain('Summary 1.');
  gate.resolve();
  await sending;
});

it('what another process has erased is not brought back by the erasure of a conversation that opens alike', async () => {
  const { start } = processes();
  const shared = sharedStore();
  const store = shared.open();
  const { model } = setUp({ store, secret, contextLength: 950 });
  const warm = async (messages: ModelMessage[]): Promise<unknown> =>
    generateText({ model, messages });
  await warm(chat(19));
  const [record] = await listSummaries({ store, secret, messages: chat(19) });
  const other = [...chat(11), ...chat(21).slice(13)];
  await start(shared.open()).send(other);
  await eraseConversation({ store: shared.open(), secret, messages: chat(19) });
  await eraseConversation({ store, secret, messages: other });
  expect(await listSummaries({ store, secret, messages: chat(19) })).toEqual([]);
  await refreshTime();
  await warm(chat(13));
  await quiet();
  const texts = [...shared.entries.values()].map(({ value }) => sealedText(value));
  expect(record).toBeDefined();
  expect(texts.join(' ')).not.toContain(record?.prefixDigest);
});

it('what continues a summary that was made anew behind an erasure is paid once', async () => {
  const { start, paid } = processes();
  const store = sharedStore();
  const warm = start(store.open());
  await warm.send(chat(19));
  await eraseConversation({ store: store.open(), secret, messages: chat(19) });
  await start(store.open()).send(chat(19));
  await refreshTime();
  const sent = await warm.send(chat(31));
  const bill = paid();
  for (let request = 0; request < 2; request += 1) {
    await refreshTime();
    expect(await warm.send(chat(31))).toBe(sent);
  }
  expect(await start(store.open()).send(chat(31))).toBe(sent);
  expect(paid()).toBe(bill);
});

it('what continues a summary is not kept where the store does not say whether that one was erased', async () => {
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
  await send(chat(19));
  await eraseConversation({ store: store.open(), secret, messages: chat(19) });
  isReadable = false;
  await send(chat(31));
  await quiet();
  expect(paid()).toBe(2);
  const texts = (): string =>
    [...store.entries.values()].map(({ value }) => sealedText(value)).join(' ');
  expect(texts()).not.toMatch(/Summary \d/);
  isReadable = true;
  await refreshTime();
  await send(chat(33));
  await quiet();
  expect(texts()).not.toContain('Summary 1.');
});

it('what was erased and summarised anew elsewhere is not what a process goes on from', async () => {
  const { start } = processes();
  const store = sharedStore();
  const other = start(store.open());
  const warm = start(store.open());
  await other.send(chat(19));
  expect(await warm.send(chat(19))).toContain('Summary 1.');
  await eraseConversation({ store: store.open(), secret, messages: chat(19) });
  await refreshTime();
  await other.send(chat(19));
  await refreshTime();
  expect(await other.send(chat(19))).toContain('Summary 2.');
  expect(await warm.send(chat(31))).toContain('Summary 3.');
  const read = JSON.stringify(warm.summarizer.doGenerateCalls.at(-1)?.prompt);
  expect(read).toContain('Summary 2.');
  expect(read).not.toContain('Summary 1.');
});

it('what is erased by two at once is not brought back by the one whose store did not confirm it', async () => {
  // Which of two erasures of a moment is the later one is left to chance.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const { start } = processes();
    const shared = sharedStore();
    let isDown = false;
    const store = shared.open(({ get, compareAndSet }) => ({
      get: async (key) => (isDown ? Promise.reject(new Error('ECONNREFUSED')) : get(key)),
      compareAndSet: async (key, entry) =>
        isDown ? Promise.reject(new Error('ECONNREFUSED')) : compareAndSet(key, entry),
    }));
    const { send } = start(store);
    isDown = true;
    await expect(eraseConversation({ store, secret, messages: chat(19) })).rejects.toThrow(
      'did not confirm',
    );
    expect(await send(chat(19))).toContain('Summary 1.');
    await eraseConversation({ store: shared.open(), secret, messages: chat(19) });
    isDown = false;
    vi.advanceTimersByTime(61_000);
    await send(chat(15));
    await quiet();
    expect(await send(chat(15))).not.toContain('Summary 1.');
    const texts = [...shared.entries.values()].map(({ value }) => sealedText(value));
    expect(texts.join(' ')).not.toContain('Summary 1.');
  }
});
