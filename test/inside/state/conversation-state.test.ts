import { expect, it, vi } from 'vitest';
import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import { eraseConversation, type Message } from '../../../src/index.ts';
import { saveSummary, takeTurn } from '../../../src/state/keep-summary.ts';
import { quiet } from '../../support/quiet.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { openState, testSecret } from '../support/open-state.ts';
import { kept } from './document-fixtures.ts';

const messages: readonly Message[] = Array.from({ length: 31 }, (_, index) =>
  index % 2 === 0
    ? { role: 'user', content: [{ type: 'text', text: `Question ${index}` }] }
    : { role: 'assistant', content: [{ type: 'text', text: `Answer ${index}` }] },
);

/** Writes and saves a summary of the first `count` messages, as a request does. */
async function write(state: ReturnType<typeof openState>, count: number) {
  const prefixDigest = await identifyConversation(messages).prefixDigest(count);
  const { record, lastSummarization } = kept(prefixDigest);
  const claim = await takeTurn(state, count, {
    joins: 'any',
    patienceMs: 0,
    hurry: new AbortController().signal,
    isWanted: () => true,
  });
  if ('record' in claim) throw new Error('Nobody else writes it.');
  const parentDigest = state.found?.record.prefixDigest;
  const written = { ...record, coveredMessages: count };
  return saveSummary(state, { record: written, lastSummarization, from: 0, parentDigest }, claim);
}

it('keeps nothing that goes on from a summary which was erased while it was being found', async () => {
  const store = sharedStore().open();
  const request = () => openState(messages, store, { isSameProcess: true });
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  const erase = () => eraseConversation({ store, secret: testSecret, messages });
  const dropped: number[] = [];
  // Digests are waited for: those of where a summary stands, then those that decide whether it is theirs.
  for (const turn of [1, 2, 3, 4, 5]) {
    await write(request(), 19);
    let count = 0;
    const comparing = vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (...given) => {
      count += 1;
      if (count === turn) await erase();
      return digest(...given);
    });
    const state = request();
    await state.find();
    comparing.mockRestore();
    if (state.found === undefined) continue;
    const isErased = count >= turn;
    if (!isErased) await erase();
    expect(await write(state, 25), `erased in digest ${turn}`).toBe(undefined);
    if (isErased) dropped.push(turn);
  }
  expect(dropped).not.toEqual([]);
});

it('keeps what was begun behind the erasure of another conversation in its document', async () => {
  const shared = sharedStore();
  const store = shared.open();
  const request = () => openState(messages, store, { isSameProcess: true });
  await write(request(), 19);
  // It opens alike, so that both stand in one document.
  const others = [...messages.slice(0, 9), messages[20] ?? messages[0]].filter(
    (message) => message !== undefined,
  );
  await eraseConversation({ store: shared.open(), secret: testSecret, messages: others });

  const state = request();
  expect((await state.find())?.record.coveredMessages).toBe(19);
  // The store is asked beside the call, and has answered before it pays.
  await quiet();
  expect((await state.findBeforePaying())?.record.coveredMessages).toBe(19);
  expect((await write(state, 25))?.record.coveredMessages).toBe(25);
});
