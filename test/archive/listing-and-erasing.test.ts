import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  eraseConversation,
  listSummaries,
  memoryStore,
  readArchive,
  type SummaryStore,
} from '../../src/index.ts';
import { saysNothing, sealedText } from '../support/sealed-text.ts';
import { sharedStore } from '../support/shared-store.ts';
import { setUp } from '../support/set-up.ts';
import { secret, send, summarize, talk } from '../support/summarized-chat.ts';
import { until } from '../support/until.ts';

afterEach(() => void vi.useRealTimers());

describe('listSummaries', () => {
  it.each([undefined, 'chat 1'])('lists the newest first (id %s)', async (conversationId) => {
    const store = memoryStore();
    const messages = talk(23);
    const first = await summarize(store, messages.slice(0, 7), { conversationId });
    const second = await summarize(store, messages.slice(0, 15), { conversationId });
    const third = await summarize(store, messages, { conversationId });
    const given = conversationId === undefined ? { messages } : { conversationId };
    const listed = await listSummaries({ store, secret, ...given });
    const records = [third.record, second.record, first.record];
    expect(listed.map(({ record }) => record)).toEqual(records);
    const { record: _whole, originalMessageIds: ids, ...figures } = listed[0] ?? {};
    expect(third.record).toMatchObject(figures);
    expect(figures).toMatchObject({ parentId: second.record.id, coveredMessages: third.covered });
    const own = third.covered - second.covered;
    expect(ids?.length).toBe(conversationId === undefined ? own : undefined);
  });

  it.each([false, true])(
    'gives the figures of a summary, and its text for an hour, or with an archive (%s)',
    async (archive) => {
      const store = memoryStore();
      vi.useFakeTimers({ toFake: ['Date'] });
      const options = { conversationId: 'chat 1', archive };
      const first = await summarize(store, talk(7), options);
      const second = await summarize(store, talk(15), options);
      const list = async () => listSummaries({ store, secret, conversationId: 'chat 1' });
      expect((await list()).map(({ record }) => record)).toEqual([second.record, first.record]);
      vi.setSystemTime(Date.now() + 61 * 60_000);
      const listed = await list();
      const kept = archive ? first.record : undefined;
      expect(listed.map(({ record }) => record)).toEqual([second.record, kept]);
      const { record: _text, ...figures } = listed[1] ?? {};
      expect(first.record).toMatchObject(figures);
      expect(figures).toMatchObject({ id: first.record.id, coveredMessages: first.covered });
    },
  );

  it('lists nothing of another namespace, and nothing where there is nothing', async () => {
    const store = memoryStore();
    await summarize(store, talk(7), { conversationId: 'chat 1' });
    const conversationId = 'chat 1';
    expect(await listSummaries({ store, secret, conversationId, namespace: 'b' })).toEqual([]);
    expect(await listSummaries({ store, secret, conversationId: 'chat 2' })).toEqual([]);
    expect(await listSummaries({ store, secret, messages: talk(7) })).toEqual([]);
  });
});

/** A shared store that can list its keys. */
function listingStore() {
  const shared = sharedStore();
  const open = (): SummaryStore =>
    shared.open(() => ({
      list: async (prefix) => [...shared.entries.keys()].filter((key) => key.startsWith(prefix)),
    }));
  return { open, entries: shared.entries };
}

describe('a namespace that is erased', () => {
  it('takes all its conversations and archives with it, and no others', async () => {
    const { open, entries } = listingStore();
    const options = { archive: true, namespace: 'a' };
    const ended = await summarize(open(), talk(9), { ...options, conversationId: 'chat 1' });
    await summarize(open(), talk(15), options);
    const before = new Set(entries.keys());
    const other = await summarize(open(), talk(9), { archive: true, namespace: 'b' });

    const result = await eraseConversation({ store: open(), secret, namespace: 'a' });
    expect(result).toEqual({ records: 2, treesLeft: [] });
    const left = [...entries].filter(([key]) => before.has(key)).map(([, { value }]) => value);
    expect(left.map(sealedText).filter((text) => !saysNothing(text))).toEqual([]);
    const given = { store: open(), secret, namespace: 'a', conversationId: 'chat 1' };
    await expect(readArchive({ ...given, record: ended.record })).rejects.toMatchObject({
      reason: 'archive',
    });
    const ofOther = { store: open(), secret, namespace: 'b', messages: talk(9) };
    expect((await listSummaries(ofOther)).map(({ id }) => id)).toEqual([other.record.id]);
  });

  it('leaves nothing that a process under way could bring back', async () => {
    const { open, entries } = listingStore();
    const process = open();
    const first = await summarize(process, talk(9), { conversationId: 'chat 1' });
    await eraseConversation({ store: open(), secret, namespace: '' });
    // It has its own copy, and goes on from it.
    await summarize(process, talk(21), { conversationId: 'chat 1' });
    const texts = [...entries.values()].map(({ value }) => sealedText(value));
    expect(texts.join(' ')).not.toContain(first.record.prefixDigest);
  });

  it('needs a store that can list', async () => {
    const store = sharedStore().open();
    await expect(eraseConversation({ store, secret, namespace: 'a' })).rejects.toThrow(
      'for a whole namespace, a store with list',
    );
  });
});

it('a conversation that nothing is known of is told from one that was erased', async () => {
  const store = memoryStore();
  const unknown = { records: 0, treesLeft: [], reason: 'unknown-conversation' };
  const given = { store, secret, conversationId: 'chat 1' };
  await summarize(store, talk(9), { conversationId: 'chat 1' });
  expect(await eraseConversation({ ...given, namespace: 'another' })).toEqual(unknown);
  expect(await eraseConversation({ ...given, secret: 'another secret of 16' })).toEqual(unknown);
  expect(await eraseConversation({ store, secret, messages: talk(9) })).toEqual(unknown);
  expect(await eraseConversation(given)).toEqual({ records: 1, treesLeft: [] });
  expect(await eraseConversation(given)).toEqual({ records: 0, treesLeft: [] });
});

it('an erasure that ended halfway is finished by the next one, whatever its process calls meanwhile', async () => {
  const { open, entries } = sharedStore();
  const conversationId = 'chat 1';
  const given = { secret, conversationId };
  await summarize(open(), talk(9), { conversationId, archive: true });
  const ending = open(({ compareAndSet }) => ({
    compareAndSet: async (key, entry) =>
      sealedText(entry.value) === ''
        ? Promise.reject(new Error('ECONNRESET'))
        : compareAndSet(key, entry),
  }));
  await expect(eraseConversation({ store: ending, ...given })).rejects.toThrow('did not confirm');
  const { promise: sent, resolve: goOn } = Promise.withResolvers<void>();
  const before = [sent];
  const store = open(({ get }) => ({
    get: async (key) => {
      await before.pop();
      return get(key);
    },
  }));
  const erasing = eraseConversation({ store, ...given });
  await until(() => before.length === 0);
  await send(setUp({ store, secret, contextLength: 100_000, minMessages: 4 }), talk(9), {
    conversationId,
  });
  goOn();
  await erasing;
  const texts = [...entries.values()].map(({ value }) => sealedText(value));
  expect(texts.filter((text) => !saysNothing(text))).toEqual([]);
});
