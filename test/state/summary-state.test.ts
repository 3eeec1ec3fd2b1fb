import { describe, expect, it } from 'vitest';
import { identifyConversation } from '../../src/identity/conversation-identity.ts';
import type { Message } from '../../src/prompt/prompt-types.ts';
import { buildRecord } from '../../src/record/build-record.ts';
import { emptyContent } from '../../src/record/empty-content.ts';
import { storeKeys } from '../../src/stores/store-keys.ts';
import type { StoredSummary } from '../../src/record/stored-summary.ts';
import { summaryState, type SummaryState } from '../../src/summaries/summary-state.ts';
import type { SummaryStore } from '../../src/stores/summary-store.ts';
import { memoryStore } from '../../src/stores/memory-store.ts';
import { assistant, user } from '../support/prompt-messages.ts';

const conversation = Array.from({ length: 10 }, (_, index) =>
  index % 2 === 0 ? user(`q${index}`) : assistant(`a${index}`),
);

function open(
  messages: readonly Message[],
  store: SummaryStore,
  options: { conversationId?: string; namespace?: string } = {},
): SummaryState {
  return summaryState({
    store,
    keys: storeKeys('a secret of the tests', options.namespace ?? ''),
    identity: identifyConversation(messages),
    conversationId: options.conversationId,
  });
}

/** A summary of the first messages of a conversation. */
async function summaryOf(
  messages: readonly Message[],
  count: number,
  state: SummaryState,
  text = `of ${count}`,
): Promise<{ key: string; summary: StoredSummary }> {
  const identity = identifyConversation(messages);
  const key = await state.keyOf(count);
  const record = buildRecord(
    {
      key,
      depth: 0,
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
  options = {},
): Promise<void> {
  const state = open(messages, store, options);
  const { key, summary } = await summaryOf(messages, count, state);
  await state.save(key, summary);
}

function counting(store: SummaryStore): { store: SummaryStore; reads: () => number } {
  let reads = 0;
  return {
    store: {
      ...store,
      get: (key) => {
        reads += 1;
        return store.get(key);
      },
    },
    reads: () => reads,
  };
}

describe('summaryState', () => {
  it('finds the longest summary that covers the beginning of a conversation', async () => {
    const store = memoryStore();
    for (const count of [4, 8, 6]) await save(store, conversation, count);
    const { store: counted, reads } = counting(store);
    const found = await open(structuredClone(conversation), counted).find();
    expect(found?.record.summary).toBe('of 8');
    expect(reads()).toBe(2);
  });

  it('reads twice at most, however many summaries there are', async () => {
    const store = memoryStore();
    for (let count = 2; count < 10; count += 1) await save(store, conversation, count);
    const { store: counted, reads } = counting(store);
    await open(conversation, counted).find();
    expect(reads()).toBe(2);
  });

  it('does not read for a conversation that is too short to have one', async () => {
    const { store, reads } = counting(memoryStore());
    expect(await open([user('q0')], store).find()).toBeUndefined();
    expect(reads()).toBe(0);
  });

  it.each([
    ['known to be empty', () => true, 0],
    ['known to hold something', () => false, 1],
    ['of which nothing is known', undefined, 1],
  ])('reads a store unless it is known to be empty: %s', async (_name, isEmpty, expected) => {
    const { store, reads } = counting(memoryStore());
    expect(await open(conversation, { ...store, isEmpty }).find()).toBeUndefined();
    expect(reads()).toBe(expected);
  });

  it('falls back to an earlier one when a later message was edited', async () => {
    const store = memoryStore();
    await save(store, conversation, 4);
    await save(store, conversation, 8);
    const edited = conversation.with(6, user('something else'));
    expect((await open(edited, store).find())?.record.summary).toBe('of 4');
  });

  it('finds nothing when an early message was edited', async () => {
    const store = memoryStore();
    await save(store, conversation, 8);
    expect(await open(conversation.with(1, assistant('else')), store).find()).toBeUndefined();
  });

  it('finds nothing that covers the whole conversation or more', async () => {
    const store = memoryStore();
    await save(store, conversation, 8);
    expect(await open(conversation.slice(0, 8), store).find()).toBeUndefined();
    expect(await open(conversation.slice(0, 5), store).find()).toBeUndefined();
    expect(await open(conversation.slice(0, 9), store).find()).toBeDefined();
  });

  it('keeps the first summary of a prefix; whoever comes later gets that one', async () => {
    const store = memoryStore();
    const state = open(conversation, store);
    const first = await summaryOf(conversation, 6, state, 'first');
    const second = await summaryOf(conversation, 6, state, 'second');
    expect(second.key).toBe(first.key);
    expect((await state.save(first.key, first.summary)).record.summary).toBe('first');
    expect((await state.save(second.key, second.summary)).record.summary).toBe('first');
    expect((await open(conversation, store).find())?.record.summary).toBe('first');
  });

  it('never trusts a conversation id instead of the content', async () => {
    const store = memoryStore();
    const conversationId = 'chat-1';
    await save(store, conversation, 6, { conversationId });
    const others = conversation.map(({ role }) => (role === 'user' ? user('x') : assistant('x')));
    expect(await open(others, store, { conversationId }).find()).toBeUndefined();
    expect(await open(conversation, store, { conversationId }).find()).toBeDefined();
    expect(await open(conversation, store, { conversationId: 'chat-2' }).find()).toBeUndefined();
  });

  it('files conversations that begin otherwise apart, and those that begin alike together', async () => {
    const keys: string[] = [];
    const { get, set, delete: remove } = memoryStore();
    const store: SummaryStore = {
      get,
      delete: remove,
      set: (key, value, options) => {
        keys.push(key);
        return set(key, value, options);
      },
    };
    const last = conversation.with(5, assistant('else'));
    const first = conversation.with(0, user('else'));
    for (const messages of [conversation, last, first]) await save(store, messages, 6);
    const indexes = keys.filter((_, index) => index % 2 === 1);
    expect(indexes[1]).toBe(indexes[0]);
    expect(indexes[2]).not.toBe(indexes[0]);
    expect(new Set(keys).size).toBe(5);
  });

  it('keeps namespaces apart', async () => {
    const store = memoryStore();
    await save(store, conversation, 6, { namespace: 'a' });
    expect(await open(conversation, store, { namespace: 'b' }).find()).toBeUndefined();
  });

  it.each([
    'null',
    '[]',
    '{}',
    '"text"',
    'not JSON',
    '',
    '[{"count":-1,"length":0,"digest":"x"}]',
    '[{"count":1e309,"length":0,"digest":"x"}]',
    '{"__proto__":{"record":{}}}',
    '[{"count":6,"length":1e9,"digest":"x"}]',
  ])('takes %s in the store for nothing', async (garbage) => {
    const store = memoryStore();
    await save(store, conversation, 6);
    const corrupt: SummaryStore = { ...store, get: () => Promise.resolve(garbage) };
    expect(await open(conversation, corrupt).find()).toBeUndefined();
  });

  it('takes the summary of another conversation under its key for nothing', async () => {
    const store = memoryStore();
    await save(store, conversation, 6);
    const other = conversation.with(3, assistant('else'));
    const { summary } = await summaryOf(other, 6, open(other, memoryStore()));
    const key = await open(conversation, store).keyOf(6);
    await store.set(key, JSON.stringify(summary));
    expect(await open(conversation, store).find()).toBeUndefined();
  });

  it('keeps both entries of an index that two requests write at the same time', async () => {
    const store = memoryStore();
    await Promise.all([save(store, conversation, 4), save(store, conversation, 6)]);
    expect((await open(conversation.slice(0, 6), store).find())?.record.summary).toBe('of 4');
    expect((await open(conversation, store).find())?.record.summary).toBe('of 6');
  });

  it.each([
    ['the digest of its opening', undefined],
    ['the id of its calls', 'chat'],
  ])('finds what older versions have stored under %s', async (_what, conversationId) => {
    const keys = storeKeys('a secret of the tests', '');
    const identity = identifyConversation(conversation);
    const scope = `content:${await identity.prefixDigest(2)}`;
    const scoped = conversationId === undefined ? scope : `id:${conversationId}`;
    const options = conversationId === undefined ? {} : { conversationId };
    const state = open(conversation, memoryStore(), options);
    const key = await keys.key(scoped, 'record', await identity.prefixDigest(4));
    expect(await state.keyOf(4)).toBe(key);
    const asked: string[] = [];
    const get = async (name: string): Promise<undefined> => {
      asked.push(name);
    };
    await open(conversation, { ...memoryStore(), get, isEmpty: undefined }, options).find();
    expect(asked).toEqual([await keys.key(scoped, 'index')]);
  });

  it.each([
    ['three times where others undo it', true, 3],
    ['once where the store takes nothing', false, 1],
  ])('writes to the index %s, for thirty days', async (_what, isWritten, times) => {
    const options: unknown[] = [];
    const store: SummaryStore = {
      get: async () => undefined,
      set: async (_key, _value, given) => {
        options.push(given);
        return isWritten;
      },
      delete: async () => {},
    };
    await save(store, conversation, 4);
    const ttlMs = 2_592_000_000;
    expect(options).toEqual([
      { ifAbsent: true, ttlMs },
      ...Array.from({ length: times }, () => ({ ttlMs })),
    ]);
  });
});
