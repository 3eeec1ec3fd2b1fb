import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import { type Message, memoryStore, type SummaryStore } from '../../../src/index.ts';
import { buildRecord } from '../../../src/record/build-record.ts';
import { emptyContent } from '../../support/empty-content.ts';
import type { StoredSummary } from '../../../src/record/stored-summary.ts';
import type { ConversationState } from '../../../src/state/conversation-state.ts';
import { storeKeys } from '../../../src/stores/seal/store-keys.ts';
import { openState, testSecret, type OpenOptions } from '../support/open-state.ts';
import { assistant, user } from '../../support/prompt-messages.ts';

// The time that a call waits for a store never comes.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const conversation = Array.from({ length: 10 }, (_, index) =>
  index % 2 === 0 ? user(`q${index}`) : assistant(`a${index}`),
);

/** A summary of the first messages of a conversation. */
async function summaryOf(
  messages: readonly Message[],
  count: number,
  state: ConversationState,
  text = `of ${count}`,
): Promise<{ key: string; summary: StoredSummary }> {
  const identity = identifyConversation(messages);
  const key = await state.keyOf(count);
  const record = buildRecord(
    {
      key,
      depth: 0,
      coveredMessages: count,
      messageIds: await identity.messageDigests(0, count),
      prefixDigest: await identity.prefixDigest(count),
      strategy: 'test',
      degraded: false,
      inputTokens: 100,
    },
    emptyContent(text),
    10,
  );
  return {
    key,
    summary: { record, lastSummarization: { depth: 0, messageCount: count, tokenRatio: 0.5 } },
  };
}

async function save(
  store: SummaryStore,
  messages: readonly Message[],
  count: number,
  options: OpenOptions = {},
): Promise<void> {
  const state = openState(messages, store, options);
  const { key, summary } = await summaryOf(messages, count, state);
  await state.save(key, summary);
}

describe('what a process finds that knows nothing', () => {
  it.each([
    ['by its content', undefined],
    ['by its id', 'chat'],
  ])('is the longest summary of the beginning of a conversation, %s', async (_how, id) => {
    const store = memoryStore();
    for (const count of [4, 8, 6]) await save(store, conversation, count, { conversationId: id });
    const state = openState(structuredClone(conversation), store, { conversationId: id });
    expect((await state.find())?.record.summary).toBe('of 8');
  });

  it('is an earlier one when a later message was edited', async () => {
    const store = memoryStore();
    await save(store, conversation, 4);
    await save(store, conversation, 8);
    const edited = conversation.with(6, user('something else'));
    expect((await openState(edited, store).find())?.record.summary).toBe('of 4');
  });

  it('is nothing when an early message was edited', async () => {
    const store = memoryStore();
    await save(store, conversation, 8);
    const edited = conversation.with(1, assistant('else'));
    expect(await openState(edited, store).find()).toBeUndefined();
  });

  it('is nothing that stands for the whole conversation or more', async () => {
    const store = memoryStore();
    await save(store, conversation, 8);
    expect(await openState(conversation.slice(0, 8), store).find()).toBeUndefined();
    expect(await openState(conversation.slice(0, 5), store).find()).toBeUndefined();
    expect(await openState(conversation.slice(0, 9), store).find()).toBeDefined();
  });

  it('is nothing of a conversation under the same id with other messages', async () => {
    const store = memoryStore();
    const conversationId = 'chat-1';
    await save(store, conversation, 6, { conversationId });
    const others = conversation.map(({ role }) => (role === 'user' ? user('x') : assistant('x')));
    expect(await openState(others, store, { conversationId }).find()).toBeUndefined();
    expect(await openState(conversation, store, { conversationId }).find()).toBeDefined();
    const other = openState(conversation, store, { conversationId: 'chat-2' });
    expect(await other.find()).toBeUndefined();
  });

  it('is nothing of another namespace', async () => {
    const store = memoryStore();
    await save(store, conversation, 6, { namespace: 'a' });
    expect(await openState(conversation, store, { namespace: 'b' }).find()).toBeUndefined();
  });

  it('is both summaries that two requests of a process stored at the same time', async () => {
    const store = memoryStore();
    const isSameProcess = true;
    await Promise.all([4, 6].map((count) => save(store, conversation, count, { isSameProcess })));
    const short = openState(conversation.slice(0, 6), store);
    expect((await short.find())?.record.summary).toBe('of 4');
    expect((await openState(conversation, store).find())?.record.summary).toBe('of 6');
  });

  it('is the one of a conversation that shares its list with more than a list names', async () => {
    const store = memoryStore();
    // A record of 44 messages is listed under the first 40, which are the same in all of them.
    const alike = Array.from({ length: 42 }, (_, index) => user(`q${index}`));
    const own = (number: number): Message[] => [
      ...alike,
      ...Array.from({ length: 16 }, (_, index) => user(`${number}: q${index}`)),
    ];
    for (let number = 0; number < 80; number += 1) await save(store, own(number), 44);
    for (const number of [0, 79]) {
      const found = await openState(own(number), store).find();
      expect(found?.record.prefixDigest).toBe(
        await identifyConversation(own(number)).prefixDigest(44),
      );
    }
  });

  it.each([
    'null',
    '[]',
    '{}',
    '"text"',
    'not JSON',
    '',
    '{"entries":[{"count":1e309,"digest":"x"}],"counts":[]}',
    '{"__proto__":{"record":{}}}',
  ])('is nothing where a store holds %s, sealed or not', async (garbage) => {
    const store = memoryStore();
    await save(store, conversation, 6);
    const keys = storeKeys(testSecret, '');
    const plain = { ...store, get: () => Promise.resolve(garbage) };
    const sealed = { ...store, get: (key: string) => keys.seal(key, garbage, Date.now() + 1e6) };
    for (const corrupt of [plain, sealed])
      expect(await openState(conversation, corrupt).find()).toBeUndefined();
  });

  it('is nothing where a record of another conversation stands under the key', async () => {
    const store = memoryStore();
    await save(store, conversation, 6);
    const other = conversation.with(3, assistant('else'));
    const { summary } = await summaryOf(other, 6, openState(other, memoryStore()));
    const key = await openState(conversation, store).keyOf(6);
    const sealed = await storeKeys(testSecret, '').seal(
      key,
      JSON.stringify(summary),
      Date.now() + 1e6,
    );
    await store.set(key, sealed);
    expect(await openState(conversation, store).find()).toBeUndefined();
  });
});

describe('a summary that is saved', () => {
  it('is the first of its prefix; whoever comes later gets that one', async () => {
    const store = memoryStore();
    const [one, other] = [openState(conversation, store), openState(conversation, store)];
    const first = await summaryOf(conversation, 6, one, 'first');
    const second = await summaryOf(conversation, 6, other, 'second');
    expect(second.key).toBe(first.key);
    expect((await one.save(first.key, first.summary)).record.summary).toBe('first');
    expect((await other.save(second.key, second.summary)).record.summary).toBe('first');
    expect((await openState(conversation, store).find())?.record.summary).toBe('first');
  });

  it.each([
    ['thirty days for the record and its lists, where the store answers', true],
    ['not at all, where it takes nothing', false],
  ])('is kept %s', async (_what, isWritten) => {
    const entries = new Map<string, string>();
    const ttls: (number | undefined)[] = [];
    const store: SummaryStore = {
      get: async (key) => entries.get(key),
      set: async (key, value, given) => {
        if (isWritten) entries.set(key, value);
        ttls.push(given?.ttlMs);
        return isWritten;
      },
      delete: async () => {},
    };
    await save(store, conversation, 4);
    expect(new Set(ttls)).toEqual(new Set([2_592_000_000]));
    expect(entries.size > 0).toBe(isWritten);
    expect((await openState(conversation, store).find()) !== undefined).toBe(isWritten);
  });
});
