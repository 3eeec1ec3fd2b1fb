import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage, CallOptions } from '../../support/prompt-types.ts';
import { countPromptTokens, type Message } from '../../../src/index.ts';
import { mediaFamilyOf } from '../../../src/tokens/files/media-family-of.ts';
import { scanPrompt, type PromptScan } from '../../../src/tokens/scan-prompt.ts';
import { runAtOnce } from '../../../src/util/async/run-steps.ts';
import { imageHeaders } from '../../tokens/files/image-headers.ts';
import { toolResult } from '../../tokens/messages.ts';

const openai = { provider: 'openai.responses', modelId: 'gpt-5' };

const unit = fc.constantFrom(
  'a',
  'Qx',
  ' ',
  '\n',
  '#-',
  '7',
  '漢',
  'ก',
  '\u0301',
  '😀',
  '\ud83d',
  '\ude00',
  '\u0007',
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.lorem({ maxCount: 30 }),
  fc.tuple(unit, fc.integer({ min: 1, max: 400 })).map(([part, times]) => part.repeat(times)),
  fc.constantFrom('', '<|endoftext|>', '\\"\\u0000'),
);
const file = fc
  .record({
    mediaType: fc.constantFrom(
      'image/png',
      'image',
      'application/pdf',
      'audio/wav',
      'video/mp4',
      'text/csv',
    ),
    data: fc.oneof(
      fc.constant({ type: 'url', url: new URL('https://example.com/a') } as const),
      fc.constant({
        type: 'url',
        url: new URL('data:image/gif;base64,R0lGODlhAQABAAAAACw='),
      } as const),
      fc.constant({ type: 'reference', reference: { openai: 'file-1' } } as const),
      text.map((value) => ({ type: 'text', text: value }) as const),
      text.map((data) => ({ type: 'data', data }) as const),
      fc
        .tuple(
          fc.constantFrom(...Object.values(imageHeaders)),
          fc.nat({ max: 9000 }),
          fc.nat({ max: 9000 }),
        )
        .map(([header, width, height]) => ({ type: 'data', data: header(width, height) }) as const),
    ),
  })
  .map((value) => ({ type: 'file', ...value }) as const);
const textPart = text.map((value) => ({ type: 'text', text: value }) as const);
const assistantPart: fc.Arbitrary<AssistantMessage['content'][number]> = fc.oneof(
  textPart,
  file,
  fc.record({ type: fc.constant('reasoning'), text }),
  fc.record({
    type: fc.constant('tool-call'),
    toolCallId: text,
    toolName: text,
    input: fc.oneof(fc.jsonValue(), text, fc.constant(undefined), fc.bigInt()),
  }),
);
const message: fc.Arbitrary<Message> = fc.oneof(
  text.map((content) => ({ role: 'system', content }) as const),
  fc.array(fc.oneof(textPart, file)).map((content) => ({ role: 'user', content }) as const),
  fc.array(assistantPart).map((content) => ({ role: 'assistant', content }) as const),
  fc
    .jsonValue()
    .map((value) => toolResult('read', { type: 'json', value: JSON.parse(JSON.stringify(value)) })),
  text.map((value) => toolResult('read', { type: 'text', value })),
  fc.array(fc.oneof(textPart, file)).map((value) => toolResult('read', { type: 'content', value })),
);
const tools: fc.Arbitrary<NonNullable<CallOptions['tools']>> = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('function'),
      name: text,
      description: text,
      inputSchema: fc.constant({ type: 'object' } as const),
    }),
    fc.constant({
      type: 'provider',
      id: 'openai.web_search',
      name: 'web_search',
      args: {},
    } as const),
  ),
  { maxLength: 3 },
);
const call = fc.record({ prompt: fc.array(message, { maxLength: 8 }), tools });
const model = fc.constantFrom(
  { provider: 'openai.responses', modelId: 'gpt-5' },
  { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5' },
  { provider: 'google.generative-ai', modelId: 'gemini-2.5-pro' },
  { provider: 'mistral.chat', modelId: 'mistral-large-latest' },
);

function scanOf(params: Partial<CallOptions>, identity = openai): PromptScan {
  return runAtOnce(scanPrompt({ prompt: [], ...params }, mediaFamilyOf(identity)));
}

describe('the bound of a prompt', () => {
  it('is never below the count, for any model', async () => {
    await fc.assert(
      fc.asyncProperty(call, model, async (params, identity) => {
        const { total } = await countPromptTokens({ ...params, model: identity });
        expect(scanOf(params, identity).bound).toBeGreaterThanOrEqual(total);
      }),
    );
  });

  it.each([
    ['English', 'The committee met on Tuesday.', 29],
    ['Chinese', '漢字', 6],
    ['emoji', '😀', 4],
    ['an escaped string', '\u0000"', 2],
  ])('counts a byte of %s as a token', (_, content, bytes) => {
    const prompt: CallOptions['prompt'] = [{ role: 'system', content }];
    expect(scanOf({ prompt }).bound).toBe(4 + bytes + 3);
  });

  it('prices images like the count', async () => {
    const data = new Uint8Array(1_000_000);
    data.set(imageHeaders['png']?.(800, 600) ?? []);
    const prompt: CallOptions['prompt'] = [
      {
        role: 'user',
        content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data } }],
      },
    ];
    const identity = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5' };
    const { total } = await countPromptTokens({ prompt, model: identity });
    expect(scanOf({ prompt }, identity).bound).toBe(total);
    expect(total).toBeLessThan(2000);
  });
});

function user(content: string): Message {
  return { role: 'user', content: [{ type: 'text', text: content }] };
}

function lastKey(...prompt: Message[]): number | undefined {
  return scanOf({ prompt }).prefixKeys.at(-1);
}

describe('the keys of a prompt', () => {
  it('does not look at system messages for its keys, but counts their length', () => {
    const system: Message = { role: 'system', content: 'Today is Monday.' };
    const other: Message = { role: 'system', content: 'Today is Friday, the 2nd.' };
    expect(lastKey(system, user('Hi'))).toBe(lastKey(other, user('Hi')));
    expect(scanOf({ prompt: [system] }).systemCharacters).toBe(16);
  });

  it.each([
    ['a longer text', [user('Hello there')]],
    ['another first character', [user('hello')]],
    ['another character in the middle', [user('Hezlo')]],
    [
      'what is said in two parts',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hel' },
            { type: 'text', text: 'lo' },
          ],
        },
      ],
    ],
    ['another role', [{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }]],
    ['one more message', [user('Hello'), user('')]],
  ] satisfies [string, Message[]][])('takes %s for another prompt', (_, prompt) => {
    expect(lastKey(...prompt)).not.toBe(lastKey(user('Hello')));
  });

  it('gives a prompt the keys of its beginning on the way', () => {
    const first = scanOf({ prompt: [user('a'), user('b')] });
    const more = scanOf({ prompt: [user('a'), user('b'), user('c')] });
    expect(more.prefixKeys.slice(0, 2)).toEqual(first.prefixKeys);
  });

  it('has another key for other tools', () => {
    const tool = {
      type: 'function' as const,
      name: 'read',
      inputSchema: { type: 'object' as const },
    };
    const mark = (name: string): number => scanOf({ tools: [{ ...tool, name }] }).overhead.key;
    expect(mark('read')).toBe(mark('read'));
    expect(mark('write')).not.toBe(mark('read'));
  });
});
