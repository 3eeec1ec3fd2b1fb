import { generateText, type ModelMessage } from 'ai';
import * as older from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { currentPrompt, olderPrompt } from '../../../src/prompt/sdk/older-sdk.ts';
import { textResult } from '../../support/models.ts';

const bytes = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]);
const data = 'iVBORw0KGgoAAAAN';
const png = { mediaType: 'image/png' } as const;
const pdf = { mediaType: 'application/pdf', filename: 'bill.pdf' } as const;
const url = 'https://example.com/a';
const pdfBytes = new TextEncoder().encode('%PDF-1.7');

type Content<Role extends ModelMessage['role']> = Exclude<
  Extract<ModelMessage, { role: Role }>['content'],
  string
>;
type Output = Extract<Content<'tool'>[number], { type: 'tool-result' }>['output'];

const user = (...content: Content<'user'>): ModelMessage => ({ role: 'user', content });
const assistant = (...content: Content<'assistant'>): ModelMessage => ({
  role: 'assistant',
  content,
});
const call = { toolCallId: 'c', toolName: 'draw' };
const output: Output = {
  type: 'content',
  value: [
    { type: 'text', text: 'Here:' },
    { type: 'image-data', data, ...png },
    { type: 'file-data', data, ...pdf },
    { type: 'image-url', url },
    { type: 'file-url', url, mediaType: 'application/pdf' },
    { type: 'file-id', fileId: { openai: 'file-1' } },
    { type: 'image-file-id', fileId: { openai: 'file-2' } },
  ],
};
const draw = user({ type: 'text', text: 'Draw.' });
const low = { providerOptions: { openai: { imageDetail: 'low' } } };

/** Messages that both majors take, by what is in them. */
const conversations: [string, ModelMessage[]][] = [
  ['only texts', [draw]],
  ['an image of bytes', [user({ type: 'image', image: bytes })]],
  [
    'an image as base64, with options of a provider',
    [user({ type: 'image', image: data, ...low })],
  ],
  ['a document of bytes with a name', [user({ type: 'file', data: pdfBytes, ...pdf })]],
  ['a document by its address', [user({ type: 'file', data: new URL(url), ...pdf })]],
  ['an image that the assistant made', [draw, assistant({ type: 'file', data, ...png })]],
  [
    'files that a tool answered',
    [
      draw,
      assistant({ type: 'tool-call', ...call, input: {} }),
      { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    ],
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

async function promptsOf(messages: ModelMessage[]) {
  const result = textResult('Understood.');
  const supportedUrls = { '*/*': [/^/] };
  const current = new MockLanguageModelV4({ supportedUrls, doGenerate: async () => result });
  await generateText({ model: current, messages });
  const finishReason = { unified: 'stop' as const, raw: undefined };
  const { inputTokens, outputTokens } = result.usage;
  const model = new MockLanguageModelV3({
    supportedUrls,
    doGenerate: async () => ({
      content: [],
      finishReason,
      usage: { inputTokens, outputTokens },
      warnings: [],
    }),
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
  it('becomes what AI SDK 7 makes of the same messages, and goes back as it came', async () => {
    const prompts = await promptsOf(messages);
    const current = currentPrompt(prompts.older);
    // Beside what they say, parts keep what they were made of.
    expect(said(current)).toEqual(said(prompts.current));
    expect(olderPrompt(current)).toEqual(prompts.older);
    const copied = olderPrompt(current.map(copiedParts));
    expect(currentPrompt(copied)).toEqual(current);
    expect(JSON.stringify(copied)).not.toMatch(/"data":\{"type"/);
  });
});
