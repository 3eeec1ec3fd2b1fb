import { describe, expect, it } from 'vitest';
import { identifyConversation } from '../../src/identity/conversation-identity.ts';
import type { Message } from '../../src/prompt/prompt-types.ts';
import {
  assistant,
  call,
  result,
  results,
  system,
  thought,
  user,
} from '../support/prompt-messages.ts';

const digestOf = async (...conversation: Message[]): Promise<string> =>
  identifyConversation(conversation).prefixDigest(conversation.length);
const file = (
  data: Extract<Exclude<Message['content'], string>[number], { type: 'file' }>['data'],
  mediaType = 'image/png',
): Message => ({
  role: 'user',
  content: [{ type: 'file', mediaType, data }],
});
const withOptions = (message: Message): Message => ({
  ...message,
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
});
const output = (value: Extract<ReturnType<typeof result>['output'], object>): Message => ({
  role: 'tool',
  content: [{ ...result('1'), output: value }],
});

interface Pair {
  readonly name: string;
  readonly a: readonly Message[];
  readonly b: readonly Message[];
}

const same: readonly Pair[] = [
  { name: 'other options', a: [user('a')], b: [withOptions(user('a'))] },
  {
    name: 'options on a part',
    a: [user('a')],
    b: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'a', providerOptions: { openai: { itemId: 'x' } } }],
      },
    ],
  },
  { name: 'no reasoning', a: [assistant('a', thought())], b: [assistant('a')] },
  {
    name: 'a text in two parts',
    a: [user('ab')],
    b: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
  },
  {
    name: 'an empty text beside',
    a: [assistant('', call('1'))],
    b: [{ role: 'assistant', content: [{ type: 'text', text: '' }, call('1')] }],
  },
  {
    name: 'other ids',
    a: [assistant('', call('1'), call('2')), results('1', '2')],
    b: [assistant('', call('x'), call('y')), results('x', 'y')],
  },
  {
    name: 'another order of keys',
    a: [assistant('', call('1', { input: { a: 1, b: { c: 2, d: 3 } } }))],
    b: [assistant('', call('1', { input: { b: { d: 3, c: 2 }, a: 1 } }))],
  },
  {
    name: 'an undefined key',
    a: [assistant('', call('1', { input: { a: 1 } }))],
    b: [assistant('', call('1', { input: { a: 1, b: undefined } }))],
  },
  {
    name: 'bytes as base64',
    a: [file({ type: 'data', data: new Uint8Array([1, 2, 250]) })],
    b: [file({ type: 'data', data: 'AQL6' })],
  },
  {
    name: 'an address as text',
    a: [file({ type: 'url', url: new URL('https://a.example/x') })],
    b: [
      JSON.parse(
        JSON.stringify(file({ type: 'url', url: new URL('https://a.example/x') })),
      ) as Message,
    ],
  },
];

const different: readonly Pair[] = [
  { name: 'another text', a: [user('a')], b: [user('b')] },
  { name: 'another role', a: [user('a')], b: [assistant('a')] },
  { name: 'a system message', a: [user('a')], b: [system('a')] },
  {
    name: 'a text in two messages',
    a: [user('ab'), assistant('c')],
    b: [user('a'), user('b'), assistant('c')],
  },
  {
    name: 'a line break that looks like two messages',
    a: [user('a\n["user","b"]')],
    b: [user('a'), user('b')],
  },
  {
    name: 'another tool',
    a: [assistant('', call('1'))],
    b: [assistant('', call('1', { toolName: 'write_file' }))],
  },
  {
    name: 'another input',
    a: [assistant('', call('1', { input: { a: 1 } }))],
    b: [assistant('', call('1', { input: { a: '1' } }))],
  },
  {
    name: 'results in another order',
    a: [
      assistant('', call('1'), call('2')),
      { role: 'tool', content: [result('1', 'x'), result('2', 'y')] },
    ],
    b: [
      assistant('', call('1'), call('2')),
      { role: 'tool', content: [result('2', 'x'), result('1', 'y')] },
    ],
  },
  {
    name: 'another kind of output',
    a: [output({ type: 'text', value: 'a' })],
    b: [output({ type: 'error-text', value: 'a' })],
  },
  {
    name: 'a text that looks like JSON',
    a: [output({ type: 'text', value: '"a"' })],
    b: [output({ type: 'json', value: 'a' })],
  },
  {
    name: 'another reason',
    a: [output({ type: 'execution-denied', reason: 'a' })],
    b: [output({ type: 'execution-denied' })],
  },
  {
    name: 'an own __proto__',
    a: [
      output({
        type: 'json',
        value: JSON.parse('{"__proto__":{"a":1}}') as Record<string, number>,
      }),
    ],
    b: [output({ type: 'json', value: {} })],
  },
  {
    name: 'other bytes',
    a: [file({ type: 'data', data: 'AQL6' })],
    b: [file({ type: 'data', data: 'AQL7' })],
  },
  {
    name: 'another media type',
    a: [file({ type: 'data', data: 'AQL6' })],
    b: [file({ type: 'data', data: 'AQL6' }, 'image/gif')],
  },
  {
    name: 'a text file whose text is the base64 of another',
    a: [file({ type: 'data', data: 'AQL6' })],
    b: [file({ type: 'text', text: 'AQL6' })],
  },
  { name: 'different lone surrogates', a: [user('\ud800')], b: [user('\ud801')] },
  { name: 'a composed character', a: [user('\u00e9')], b: [user('e\u0301')] },
];

describe('the digest of a prefix', () => {
  it.each(same)('is the same with $name', async ({ a, b }) => {
    expect(await digestOf(...b)).toBe(await digestOf(...a));
  });

  it.each(different)('is another one with $name', async ({ a, b }) => {
    expect(await digestOf(...b)).not.toBe(await digestOf(...a));
  });

  it('is that of the whole conversation when asked for more than there is', async () => {
    const identity = identifyConversation([user('a')]);
    expect(await identity.prefixDigest(9)).toBe(await identity.prefixDigest(1));
  });

  it('does not overflow on a result that is nested ten thousand levels deep', async () => {
    const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) as [];
    expect(await digestOf(output({ type: 'json', value: deep }))).toMatch(/^[0-9a-f]{64}$/);
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

  it('knows the length of a prefix, and of none that is too long', () => {
    expect(identity.prefixLength(0)).toBe(0);
    expect(identity.prefixLength(2)).toBeGreaterThan(identity.prefixLength(1));
    expect(identity.prefixLength(5)).toBe(Number.POSITIVE_INFINITY);
  });
});
