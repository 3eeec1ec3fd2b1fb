import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { messageCounterOf } from '../../../src/tokens/message-counter.ts';
import { mediaFamilyOf, type MediaFamily } from '../../../src/tokens/files/media-family-of.ts';
import type { TextCounter } from '../../../src/tokens/text/create-text-counter.ts';
import { loadTextCounter } from '../../../src/tokens/text/load-text-counter.ts';
import { boundedMap } from '../../../src/util/maps/bounded-map.ts';
import { imageHeaders } from '../../tokens/files/image-headers.ts';
import { toolCall, toolResult } from '../../tokens/messages.ts';

// One token a character shows what is counted as text.
const characters: TextCounter = {
  isExact: true,
  hold: () => () => {},
  count: (text) => text.length,
};
const image = imageHeaders['png']?.(1000, 1000) ?? new Uint8Array();

function countMessage(counter: TextCounter, message: Message, family: MediaFamily): number {
  return messageCounterOf(counter, family, boundedMap(100)).count(message);
}

const cases: readonly (readonly [name: string, message: Message, tokens: number])[] = [
  ['a system message', { role: 'system', content: 'Be brief.' }, 4 + 9],
  ['an empty message', { role: 'user', content: [] }, 4],
  [
    'several texts',
    {
      role: 'user',
      content: [
        { type: 'text', text: 'ab' },
        { type: 'text', text: 'cde' },
      ],
    },
    4 + 5,
  ],
  [
    'reasoning beside text',
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'why' },
        { type: 'text', text: 'so' },
      ],
    },
    4 + 5,
  ],
  [
    'encrypted reasoning by its size',
    {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: '',
          providerOptions: {
            openai: { itemId: 'rs_1', reasoningEncryptedContent: 'x'.repeat(1600) },
          },
        },
      ],
    },
    4 + 300,
  ],
  [
    'the longer of reasoning and what is encrypted of it',
    {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: 'x'.repeat(1201),
          providerOptions: { openai: { reasoningEncryptedContent: 'x'.repeat(1600) } },
        },
      ],
    },
    4 + 1201,
  ],
  [
    'compacted history by its size',
    {
      role: 'assistant',
      content: [
        {
          type: 'custom',
          kind: 'openai.compaction',
          providerOptions: { openai: { encryptedContent: 'x'.repeat(16) } },
        },
      ],
    },
    4 + 3,
  ],
  ['the name and JSON of a tool call', toolCall('read', { a: [1, 'b'] }), 4 + 8 + 4 + 13],
  ['a tool call without input', toolCall('list', undefined), 4 + 8 + 4],
  ['a text result', toolResult('read', { type: 'text', value: 'abc' }), 4 + 8 + 4 + 3],
  ['an error text', toolResult('read', { type: 'error-text', value: 'abc' }), 4 + 8 + 4 + 3],
  ['a JSON result', toolResult('read', { type: 'json', value: { a: null } }), 4 + 8 + 4 + 10],
  ['an error in JSON', toolResult('read', { type: 'error-json', value: [1] }), 4 + 8 + 4 + 3],
  ['a refusal', toolResult('read', { type: 'execution-denied', reason: 'no' }), 4 + 8 + 4 + 2],
  ['a refusal without a reason', toolResult('read', { type: 'execution-denied' }), 4 + 8 + 4 + 27],
  [
    'texts and files of a result',
    toolResult('read', {
      type: 'content',
      value: [
        { type: 'text', text: 'abc' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: image } },
        { type: 'custom', providerOptions: { anthropic: { encryptedContent: 'x'.repeat(16) } } },
      ],
    }),
    4 + 8 + 4 + 3 + 1334 + 3,
  ],
  [
    'an approval with its reason',
    {
      role: 'tool',
      content: [
        { type: 'tool-approval-response', approvalId: 'a1', approved: true, reason: 'fine' },
        { type: 'tool-approval-response', approvalId: 'a2', approved: false },
      ],
    },
    4 + 8 + 4 + 8,
  ],
  [
    'images and inline documents',
    {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: image } },
        { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'inline' } },
      ],
    },
    4 + 1334 + 6,
  ],
  [
    'an image of the reasoning',
    {
      role: 'assistant',
      content: [
        { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: image } },
      ],
    },
    4 + 1334,
  ],
];

describe('a message', () => {
  it.each(cases)('counts %s', (_, message, tokens) => {
    expect(countMessage(characters, message, 'anthropic')).toBe(tokens);
  });

  it('prices images by family', () => {
    const message: Message = {
      role: 'user',
      content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: image } }],
    };
    expect(countMessage(characters, message, 'openai')).toBe(4 + 1024);
    expect(countMessage(characters, message, 'google')).toBe(4 + 1120);
    expect(countMessage(characters, message, mediaFamilyOf({ provider: 'x', modelId: 'y' }))).toBe(
      4 + 1334,
    );
  });

  it('ignores ids and provider options', () => {
    const message: Message = {
      role: 'user',
      content: [
        {
          type: 'text',
          text: 'abc',
          providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
        },
      ],
      providerOptions: { openai: { itemId: 'msg_0123456789' } },
    };
    expect(countMessage(characters, message, 'anthropic')).toBe(4 + 3);
  });

  it('gives a part or output it does not know no cost', () => {
    const messages: Message[] = JSON.parse(`[
      { "role": "user", "content": [{ "type": "hologram", "data": "01" }] },
      { "role": "tool", "content": [
        { "type": "tool-result", "toolName": "read", "output": { "type": "hologram" } }
      ] }
    ]`);
    expect(messages.map((message) => countMessage(characters, message, 'other'))).toEqual([4, 16]);
  });

  it('looks for no names among the options of providers', () => {
    const refuse = (): never => {
      throw new Error('The names were asked for.');
    };
    const options = new Proxy({ redactedData: 'x'.repeat(16) }, { ownKeys: refuse });
    const providerOptions = new Proxy({ anthropic: options }, { ownKeys: refuse });
    const part = { type: 'reasoning' as const, text: '', providerOptions };
    const message: Message = { role: 'assistant', content: [part] };
    expect(countMessage(characters, message, 'other')).toBe(4 + 3);
  });

  describe('with the tokenizer', () => {
    let counter: TextCounter;
    beforeAll(async () => {
      counter = await loadTextCounter();
    });

    it('counts a message that looks like special tokens', () => {
      const content = '<|endoftext|><|im_start|>';
      const message: Message = { role: 'system', content };
      expect(countMessage(counter, message, 'openai')).toBe(4 + counter.count(content));
    });

    it.each([10_000, 100_000])('counts tool input nested %i levels deep', (levels) => {
      let input: unknown = 'core';
      for (let level = 0; level < levels; level++) input = [input];
      const tokens = countMessage(counter, toolCall('deep', input), 'openai');
      expect(tokens).toBeGreaterThan(levels / 8);
      expect(tokens).toBeLessThan(levels * 2 + 100);
    });
  });
});
