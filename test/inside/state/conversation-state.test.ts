import { expect, it } from 'vitest';
import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import { eraseConversation, type Message } from '../../../src/index.ts';
import { quiet } from '../../support/quiet.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { openState, testSecret } from '../support/open-state.ts';
import { kept } from './document-fixtures.ts';

const messages: readonly Message[] = Array.from({ length: 31 }, (_, index) =>
  index % 2 === 0
    ? { role: 'user', content: [{ type: 'text', text: `Question ${index}` }] }
    : { role: 'assistant', content: [{ type: 'text', text: `Answer ${index}` }] },
);

it('keeps what was begun behind the erasure of another conversation in its document', async () => {
  const shared = sharedStore();
  const store = shared.open();
  const identity = identifyConversation(messages);
  const request = () => openState(messages, store, { isSameProcess: true });
  const write = async (state: ReturnType<typeof request>, count: number) => {
    const prefixDigest = await identity.prefixDigest(count);
    const { record, lastSummarization } = kept(prefixDigest);
    const claim = await state.claim(count, { token: `of ${count}`, joins: 'any', seen: new Map() });
    if (claim === 'taken' || 'record' in claim) throw new Error('Nobody else writes it.');
    const parentDigest = state.found?.record.prefixDigest;
    const written = { ...record, coveredMessages: count };
    return state.save({ record: written, lastSummarization, from: 0, parentDigest }, claim);
  };
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
