import { describe, expect, it } from 'vitest';
import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import type { Message } from '../../../src/index.ts';
import { assistant, call, results, thought, user } from '../../support/prompt-messages.ts';
import { differentPairs, file, samePairs } from './message-pairs.ts';

const digestOf = async (...conversation: Message[]): Promise<string> =>
  identifyConversation(conversation).prefixDigest(conversation.length);
describe('the digest of a prefix', () => {
  it.each(samePairs)('is the same with $name', async ({ a, b }) => {
    expect(await digestOf(...b)).toBe(await digestOf(...a));
  });

  it.each(differentPairs)('is another one with $name', async ({ a, b }) => {
    expect(await digestOf(...b)).not.toBe(await digestOf(...a));
  });

  it('is that of the whole conversation when asked for more than there is', async () => {
    const identity = identifyConversation([user('a')]);
    expect(await identity.prefixDigest(9)).toBe(await identity.prefixDigest(1));
  });

  it('takes large files without overflowing the call stack', async () => {
    const bytes = new Uint8Array(300_000).fill(7);
    const base64 = Buffer.from(bytes).toString('base64');
    const data = await digestOf(file({ type: 'data', data: bytes }));
    expect(data).toBe(await digestOf(file({ type: 'data', data: base64 })));
  });
});

describe('identifyConversation', () => {
  const conversation = [
    user('a'),
    assistant('', thought()),
    assistant('', call('1')),
    results('1'),
    assistant('', { type: 'custom', kind: 'openai.item' }),
    { role: 'user', content: [{ type: 'text', text: '' }] },
    user('b'),
  ] satisfies Message[];
  const identity = identifyConversation(conversation);

  it.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 3],
    [6, 3],
    [7, 4],
    [99, 4],
  ])('counts what is significant before index %i: %i', (index, count) => {
    expect(identity.significantBefore(index)).toBe(count);
  });

  it.each([
    [0, 0],
    [1, 1],
    [2, 3],
    [3, 4],
    [4, 7],
    [5, undefined],
  ])('finds the index behind %i significant messages: %s', (count, index) => {
    expect(identity.indexAfter(count)).toBe(index);
  });

  it('gives each message a digest of 32 digits, the same whatever was asked for before', async () => {
    const all = await identity.messageDigests(0, 4);
    expect(all).toHaveLength(4);
    for (const digest of all) expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(await identifyConversation(conversation).messageDigests(2, 4)).toEqual(all.slice(2));
  });
});

describe('a long conversation', () => {
  const messages = Array.from({ length: 3000 }, (_, index) => user(`${index}`));

  it('has the same digests when they are asked for at once', async () => {
    const identity = identifyConversation(messages);
    const [first, second] = await Promise.all([
      identity.prefixDigest(2000),
      identity.prefixDigest(3000),
    ]);
    const fresh = identifyConversation(messages);
    expect(await fresh.prefixDigest(3000)).toBe(second);
    expect(await fresh.prefixDigest(2000)).toBe(first);
  });
});
