import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eraseConversation,
  listSummaries,
  readArchive,
  undoSummarization,
  type Message,
  type SummaryStore,
} from '../../src/index.ts';
import { knownStrategy } from '../properties/rig/known-strategy.ts';
import type { Engine } from '../stores/engines.ts';
import { lastPrompt } from '../support/prompts.ts';
import { put } from '../support/put.ts';
import { sealedText } from '../support/sealed-text.ts';
import { setUp } from '../support/set-up.ts';
import { secret, send, summarize, talk } from '../support/summarized-chat.ts';

/** Tells of the values that a store is given. */
function watched(store: SummaryStore): readonly [SummaryStore, ReadonlyMap<string, string>] {
  const values = new Map<string, string>();
  const compareAndSet: SummaryStore['compareAndSet'] = (key, entry) => {
    values.set(key, entry.value);
    return store.compareAndSet(key, entry);
  };
  return [{ get: store.get, compareAndSet, delete: store.delete }, values];
}

/** A picture that does not compress. */
function picture(length: number): Message {
  const data = new Uint8Array(length);
  for (let start = 0; start < length; start += 65_536)
    crypto.getRandomValues(data.subarray(start, start + 65_536));
  return {
    role: 'user',
    content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data } }],
  };
}

/** Describes what becomes of summaries and originals on an engine, as two of its processes see them. */
export function describeState(
  name: string,
  start: () => Promise<Pick<Engine, 'open' | 'stop'>>,
): void {
  describe(`state on ${name}`, () => {
    let engine: Pick<Engine, 'open' | 'stop'> | undefined;
    beforeAll(async () => {
      engine = await start();
    });
    afterAll(async () => engine?.stop());
    const openTwo = (): readonly [SummaryStore, SummaryStore] => {
      if (engine === undefined) throw new Error('It has not started.');
      return [engine.open(), engine.open()];
    };

    it.each([true, false])(
      'is archived, listed, undone and erased, as any process sees it (with an id: %s)',
      async (hasId) => {
        const [one, other] = openTwo();
        const conversationId = hasId ? crypto.randomUUID() : undefined;
        const options = { archive: true, conversationId };
        const of = { store: other, secret, conversationId };
        const messages = [picture(300_000), ...talk(16).slice(1)];
        const whose = conversationId === undefined ? { messages } : { conversationId };
        const given = { store: other, secret, ...whose };
        const listed = async () => (await listSummaries(given)).map(({ id }) => id);
        const first = await summarize(one, messages.slice(0, 7), options);
        await send(first, messages, { conversationId });
        const before = lastPrompt(first.inner);
        const second = await summarize(one, messages, options);

        const { record } = second;
        const read = await readArchive({ ...of, record, ancestors: true });
        expect(read.messages).toStrictEqual(messages.slice(0, second.covered));
        expect(await listed()).toEqual([record.id, first.record.id]);

        const undone = { record: first.record, isParentGone: false };
        expect(await undoSummarization({ ...of, record })).toEqual(undone);
        expect(await listed()).toEqual([first.record.id]);
        await expect(readArchive({ ...of, record })).rejects.toMatchObject({ reason: 'archive' });
        const again = await readArchive({ ...of, record: first.record });
        expect(again).toStrictEqual({ messages: messages.slice(0, first.covered), missing: [] });
        // A process that knew nothing sends what was sent before, and pays for nothing.
        const strategy = knownStrategy();
        const alike = { contextLength: 100_000, preserveRecent: 2, preserveRecentTokenRatio: 0 };
        const cold = setUp({ ...alike, store: other, secret, strategy });
        await send(cold, messages, { conversationId });
        expect(lastPrompt(cold.inner)).toEqual(before);
        expect(strategy.inputs).toHaveLength(0);

        await eraseConversation(given);
        expect(await listed()).toEqual([]);
        await expect(readArchive({ ...of, record: first.record })).rejects.toMatchObject({
          reason: 'archive',
        });
      },
    );

    it.each([
      ['damaged', (value: string) => `${value.slice(0, -2)}AA`],
      ['gone', () => undefined],
    ])('says which originals are %s, and leaves the record usable', async (_how, change) => {
      const [one, other] = openTwo();
      const conversationId = crypto.randomUUID();
      const options = { archive: true, conversationId };
      const of = { store: other, secret, conversationId };
      const messages = [
        picture(300_000),
        ...talk(4).slice(1),
        picture(300_000),
        ...talk(6).slice(1),
      ];
      const [store, values] = watched(one);
      const { record, covered } = await summarize(store, messages, options);
      const archives = [...values].filter(([, value]) => sealedText(value).includes('"packed":"'));
      expect(archives).toHaveLength(1);
      const [key = '', value = ''] = archives[0] ?? [];
      const changed = change(value);
      await (changed === undefined ? one.delete(key) : put(one, key, changed));
      await expect(readArchive({ ...of, record })).rejects.toMatchObject({
        reason: 'archive',
        message: expect.stringContaining(`of the record ${record.id}`),
      });
      await put(one, key, value);
      const { messages: whole } = await readArchive({ ...of, record });
      expect(whole).toStrictEqual(messages.slice(0, covered));
      await one.delete(key);
      const next = await summarize(other, [...messages, ...talk(5).slice(1)], options);
      expect(next.record.parentId).toBe(record.id);
    });

    it.each([true, false])(
      'refuses by name what is not the newest, or of another namespace (with an id: %s)',
      async (hasId) => {
        const [one, other] = openTwo();
        const conversationId = hasId ? crypto.randomUUID() : undefined;
        const namespace = crypto.randomUUID();
        const options = { archive: true, conversationId, namespace };
        const first = await summarize(one, talk(7), options);
        const { record } = await summarize(one, talk(15), options);
        const of = { store: other, secret, conversationId, namespace, record };
        const undo = (input: object = {}): Promise<unknown> =>
          undoSummarization({ ...of, ...input });
        await expect(undo({ record: first.record })).rejects.toThrow(
          /Invalid option record: .* the newest record of its conversation/,
        );
        for (const wrong of [{ namespace: 'b' }, { conversationId: 'another' }])
          for (const read of [undo, async () => readArchive({ ...of, ...wrong })])
            await expect(read(wrong)).rejects.toThrow(
              /Invalid option record: .*(?:namespace|conversationId)/,
            );
        const undone = await undo();
        expect(undone).toMatchObject({ record: { id: first.record.id }, isParentGone: false });
        expect(await undo()).toEqual(undone);
      },
    );
  });
}
