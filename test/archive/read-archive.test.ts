import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  eraseConversation,
  memoryStore,
  readArchive,
  type SummaryRecord,
  type Message,
} from '../../src/index.ts';
import { assistant, user } from '../support/prompt-messages.ts';
import { saysNothing, sealedText } from '../support/sealed-text.ts';
import { sharedStore } from '../support/shared-store.ts';
import { setUp } from '../support/set-up.ts';
import { secret, send, summarize, talk } from '../support/summarized-chat.ts';
import { stopTime } from '../support/virtual-time.ts';

const large = new Uint8Array(3000).fill(7);

afterEach(() => void vi.useRealTimers());

describe('archive', () => {
  it('keeps nothing unless it is asked for', async () => {
    const store = memoryStore();
    const { record } = await summarize(store, talk(9));
    await expect(readArchive({ store, secret, record })).rejects.toMatchObject({
      reason: 'archive',
      message: expect.stringContaining(`of the record ${record.id}`),
    });
  });

  it('keeps all of a conversation as long as it goes on, and not much longer', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const store = memoryStore();
    const conversationId = 'chat 1';
    const read = async (record: SummaryRecord): Promise<readonly Message[]> =>
      (await readArchive({ store, secret, conversationId, record, ancestors: true })).messages;
    const day = 24 * 60 * 60_000;
    for (let summary = 0; summary < 9; summary += 1) {
      const messages = talk(7 + 8 * summary);
      const { record, covered } = await summarize(store, messages, {
        archive: true,
        conversationId,
      });
      expect(await read(record)).toStrictEqual(messages.slice(0, covered));
      vi.setSystemTime(Date.now() + 29 * day);
      expect(await read(record)).toStrictEqual(messages.slice(0, covered));
      if (summary < 8) continue;
      vi.setSystemTime(Date.now() + 32 * day);
      await expect(read(record)).rejects.toMatchObject({ reason: 'archive' });
    }
  });

  it('gives the messages that are there, and says which are missing', async () => {
    const { open, entries } = sharedStore();
    const state = { store: open(), secret, conversationId: 'chat 1' };
    const options = { archive: true, conversationId: 'chat 1' };
    const messages = talk(15);
    const first = await summarize(open(), messages.slice(0, 7), options);
    const { record, covered } = await summarize(open(), messages, options);
    const ofFirst = [...entries].find(([, { value }]) => {
      const text = sealedText(value);
      return text.includes('"packed"') && text.includes(`"id":"${first.record.id}"`);
    });
    entries.delete(ofFirst?.[0] ?? '');
    expect(await readArchive({ ...state, record, ancestors: true })).toStrictEqual({
      messages: messages.slice(first.covered, covered),
      missing: [{ recordId: first.record.id, count: first.covered }],
    });
  });

  it.each([1_000_000, 128_000])(
    'keeps what a store takes that refuses more than %i characters, so that a summary is paid for once',
    async (most) => {
      await stopTime();
      const shared = sharedStore();
      const open = () =>
        shared.open((plain) => ({
          compareAndSet: async (key, entry) => {
            if (entry.value.length > most) throw new Error('The request is too large.');
            return plain.compareAndSet(key, entry);
          },
        }));
      const pictures = Array.from({ length: 3 }, () => picture(randomBytes(500_000)));
      const said = talk(11).slice(2);
      const messages = [user('Look.'), assistant('At what?'), ...pictures, ...said];
      const { record, covered } = await summarize(open(), messages, { archive: true });
      const read = await readArchive({ store: open(), secret, record });
      expect(read.messages.slice(0, 2)).toStrictEqual(messages.slice(0, 2));
      expect(JSON.stringify(read.messages[2])).toContain('its bytes were not kept');
      expect(read.messages.slice(5)).toStrictEqual(messages.slice(5, covered));
      const another = setUp({ contextLength: 100_000, store: open(), secret });
      await send(another, messages);
      expect(another.events.map(({ type }) => type)).toEqual(['check', 'applied']);
    },
  );

  it.each([
    [400_000, 100_000],
    [131_072, 40_000],
  ])(
    'asks a store that says its maxBytes, %i, for no more, and keeps what fits',
    async (maxBytes, bytes) => {
      const sizes: number[] = [];
      const shared = sharedStore();
      const store = shared.open((plain) => ({
        maxBytes,
        compareAndSet: async (key, entry) => {
          sizes.push(entry.value.length);
          return plain.compareAndSet(key, entry);
        },
      }));
      const long = assistant(randomBytes(bytes).toString('hex'));
      const said = [user('Look.'), long, picture(randomBytes(500_000))];
      const messages = [...said, assistant('A picture.'), ...talk(11)];
      const { record, covered } = await summarize(store, messages, { archive: true });
      const read = await readArchive({ store, secret, record });
      expect(read.messages.slice(0, 2)).toStrictEqual(messages.slice(0, 2));
      expect(JSON.stringify(read.messages[2])).toContain('its bytes were not kept');
      expect(read.messages.slice(3)).toStrictEqual(messages.slice(3, covered));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes);
      expect(sizes.filter((size) => size > bytes)).toHaveLength(1);
    },
  );

  it('keeps of a large file its type, its size and its digest', async () => {
    const store = memoryStore();
    const small = picture(large.slice(1));
    const messages = [picture(large), assistant('A picture.'), small, ...talk(5).slice(1)];
    const { record, covered } = await summarize(store, messages, {
      archive: { maxFileBytes: 2999 },
    });
    const read = await readArchive({ store, secret, record });
    const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', large)).toString('hex');
    expect(read.messages[0]?.content).toEqual([
      {
        type: 'text',
        text: `[a file of the type "image/png", 3000 bytes, SHA-256 ${sha256}: its bytes were not kept, as it is larger than 2999]`,
      },
    ]);
    expect(read.messages.slice(1)).toStrictEqual(messages.slice(1, covered));
  });

  it.each([undefined, 'chat 1'])(
    'leaves nothing of a conversation that is erased when its newest summary has ended (id %s)',
    async (id) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const { open, entries } = sharedStore();
      const store = open();
      const messages = talk(15);
      const options = { archive: true, conversationId: id };
      const first = await summarize(store, messages.slice(0, 7), options);
      const second = await summarize(store, messages, options);
      vi.setSystemTime(Date.now() + 40 * 24 * 60 * 60_000);
      const state = { store: open(), secret };
      await eraseConversation({
        ...state,
        ...(id === undefined ? { messages } : { conversationId: id }),
      });
      for (const { record } of [first, second])
        await expect(readArchive({ ...state, record, conversationId: id })).rejects.toMatchObject({
          reason: 'archive',
        });
      const texts = [...entries.values()].map(({ value }) => sealedText(value));
      expect(texts.filter((text) => !saysNothing(text))).toEqual([]);
    },
  );
});

function picture(data: Uint8Array): Message {
  return {
    role: 'user',
    content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data } }],
  };
}
