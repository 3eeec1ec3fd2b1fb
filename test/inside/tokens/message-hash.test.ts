import { describe, expect, it } from 'vitest';
import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import { prefixMemory } from '../../../src/identity/prefix-memory.ts';
import type { Message } from '../../../src/index.ts';
import { messageHash, messageHashInSlices } from '../../../src/tokens/message-hash.ts';
import { countedSlices } from '../support/counted-slices.ts';

type Parts = Extract<Message, { role: 'assistant' }>['content'];
type Output = Extract<Parts[number], { type: 'tool-result' }>['output'];

const text = (value: string) => ({ type: 'text' as const, text: value });
const result = (output: Output) => ({
  type: 'tool-result' as const,
  toolCallId: 'call-1',
  toolName: 'search',
  output,
});
const assistant = (...content: Parts): Message => ({ role: 'assistant', content });
const approval = (reason: string | undefined): Message => ({
  role: 'tool',
  content: [
    {
      type: 'tool-approval-response',
      approvalId: '1',
      approved: true,
      ...(reason === undefined ? {} : { reason }),
    },
  ],
});
/** An output of a kind that this version does not know. */
const unknownOutput = (value: string): Message =>
  JSON.parse(JSON.stringify(assistant(result({ type: 'text', value }))).replace('"text"', '"new"'));

const call = (input: unknown) => ({
  type: 'tool-call' as const,
  toolCallId: 'call-1',
  toolName: 'search',
  input,
});
const withInput = (input: unknown): Message => assistant(call(input));
const many = (value: unknown): readonly unknown[] => Array.from({ length: 20_000 }, () => value);

/** Too many values to be walked at once: its text is hashed. */
const manyNumbers = (last: number | string): Message =>
  assistant(result({ type: 'json', value: [...Array.from({ length: 20_000 }, () => 1), last] }));
/** Lists that are walked each, but not all of them. */
const manyLists = (last: number): Message =>
  assistant(
    ...Array.from({ length: 12 }, (_, list) =>
      result({ type: 'json', value: Array.from({ length: 6000 }, () => (list < 11 ? 1 : last)) }),
    ),
  );
/** A part of an unknown type with too many levels to be walked at once. */
const deepUnknown = (core: string): Message => {
  const value = `${'['.repeat(500)}"${core}"${']'.repeat(500)}`;
  return JSON.parse(`{"role":"assistant","content":[{"type":"new","value":${value}}]}`);
};

describe('messageHash', () => {
  it.each([
    ['one of many numbers', manyNumbers(1)],
    ['many of some numbers', manyLists(1)],
  ])('is the same in slices as at once: %s', async (_what, message) => {
    const copy: Message = JSON.parse(JSON.stringify(message));
    const slices = countedSlices();
    expect(await messageHashInSlices(copy, slices)).toEqual(messageHash(message));
    expect(slices.asked()).toBeGreaterThan(1);
  });

  it.each<[string, Message, Message]>([
    [
      'where the output of a tool ends',
      assistant(result({ type: 'content', value: [text('a')] }), text('b')),
      assistant(result({ type: 'content', value: [text('a'), text('b')] })),
    ],
    ['outputs of a kind it does not know', unknownOutput('a'), unknownOutput('b')],
    ['no reason and an empty one', approval(undefined), approval('')],
    [
      'lone surrogates in a long text',
      assistant(text(`${'a'.repeat(40)}\uD800`)),
      assistant(text(`${'a'.repeat(40)}\uD801`)),
    ],
    ['a large integer and its digits', withInput(1n), withInput('1')],
    ['a large integer and a number', withInput(1n), withInput(1)],
    ['many of them and their digits', withInput(many(1n)), withInput(many('1'))],
    [
      'two long lists in the other order',
      assistant(call(many(1)), call(many(2))),
      assistant(call(many(2)), call(many(1))),
    ],
    ['long lists by their last number', manyNumbers(1), manyNumbers(2)],
    ['the same numbers as text', manyNumbers(1), manyNumbers('1')],
    ['many lists by the last of them', manyLists(3), manyLists(4)],
    ['deep parts of an unknown type by their core', deepUnknown('one'), deepUnknown('two')],
  ])('tells apart %s, as the digest does', async (_what, first, second) => {
    expect(messageHash(first)).not.toEqual(messageHash(second));
    const opening = assistant(text('Hello.'));
    const memory = prefixMemory();
    const digest = (message: Message): Promise<string> =>
      identifyConversation([opening, message], memory).prefixDigest(2);
    const [one, other] = [await digest(first), await digest(second)];
    expect(one).not.toBe(other);
    expect(await identifyConversation([opening, second]).prefixDigest(2)).toBe(other);
  });

  it('reads on where a history that went through JSON has other objects', () => {
    const file = { type: 'file' as const, mediaType: 'image/png' };
    const sent: Message = {
      role: 'user',
      content: [
        { ...file, data: { type: 'url', url: new URL('https://example.com/a.png') } },
        { ...file, data: { type: 'data', data: new Uint8Array([1, 2, 3]) } },
      ],
    };
    const back: Message = JSON.parse(JSON.stringify(sent));
    expect(messageHash(back)).toEqual(messageHash(JSON.parse(JSON.stringify(sent))));
  });
});
