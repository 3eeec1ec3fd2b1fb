import { describe, expect, it } from 'vitest';
import {
  eraseConversation,
  listSummaries,
  memoryStore,
  readArchive,
  type SummaryStore,
} from '../../src/index.ts';
import { saysNothing, sealedText } from '../support/sealed-text.ts';
import { sharedStore } from '../support/shared-store.ts';
import { secret, summarise, talk } from '../support/summarised-chat.ts';

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
    const ended = await summarise(open(), talk(9), { ...options, conversationId: 'chat 1' });
    await summarise(open(), talk(15), options);
    const before = new Set(entries.keys());
    const other = await summarise(open(), talk(9), { archive: true, namespace: 'b' });

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
    const first = await summarise(process, talk(9), { conversationId: 'chat 1' });
    await eraseConversation({ store: open(), secret, namespace: '' });
    // It has its own copy, and goes on from it.
    await summarise(process, talk(21), { conversationId: 'chat 1' });
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

describe('a conversation that nothing is known of', () => {
  it('is told from one that was erased', async () => {
    const store = memoryStore();
    const unknown = { records: 0, treesLeft: [], reason: 'unknown-conversation' };
    const given = { store, secret, conversationId: 'chat 1' };
    await summarise(store, talk(9), { conversationId: 'chat 1' });
    expect(await eraseConversation({ ...given, namespace: 'another' })).toEqual(unknown);
    expect(await eraseConversation({ ...given, secret: 'another secret of 16' })).toEqual(unknown);
    expect(await eraseConversation({ store, secret, messages: talk(9) })).toEqual(unknown);
    expect(await eraseConversation(given)).toEqual({ records: 1, treesLeft: [] });
    expect(await eraseConversation(given)).toEqual({ records: 0, treesLeft: [] });
  });
});
