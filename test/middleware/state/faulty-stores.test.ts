import { describe, expect, it, vi } from 'vitest';
import { eraseConversation, readArchive, type SummaryStore } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { recordOf } from '../../support/set-up.ts';
import { sharedStore, type SharedStore } from '../../support/shared-store.ts';
import { until } from '../../support/until.ts';
import { untyped } from '../../support/untyped.ts';
import { processes, refreshTime, secret, settled, withFakeClock } from './processes.ts';

const messages = chat(19);
/** Far from the trigger: nothing is paid for, but the summary is sent, and with it compared. */
const fewer = messages.slice(0, 15);
withFakeClock();

describe('a store that', () => {
  it('has lost what was erased costs one summary behind the erasure', async () => {
    const { start, paid } = processes();
    const store: SummaryStore = {
      get: async () => undefined,
      compareAndSet: async () => true,
      delete: async () => {},
    };
    const { send } = start(store);
    await send(messages);
    // It cannot say that it holds the mark of an erasure.
    const erasing = settled(eraseConversation({ store, secret, messages }));
    await expect(erasing).rejects.toThrow('did not confirm');
    vi.advanceTimersByTime(1000);
    for (let request = 0; request < 5; request += 1) {
      await send(messages);
      await refreshTime();
    }
    expect(paid()).toBe(2);
  });

  it('fails for a moment is asked again before a summary is paid for', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    const sent = await start(store.open()).send(messages);
    let failures = 2;
    const failing = ({ get }: SummaryStore): Partial<SummaryStore> => ({
      get: async (key) => ((failures -= 1) >= 0 ? Promise.reject(new Error('down')) : get(key)),
    });
    expect(await start(store.open(failing)).send(messages)).toBe(sent);
    expect(paid()).toBe(1);
  });

  it('is down is told of once, to be mended, and once more when it answers again', async () => {
    let isDown = true;
    const changed = ({ get }: SummaryStore): Partial<SummaryStore> => ({
      get: async (key) => (isDown ? Promise.reject(new Error('down')) : get(key)),
    });
    const { send, events } = processes().start(sharedStore().open(changed));
    const told = async (): Promise<string[]> => {
      events.length = 0;
      await send(fewer);
      await refreshTime();
      const about = events.filter(({ type }) => /outage|warning/.test(type));
      return about.map((event) => JSON.stringify(event));
    };
    expect([await told(), await told()]).toEqual([[], []]);
    const saying = (words: string): unknown => expect.stringContaining(words);
    expect(await told()).toEqual([saying('"isOver":false'), saying('"state-not-shared"')]);
    expect(await told()).toEqual([]);
    isDown = false;
    vi.advanceTimersByTime(60_000);
    expect(await told()).toEqual([saying('"isOver":true')]);
  });
});

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

  it('is written again without originals by a conversation that only opens like another', async () => {
    const store = sharedStore();
    const warm = processes().start(store.open(), { archive: true });
    await warm.send(messages);
    const record = recordOf(warm);
    const alike = [...messages.slice(0, 8), ...chat(21).slice(10)];
    await warm.send(alike);
    store.entries.clear();
    await refreshTime();
    await warm.send(alike);
    await refreshTime();
    const reading = readArchive({ store: store.open(), secret, record });
    await expect(settled(reading)).rejects.toMatchObject({ reason: 'archive' });
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
      const before = await warm.send(messages);
      await settled(eraseConversation({ store: store.open(), secret, messages }));
      await refreshTime();
      await warm.send(fewer);
      await refreshTime();
      const sent = await warm.send(messages);
      expect(sent).not.toBe(before);
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
    await settled(eraseConversation({ store: store.open(), secret, messages }));
    const left = JSON.stringify([...store.entries]);
    for (let request = 0; request < 3; request += 1) {
      await refreshTime();
      await warm.send(fewer);
    }
    expect(JSON.stringify([...store.entries])).toBe(left);
    expect(paid()).toBe(1);
  });

  it('is not written again when its time has come', async () => {
    const store = sharedStore();
    const warm = processes().start(store.open(), { retentionMs: 60_000 });
    await warm.send(messages);
    vi.advanceTimersByTime(60_001);
    for (let request = 0; request < 2; request += 1) {
      await warm.send(fewer);
      await refreshTime();
    }
    const now = Date.now();
    expect([...store.entries.values()].filter(({ expiresAt }) => expiresAt > now)).toEqual([]);
  });

  it('is forgotten at once where the store object that erased it is that of the middleware', async () => {
    const store = sharedStore().open();
    const { send } = processes().start(store);
    const before = await send(messages);
    await settled(eraseConversation({ store, secret, messages }));
    expect(await send(messages)).not.toBe(before);
  });
});
