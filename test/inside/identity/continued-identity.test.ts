import { expect, it } from 'vitest';
import { continuedIdentity } from '../../../src/identity/conversation-identity.ts';
import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import { assistant, user } from '../../support/prompt-messages.ts';

const digest = 'd'.repeat(64);
const window = identifyConversation([user('a'), assistant('b'), user('c'), assistant('d')]);

/** The digest of the first so many messages, of which the window shows all behind a prefix. */
async function digestOf(count: number, prefix = { count: 10, digest }, sent = window) {
  return continuedIdentity(sent, 2, prefix).prefixDigest(count);
}

it('the digest of a conversation of which the end is sent rests on its prefix, its length and what is new', async () => {
  const edited = identifyConversation([user('a'), assistant('b'), user('C'), assistant('d')]);
  const others = [
    digestOf(11),
    digestOf(12),
    digestOf(12, { count: 10, digest: 'e'.repeat(64) }),
    digestOf(12, undefined, edited),
  ];
  expect(new Set(await Promise.all(others)).size).toBe(4);
});

it('the digest is the same wherever the window begins', async () => {
  const shorter = identifyConversation([assistant('b'), user('c'), assistant('d')]);
  const continued = continuedIdentity(shorter, 1, { count: 10, digest });
  expect(await continued.prefixDigest(12)).toBe(await digestOf(12));
  expect(await continued.prefixDigest(10)).toBe(digest);
});
