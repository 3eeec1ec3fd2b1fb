import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eraseConversation, listSummaries, undoSummarization } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { fakeClock, processes, secret } from './processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const messages = chat(19);

it('what another process has erased leaves the process that is asked for it too', async () => {
  const { start } = processes();
  const shared = sharedStore();
  const [here, there] = [shared.open(), shared.open()];
  const { send } = start(here);
  expect(await send(messages)).toContain('Summary 1.');
  for (const store of [there, here]) await eraseConversation({ store, secret, messages });
  expect(await send(messages)).not.toContain('Summary 1.');
});

it('what another process has undone leaves the process that is asked for it too', async () => {
  const { start } = processes();
  const shared = sharedStore();
  const [here, there] = [shared.open(), shared.open()];
  const { send } = start(here);
  await send(messages);
  const [record] = await listSummaries({ store: there, secret, messages });
  if (record === undefined) throw new Error('There is a summary.');
  await undoSummarization({ store: there, secret, record });
  await expect(undoSummarization({ store: here, secret, record })).rejects.toThrow(
    'not undone or erased before',
  );
  expect(await send(messages)).not.toContain('Summary 1.');
});
