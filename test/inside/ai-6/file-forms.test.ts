import { generateText, type ModelMessage } from 'ai';
import * as older from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { currentPrompt, olderPrompt } from '../../../src/sdk/older-sdk.ts';
import { textResult } from '../../support/models.ts';

const bytes = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]);
const pdf = new TextEncoder().encode('%PDF-1.7');
const base64 = 'iVBORw0KGgoAAAAN';

type Output = Extract<
  Extract<ModelMessage, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output'];
type Item = Extract<Output, { type: 'content' }>['value'][number];

function answered(...value: Item[]): ModelMessage[] {
  return [
    { role: 'user', content: 'Draw.' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'draw', input: {} }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c',
          toolName: 'draw',
          output: { type: 'content', value },
        },
      ],
    },
  ];
}

/** Messages that both majors take, by what is in them. */
const conversations: [string, ModelMessage[]][] = [
  ['only texts', [{ role: 'user', content: 'Hello.' }]],
  ['an image of bytes', [{ role: 'user', content: [{ type: 'image', image: bytes }] }]],
  [
    'an image as base64, with options of a provider',
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', image: base64, providerOptions: { openai: { imageDetail: 'low' } } },
        ],
      },
    ],
  ],
  [
    'a document of bytes with a name',
    [
      {
        role: 'user',
        content: [{ type: 'file', data: pdf, mediaType: 'application/pdf', filename: 'bill.pdf' }],
      },
    ],
  ],
  [
    'a document by its address',
    [
      {
        role: 'user',
        content: [
          {
            type: 'file',
            data: new URL('https://example.com/bill.pdf'),
            mediaType: 'application/pdf',
          },
        ],
      },
    ],
  ],
  [
    'an image that the assistant made',
    [
      { role: 'user', content: 'Draw.' },
      { role: 'assistant', content: [{ type: 'file', data: base64, mediaType: 'image/png' }] },
    ],
  ],
  [
    'files that a tool answered',
    answered(
      { type: 'text', text: 'Here:' },
      { type: 'image-data', data: base64, mediaType: 'image/png' },
      { type: 'file-data', data: base64, mediaType: 'application/pdf', filename: 'bill.pdf' },
      { type: 'image-url', url: 'https://example.com/a.png' },
      { type: 'file-url', url: 'https://example.com/a.pdf', mediaType: 'application/pdf' },
      { type: 'file-id', fileId: { openai: 'file-1' } },
      { type: 'image-file-id', fileId: { openai: 'file-2' } },
    ),
  ],
];

/** A message whose parts are copies, as those are that the package writes anew. */
function copiedParts(message: Message): Message {
  if (typeof message.content === 'string') return message;
  const content = message.content.map((part) =>
    part.type === 'tool-result' && part.output.type === 'content'
      ? {
          ...part,
          output: { ...part.output, value: part.output.value.map((item) => ({ ...item })) },
        }
      : { ...part },
  );
  return Object.assign({ ...message }, { content });
}

const everyAddress = { '*/*': [/^/] };

async function promptsOf(messages: ModelMessage[]) {
  const current = new MockLanguageModelV4({
    supportedUrls: everyAddress,
    doGenerate: async () => textResult('Understood.'),
  });
  await generateText({ model: current, messages });
  const model = new MockLanguageModelV3({
    supportedUrls: everyAddress,
    doGenerate: async () => {
      const { inputTokens, outputTokens } = textResult('').usage;
      const finishReason = { unified: 'stop' as const, raw: undefined };
      return { content: [], finishReason, usage: { inputTokens, outputTokens }, warnings: [] };
    },
  });
  // Of both majors' types the messages are; no type says so.
  await Reflect.apply(older.generateText, undefined, [{ model, messages }]);
  return {
    current: current.doGenerateCalls[0]?.prompt ?? [],
    older: Object.assign([], model.doGenerateCalls[0]?.prompt),
  };
}

const said = (prompt: unknown): unknown => JSON.parse(JSON.stringify(prompt));

describe.each(conversations)('a prompt of AI SDK 6 with %s', (_name, messages) => {
  it('becomes what AI SDK 7 makes of the same messages', async () => {
    const prompts = await promptsOf(messages);
    // Beside what they say, parts keep what they were made of.
    expect(said(currentPrompt(prompts.older))).toEqual(said(prompts.current));
  });

  it('goes back as it came, and is the same where it was copied', async () => {
    const prompts = await promptsOf(messages);
    const current = currentPrompt(prompts.older);
    expect(olderPrompt(current)).toEqual(prompts.older);
    const copied = olderPrompt(current.map(copiedParts));
    expect(currentPrompt(copied)).toEqual(current);
    expect(JSON.stringify(copied)).not.toMatch(/"data":\{"type"/);
  });
});
