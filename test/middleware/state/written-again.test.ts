import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eraseConversation } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { sealedText } from '../../support/sealed-text.ts';
import { sharedStore, type SharedStore } from '../../support/shared-store.ts';
import { untyped } from '../../support/untyped.ts';
import { until } from '../../support/until.ts';
import { fakeClock, processes, refreshTime, secret } from './processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const messages = chat(19);

/** Far from the trigger: nothing is paid for, but the summary is sent, and with it compared. */
const fewer = messages.slice(0, 15);

/** Ways in which a store loses what it was given. */
const losses: readonly [string, (store: SharedStore) => void][] = [
  ['is gone', ({ entries }) => entries.clear()],
  ['was cut off', ({ alter }) => alter((value) => value.slice(0, -10))],
  ['was altered', ({ alter }) => alter((value) => value.replace(/.$/, '!'))],
  ['is of another format', ({ alter }) => alter(() => '[{"count":6,"digest":"x"}]')],
];

describe('what a store has lost', () => {
  it.each(losses)('is written again by a process that knows it: what %s', async (_what, lose) => {
    const { start, paid } = processes();
    const store = sharedStore();
    const warm = start(store.open());
    const sent = await warm.send(messages);
    const held = store.entries.size;
    lose(store);
    const lost = new Set([...store.entries.values()].map(({ value }) => value));
    await refreshTime();
    expect(await warm.send(messages)).toBe(sent);
    await until(
      () =>
        store.entries.size >= held - 2 &&
        ![...store.entries.values()].some(({ value }) => lost.has(value)),
    );
    await refreshTime();
    expect(await start(store.open()).send(messages)).toBe(sent);
    expect(paid()).toBe(1);
  });

  it.each([...losses, ['is no text', undefined] as const])(
    'is sent and written again where the conversation was erased before: what %s',
    async (_what, lose) => {
      const { start, paid } = processes();
      const store = sharedStore();
      let answersObjects = false;
      const warm = start(
        store.open(({ get }) => ({
          get: async (key) => (answersObjects ? untyped<string>({}) : get(key)),
        })),
      );
      await warm.send(messages);
      await eraseConversation({ store: store.open(), secret, messages });
      await refreshTime();
      await warm.send(fewer);
      await refreshTime();
      const sent = await warm.send(messages);
      expect(paid()).toBe(2);
      if (lose === undefined) answersObjects = true;
      else lose(store);
      for (let request = 0; request < 3; request += 1) {
        await refreshTime();
        expect(await warm.send(messages)).toBe(sent);
      }
      answersObjects = false;
      await refreshTime();
      expect(await start(store.open()).send(messages)).toBe(sent);
      expect(paid()).toBe(2);
    },
  );

  it('is not written again once a process erased the conversation', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    const warm = start(store.open());
    await warm.send(messages);
    await eraseConversation({ store: store.open(), secret, messages });
    const left = JSON.stringify([...store.entries]);
    for (let request = 0; request < 3; request += 1) {
      await refreshTime();
      await warm.send(fewer);
    }
    expect(JSON.stringify([...store.entries])).toBe(left);
    expect(paid()).toBe(1);
  });

  it.each([
    ['in place of the record', '{"ending":'],
    ['in its lists', '{"entries":'],
  ])('is not written again once it was erased, where that was lost %s', async (_where, lost) => {
    const { start } = processes();
    const store = sharedStore();
    const warm = start(store.open());
    const sent = await warm.send(messages);
    await eraseConversation({ store: store.open(), secret, messages });
    for (const [key, { value }] of store.entries)
      if (sealedText(value).startsWith(lost)) store.entries.delete(key);
    const left = [...store.entries.keys()];
    await refreshTime();
    expect(await warm.send(fewer)).toContain('Summary 1.');
    await refreshTime();
    expect([...store.entries.keys()]).toEqual(left);
    expect(await warm.send(messages)).not.toBe(sent);
  });

  it('names the erasure again that came before it, for whoever has not heard of that', async () => {
    const { start } = processes();
    const store = sharedStore();
    const old = start(store.open());
    expect(await old.send(messages)).toContain('Summary 1.');
    await eraseConversation({ store: store.open(), secret, messages });
    const warm = start(store.open());
    await warm.send(messages);
    for (const [key, { value }] of store.entries)
      if (sealedText(value).startsWith('{"entries":')) store.entries.delete(key);
    await refreshTime();
    await warm.send(chat(31));
    await old.send(fewer);
    await refreshTime();
    expect(await old.send(messages)).not.toContain('Summary 1.');
  });

  it('is not written again when its time has come', async () => {
    const { start } = processes();
    const store = sharedStore();
    const warm = start(store.open(), { retentionMs: 60_000 });
    await warm.send(messages);
    vi.advanceTimersByTime(60_001);
    await warm.send(fewer);
    await refreshTime();
    await warm.send(fewer);
    await refreshTime();
    const now = Date.now();
    expect([...store.entries.values()].filter(({ expiresAt }) => expiresAt > now)).toEqual([]);
  });
});

describe('a conversation that was erased', () => {
  it('is summarised anew, by the process that made its summary too', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    const warm = start(store.open());
    const before = await warm.send(messages);
    await eraseConversation({ store: store.open(), secret, messages });
    await refreshTime();
    await warm.send(messages);
    await refreshTime();
    const after = await warm.send(messages);
    expect(after).not.toBe(before);
    expect(await start(store.open()).send(messages)).toBe(after);
    expect(paid()).toBe(2);
  });

  it('is forgotten at once where the store object is that of the middleware', async () => {
    const { start } = processes();
    const store = sharedStore().open();
    const { send } = start(store);
    const before = await send(messages);
    await eraseConversation({ store, secret, messages });
    expect(await send(messages)).not.toBe(before);
  });
});
