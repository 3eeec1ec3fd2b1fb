import { describe, expect, it } from 'vitest';
import { identifyConversation } from '../../src/identity/conversation-identity.ts';
import { prefixMemory } from '../../src/identity/prefix-memory.ts';
import type { Message } from '../../src/prompt/prompt-types.ts';
import { messageHash } from '../../src/tokens/message-hash.ts';

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

describe('messageHash', () => {
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
