import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readArchive } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { fakeClock, processes, secret } from './processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const messages = chat(19);

it('a process whose client writes again what was written, and hears of the second time, goes on as usual', async () => {
  const { start, paid } = processes();
  const store = sharedStore();
  const twice = store.open(({ compareAndSet }) => ({
    compareAndSet: async (...given) => {
      await compareAndSet(...given);
      return compareAndSet(...given);
    },
  }));
  const startedAt = Date.now();
  const process = start(twice, { archive: true });
  const sent = await process.send(messages);
  // A lease that it takes for somebody else's ends after ten seconds.
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  expect(await start(store.open()).send(messages)).toBe(sent);
  expect(paid()).toBe(1);
  const end = process.events.find((event) => event.type === 'end');
  if (end === undefined) throw new Error('expected a summary');
  const { messages: archived } = await readArchive({
    store: store.open(),
    secret,
    record: end.record,
  });
  expect(archived).toHaveLength(end.coveredMessages);
});
