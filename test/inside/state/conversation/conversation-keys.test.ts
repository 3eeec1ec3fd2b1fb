import { expect, it } from 'vitest';
import { identifyConversation } from '../../../../src/prompt/identity/conversation-identity.ts';
import { conversationKeys } from '../../../../src/state/conversation/conversation-keys.ts';
import { user } from '../../../support/prompt-messages.ts';

const keys = { key: async (...fields: readonly string[]) => fields.join('/') };
const opened = (length: number) => identifyConversation(Array(length).fill(user('Go on.')));
const { prefixDigest } = opened(8);
const [two, eight] = [await prefixDigest(2), await prefixDigest(8)];

// What stands under another name is paid for again.
it.each([
  ['an id', opened(9), 'a', undefined, ['']],
  ['one message', opened(1), undefined, [], ['']],
  ['seven', opened(7), undefined, [two], [two]],
  ['eight', opened(8), undefined, [two, eight], [two, eight]],
  ['openings as a record names them', ['a', 'b'], undefined, ['a', 'b'], ['a', 'b']],
  ['neither', undefined, undefined, undefined, ['']],
] as const)('where the state of a conversation with %s is', async (_, says, id, openings, all) => {
  const { hasId, ...names } = conversationKeys(keys, says, id);
  const of = id === undefined ? 'content' : 'id/a';
  const documents = all.map((opening) => `${of}/document 6/${opening}`);
  const given = [hasId, await names.openings(), await names.all()];
  expect(given).toEqual([id !== undefined, openings, documents]);
  expect(await Promise.all([7, 8].map(names.of))).toEqual([documents[0], documents.at(-1)]);
  expect(await names.recordKey('b')).toBe(`${of}/record/b`);
});
