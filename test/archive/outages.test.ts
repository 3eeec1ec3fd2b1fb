import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listSummaries, readArchive, type SummaryStore } from '../../src/index.ts';
import { recallTool, type RecallOutput } from '../../src/entries/recall/index.ts';
import { fakeClock, processes, refreshTime, secret } from '../middleware/state/processes.ts';
import { chat } from '../support/messages.ts';
import { sealedText } from '../support/sealed-text.ts';
import { sharedStore } from '../support/shared-store.ts';
import { turns, until } from '../support/until.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const messages = chat(19);
const conversationId = 'chat 1';
const of = { secret, conversationId };

/** A store that can be down; it is the same object all the time. */
function unsteadyStore() {
  const server = sharedStore();
  const state = { isDown: false, refuses: (_value: string): boolean => false };
  const fault = (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'));
  const store = server.open(({ get, compareAndSet, delete: remove }) => ({
    get: (key) => (state.isDown ? fault() : get(key)),
    compareAndSet: (key, entry) =>
      state.isDown || state.refuses(entry.value) ? fault() : compareAndSet(key, entry),
    delete: (key) => (state.isDown ? fault() : remove(key)),
  }));
  return { server, store, state };
}

/** Lets a store be used again that was left alone. */
async function recovered(): Promise<void> {
  vi.advanceTimersByTime(61_000);
  await turns(100);
}

/** Asks the tool for a word of the first message. */
async function ask(recall: ReturnType<typeof recallTool>): Promise<RecallOutput> {
  const call = { toolCallId: 'a', messages: [], context: {} };
  const answer: unknown = await recall.execute?.({ query: 'Question' }, call);
  if (typeof answer !== 'object' || answer === null || !('passages' in answer))
    throw new Error('The tool did not answer.');
  return Object.assign({ recalledFromArchive: true as const, passages: [] }, answer);
}

describe('an archive', () => {
  it('is written ahead of its record, once the store takes it', async () => {
    const { start, paid } = processes();
    const { server, store, state } = unsteadyStore();
    const warm = start(store, { archive: true });
    // No value of an archive, but everything else.
    state.refuses = (value) => !sealedText(value).startsWith('{"epoch"');
    const sent = await warm.send(messages, { conversationId });
    expect(await listSummaries({ store: server.open(), ...of })).toEqual([]);
    const [mine] = await listSummaries({ store, ...of });
    state.refuses = () => false;
    await recovered();
    expect(await warm.send(messages, { conversationId })).toBe(sent);
    await refreshTime();
    const other = server.open();
    const [record] = await listSummaries({ store: other, ...of });
    if (record === undefined) throw new Error('There is no record.');
    expect(record.id).toBe(mine?.id);
    const read = await readArchive({ store: other, ...of, record });
    expect(read.messages).toHaveLength(record.coveredMessages);
    expect(paid()).toBe(1);
  });

  it('is not written before the document names it, for an erasure to find', async () => {
    const { start } = processes();
    const { server, store, state } = unsteadyStore();
    state.refuses = (value) => sealedText(value).startsWith('{"epoch"');
    await start(store, { archive: true }).send(messages, { conversationId });
    await recovered();
    expect([...server.entries]).toEqual([]);
  });

  it('is written again with a record that the store has lost', async () => {
    const { start } = processes();
    const server = sharedStore();
    const warm = start(server.open(), { archive: true });
    await warm.send(messages, { conversationId });
    const held = server.entries.size;
    server.entries.clear();
    await refreshTime();
    await warm.send(messages, { conversationId });
    await until(() => server.entries.size >= held - 1);
    await refreshTime();
    const store: SummaryStore = server.open();
    const [record] = await listSummaries({ store, ...of });
    if (record === undefined) throw new Error('There is no record.');
    const { messages: read } = await readArchive({ store, ...of, record });
    expect(read).toHaveLength(record.coveredMessages);
  });
});

describe('while the store is down', () => {
  it.each([
    ['by its id', { conversationId }],
    ['by its messages', { messages }],
  ])('listSummaries lists what this process knows, %s', async (_how, given) => {
    const { start } = processes();
    const { store, state } = unsteadyStore();
    const call = 'conversationId' in given ? { conversationId } : {};
    await start(store).send(messages, call);
    const listed = await listSummaries({ store, secret, ...given });
    expect(listed).toHaveLength(1);
    state.isDown = true;
    for (let request = 0; request < 8; request += 1)
      expect(await listSummaries({ store, secret, ...given })).toEqual(listed);
  });

  it('listSummaries says of what it does not know that the store did not answer, each time', async () => {
    const { store, state } = unsteadyStore();
    state.isDown = true;
    for (let request = 0; request < 8; request += 1)
      await expect(listSummaries({ store, ...of })).rejects.toMatchObject({
        reason: 'store',
        retryable: true,
      });
  });

  it('readArchive says that the store did not answer, and not that messages are gone', async () => {
    const { start } = processes();
    const { store, state } = unsteadyStore();
    await start(store, { archive: true }).send(messages, { conversationId });
    const [record] = await listSummaries({ store, ...of });
    if (record === undefined) throw new Error('There is no record.');
    state.isDown = true;
    for (let request = 0; request < 8; request += 1)
      await expect(readArchive({ store, ...of, record })).rejects.toMatchObject({
        reason: 'store',
        retryable: true,
      });
  });

  it('recallTool searches what it has opened, and opens the rest when the store is back', async () => {
    const { start } = processes();
    const { store, state } = unsteadyStore();
    await start(store, { archive: true }).send(messages, { conversationId });
    const [opened, unopened] = [recallTool({ store, ...of }), recallTool({ store, ...of })];
    const found = await ask(opened);
    expect(found.passages).not.toEqual([]);
    state.isDown = true;
    for (let request = 0; request < 8; request += 1) expect(await ask(opened)).toEqual(found);
    expect((await ask(unopened)).note).toMatch(/cannot be read/);
    state.isDown = false;
    await recovered();
    expect(await ask(unopened)).toEqual(found);
  });
});
