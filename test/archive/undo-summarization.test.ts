import { describe, expect, it, vi } from 'vitest';
import {
  eraseConversation,
  listSummaries,
  memoryStore,
  undoSummarization,
  type SummaryRecord,
  type SummaryStore,
  type SummaryStrategy,
} from '../../src/index.ts';
import { gateAt } from '../middleware/state/processes.ts';
import { knownStrategy } from '../properties/rig/known-strategy.ts';
import { lastPrompt } from '../support/prompts.ts';
import { recordOf, setUp } from '../support/set-up.ts';
import { secret, send, summarize, talk } from '../support/summarized-chat.ts';
import { saysNothing, sealedText } from '../support/sealed-text.ts';
import { seenElsewhere, sharedStore } from '../support/shared-store.ts';
import { until } from '../support/until.ts';
import { untyped } from '../support/untyped.ts';

/** A strategy that waits until it may go on. */
function gatedStrategy() {
  const known = knownStrategy();
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const strategy: SummaryStrategy = {
    name: 'gated',
    summarize: async (input) => {
      begun.resolve();
      await gate.promise;
      return known.summarize(input);
    },
  };
  return { strategy, hasBegun: begun.promise, goOn: gate.resolve };
}

const ids = [undefined, 'chat 1'];

describe('undoSummarization', () => {
  it.each(
    ids.flatMap((conversationId) =>
      ['the same process', 'another one'].map((where) => ({ conversationId, where })),
    ),
  )(
    'sends the whole conversation again, without the trigger firing at once: %o',
    async ({ conversationId, where }) => {
      const store = memoryStore();
      const strategy = knownStrategy();
      const options = { strategy, secret, tokenThreshold: 1000, contextLength: 100_000 };
      const warm = setUp({ store, ...options });
      await send(warm, talk(13), { conversationId });
      expect(strategy.inputs).toHaveLength(1);
      const input = { store, secret, conversationId, record: recordOf(warm) };
      const undone = { record: undefined, isParentGone: false };
      expect(await undoSummarization(input)).toEqual(undone);
      const shared = where === 'another one' ? seenElsewhere(store) : store;
      const next = setUp({ store: shared, ...options });
      for (const count of [13, 15, 17]) {
        await send(next, talk(count), { conversationId });
        expect(lastPrompt(next.inner)).toEqual(talk(count));
      }
      expect(strategy.inputs).toHaveLength(1);
      await send(next, talk(31), { conversationId });
      expect(strategy.inputs).toHaveLength(2);
    },
  );

  it('says that the text of the summary before has left', async () => {
    const store = memoryStore();
    vi.useFakeTimers({ toFake: ['Date'] });
    const options = { conversationId: 'chat 1' };
    await summarize(store, talk(7), options);
    const { record } = await summarize(store, talk(15), options);
    vi.setSystemTime(Date.now() + 61 * 60_000);
    const undone = await undoSummarization({ store, secret, ...options, record });
    vi.useRealTimers();
    expect(undone).toEqual({ record: undefined, isParentGone: true });
  });

  it.each([undefined, null, 'id', {}, { id: '0'.repeat(16) }])(
    'refuses %o by name',
    async (bad) => {
      const input = { store: memoryStore(), secret, record: untyped<SummaryRecord>(bad) };
      await expect(undoSummarization(input)).rejects.toThrow(/Invalid option record: .* a record/);
    },
  );

  it.each(ids)('is not brought back by one that continues it (id %s)', async (conversationId) => {
    const store = memoryStore();
    const first = await summarize(store, talk(7), { conversationId });
    const { strategy, hasBegun, goOn } = gatedStrategy();
    const making = summarize(store, talk(15), { conversationId, strategy });
    await hasBegun;
    await undoSummarization({ store, secret, conversationId, record: first.record });
    goOn();
    await making;
    const given = conversationId === undefined ? { messages: talk(15) } : { conversationId };
    expect(await listSummaries({ store, secret, ...given })).toEqual([]);
    await send(first, talk(15), { conversationId });
    expect(lastPrompt(first.inner)).toEqual(talk(15));
  });

  it.each(ids)('is not brought back by a later process (id %s)', async (conversationId) => {
    const store = memoryStore();
    const { strategy, hasBegun, goOn } = gatedStrategy();
    let hasLease = false;
    const late: SummaryStore = {
      ...seenElsewhere(store),
      compareAndSet: (key, entry) => {
        // Its lease is lost at once.
        const isLease = entry.expected === undefined && !hasLease;
        hasLease ||= isLease;
        return isLease ? Promise.resolve(true) : store.compareAndSet(key, entry);
      },
    };
    const making = summarize(late, talk(9), { conversationId, strategy });
    await hasBegun;
    const { record } = await summarize(seenElsewhere(store), talk(9), { conversationId });
    await undoSummarization({ store, secret, conversationId, record });
    goOn();
    expect((await making).record.id).toBe(record.id);
    const given = conversationId === undefined ? { messages: talk(9) } : { conversationId };
    expect(await listSummaries({ store, secret, ...given })).toEqual([]);
  });

  it('leaves no archive that another process brings back meanwhile', async () => {
    const { open, entries } = sharedStore();
    const conversationId = 'chat 1';
    const own = open();
    const { record } = await summarize(own, talk(9), { conversationId, archive: true });
    const isArchive = (text: string): boolean =>
      text.includes('"packed"') && text.includes(record.prefixDigest);
    const { gate, change } = gateAt(isArchive);
    const options = { archive: true, minMessages: 4, preserveRecent: 2, contextLength: 100_000 };
    const process = setUp({ store: open(change), secret, ...options });
    await send(process, talk(9), { conversationId });
    entries.clear();
    const sending = send(process, talk(15), { conversationId, force: true });
    await until(() => gate.isReached);
    await undoSummarization({ store: own, secret, conversationId, record });
    gate.open();
    await sending;
    const texts = [...entries.values()].map(({ value }) => sealedText(value));
    expect(texts.filter(isArchive)).toEqual([]);
  });

  it('leaves no archive that only its own one led to, and that an erasure would not find', async () => {
    const { open, entries } = sharedStore();
    const conversationId = 'chat 1';
    const options = { conversationId, archive: true };
    const state = { store: open(), secret, conversationId };
    const first = await summarize(open(), talk(7), options);
    const { gate, change } = gateAt((text) => text.startsWith('{"epoch"'));
    const undoing = undoSummarization({ ...state, store: open(change), record: first.record });
    await until(() => gate.isReached);
    const process = open();
    await summarize(process, talk(15), options);
    const third = await summarize(process, talk(23), options);
    gate.open();
    await undoing;
    await undoSummarization({ ...state, record: third.record });
    await eraseConversation(state);
    const texts = [...entries.values()].map(({ value }) => sealedText(value));
    expect(texts.filter((text) => !saysNothing(text))).toEqual([]);
  });

  it('leaves encrypted what was', async () => {
    const store = memoryStore();
    const options = { conversationId: 'chat 1', encrypt: true };
    const first = await summarize(store, talk(7), options);
    const { record } = await summarize(store, talk(15), options);
    const written: string[] = [];
    const watched: SummaryStore = {
      ...seenElsewhere(store),
      compareAndSet: (key, entry) => {
        written.push(entry.value);
        return store.compareAndSet(key, entry);
      },
    };
    await undoSummarization({ store: watched, secret, conversationId: 'chat 1', record });
    expect(written.length).toBeGreaterThan(0);
    for (const value of written)
      expect(Buffer.from(value.split(':').at(-1) ?? '', 'base64').toString()).not.toContain(
        first.record.summary,
      );
  });

  it.each(ids)('says the same when it is asked again (id %s)', async (conversationId) => {
    const store = memoryStore();
    const first = await summarize(store, talk(7), { conversationId });
    const { record } = await summarize(store, talk(15), { conversationId });
    const state = { store, secret, conversationId };
    const ofSecond = { record: first.record, isParentGone: false };
    for (let request = 0; request < 3; request += 1)
      expect(await undoSummarization({ ...state, record })).toEqual(ofSecond);
    const ofFirst = { record: undefined, isParentGone: false };
    for (let request = 0; request < 3; request += 1)
      expect(await undoSummarization({ ...state, record: first.record })).toEqual(ofFirst);
  });

  it('lets the same messages be summarized again', async () => {
    const store = memoryStore();
    const { record } = await summarize(store, talk(9));
    await undoSummarization({ store, secret, record });
    const again = await summarize(store, talk(9));
    expect(again.record.id).toBe(record.id);
    await send(again, talk(9));
    expect(JSON.stringify(lastPrompt(again.inner))).toContain(again.record.summary);
    await undoSummarization({ store, secret, record: again.record });
  });
});

it('a summary behind what was undone is planned once', async () => {
  const looksAt = async (isUndone: boolean): Promise<number> => {
    const store = sharedStore().open();
    const { record } = await summarize(store, talk(15));
    if (isUndone) await undoSummarization({ store, secret, record });
    let looks = 0;
    const pin = (): boolean => {
      looks += 1;
      return false;
    };
    await summarize(store, talk(29), { pin });
    return looks;
  };
  expect([await looksAt(false), await looksAt(true)]).toEqual([29, 29]);
});

it('what is undone stays so where a call that had found it before continues it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const shared = sharedStore();
  const { record } = await summarize(shared.open(), talk(15));
  const { gate, change } = gateAt(() => true);
  const undoing = undoSummarization({
    store: shared.open(change),
    secret,
    record,
  });
  await until(() => gate.isReached);
  vi.setSystemTime(Date.now() + 1000);
  // It claims to continue what it has found, and only then hears that this is undone.
  const store = shared.open(({ compareAndSet }) => ({
    compareAndSet: async (key, entry) => {
      gate.open();
      await undoing;
      return compareAndSet(key, entry);
    },
  }));
  await summarize(store, talk(29));
  vi.useRealTimers();
  const state = { store: shared.open(), secret, messages: talk(29) };
  expect(await listSummaries(state)).toEqual([]);
});
