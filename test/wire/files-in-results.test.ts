import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createCohere } from '@ai-sdk/cohere';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createGoogle } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type {
  LanguageModelV4,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import { createXai } from '@ai-sdk/xai';
import {
  generateText,
  jsonSchema,
  tool,
  wrapLanguageModel,
  type JSONValue,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countPromptTokens,
  listSummaries,
  memoryStore,
  readArchive,
  ruleBasedStrategy,
  summarizationMiddleware,
  type SummarizationOptions,
} from '../../src/index.ts';
import { checkProperty } from '../properties/rig/check-property.ts';
import { countText } from '../support/count-text.ts';
import { words } from '../support/messages.ts';
import { untyped } from '../support/untyped.ts';

// What the providers' own packages make of files in tool results, and what the middleware makes of that.

type Settings = { readonly apiKey: string; readonly fetch: typeof fetch };

/** Each package and API of the lab, and how it writes a picture that a tool answered. */
const packages: readonly {
  readonly name: string;
  readonly form: 'picture' | 'text';
  readonly model: (settings: Settings) => LanguageModelV4;
}[] = [
  { name: 'groq', form: 'text', model: (s) => createGroq(s)('llama-3.3-70b-versatile') },
  { name: 'mistral chat', form: 'text', model: (s) => createMistral(s)('mistral-large-latest') },
  {
    name: 'mistral conversation',
    form: 'text',
    model: (s) => createMistral(s).conversation('mistral-large-latest'),
  },
  { name: 'cohere', form: 'text', model: (s) => createCohere(s)('command-a-03-2025') },
  { name: 'openai chat', form: 'text', model: (s) => createOpenAI(s).chat('gpt-5') },
  {
    name: 'openai-compatible',
    form: 'text',
    model: (s) => createOpenAICompatible({ ...s, name: 'local', baseURL: 'http://x.test' })('own'),
  },
  {
    name: 'openai-compatible with blocks',
    form: 'picture',
    model: (s) =>
      createOpenAICompatible({
        ...s,
        name: 'local',
        baseURL: 'http://x.test',
        supportsMultiPartToolContent: true,
      })('own'),
  },
  { name: 'openai responses', form: 'picture', model: (s) => createOpenAI(s)('gpt-5') },
  { name: 'deepseek', form: 'picture', model: (s) => createDeepSeek(s)('deepseek-chat') },
  { name: 'xai', form: 'picture', model: (s) => createXai(s)('grok-4') },
  { name: 'anthropic', form: 'picture', model: (s) => createAnthropic(s)('claude-sonnet-4-5') },
  { name: 'google', form: 'picture', model: (s) => createGoogle(s)('gemini-3-pro-preview') },
  { name: 'google 2', form: 'picture', model: (s) => createGoogle(s)('gemini-2.5-flash') },
  {
    name: 'amazon-bedrock',
    form: 'picture',
    model: (s) => createAmazonBedrock({ ...s, region: 'us-east-1' })('amazon.nova-pro-v1:0'),
  },
];

const bytes = Uint8Array.from({ length: 30_000 }, (_, index) => (index * index * 7919) >> 5);
const base64 = Buffer.from(bytes).toString('base64');
const small = bytes.subarray(0, 1200);
const smallBase64 = Buffer.from(small).toString('base64');

function history(
  data: Uint8Array | string = bytes,
  mediaType = 'image/png',
): readonly ModelMessage[] {
  return [
    { role: 'user', content: 'Take a screenshot of the login page.' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'call00001', toolName: 'shot', input: {} }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call00001',
          toolName: 'shot',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'The login page:' },
              { type: 'file', mediaType, data: { type: 'data', data } },
            ],
          },
        },
      ],
    },
  ];
}

const inputSchema = jsonSchema<{ page?: string }>({ type: 'object', properties: {} });
const tools: ToolSet = { shot: tool({ description: 'Takes a picture of a page.', inputSchema }) };

/** The body that a package writes; the answer is one that none of them can read. */
async function bodyOf(
  model: (settings: Settings) => LanguageModelV4,
  messages: readonly ModelMessage[],
  options?: SummarizationOptions,
): Promise<string> {
  let body = '';
  const recorded: typeof fetch = async (_url, init) => {
    body = typeof init?.body === 'string' ? init.body : '';
    return Response.json({ error: { message: 'recorded' } }, { status: 401 });
  };
  const sent = model({ apiKey: 'none', fetch: recorded });
  const middleware = options === undefined ? [] : [summarizationMiddleware(options)];
  await generateText({
    model: wrapLanguageModel({ model: sent, middleware }),
    messages: [...messages],
    tools,
    maxRetries: 0,
  }).catch(() => undefined);
  return body;
}

/** How long a turn is, and in which form its tool answers. */
const turns = fc.array(
  fc.record({
    length: fc.integer({ min: 60, max: 120 }),
    form: fc.constantFrom('text', 'json', 'texts', 'picture'),
  }),
  { minLength: 1, maxLength: 2 },
);

type ToolOutput = Extract<
  Extract<ModelMessage, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output'];
type Turn = { readonly length: number; readonly form: 'text' | 'json' | 'texts' | 'picture' };

function turnMessages({ length, form }: Turn, index: number): readonly ModelMessage[] {
  const value = words(index + 1, length);
  const call = { toolCallId: `call0000${index}`, toolName: 'shot' };
  const text = { type: 'text', text: value } as const;
  const file = {
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'data', data: small },
  } as const;
  const outputs: Record<Turn['form'], ToolOutput> = {
    text: { type: 'text', value },
    json: { type: 'json', value: { lines: value.split('. ') } },
    texts: { type: 'content', value: [text, text] },
    picture: { type: 'content', value: [text, file] },
  };
  return [
    { role: 'user', content: value },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { page: value } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: outputs[form] }] },
  ];
}

/** Tokens of the strings of a body; a picture is priced at a token for 40 bytes. */
function writtenTokens(body: string): number {
  const { tools: _tools, ...rest }: Record<string, unknown> = JSON.parse(body);
  let tokens = 0;
  JSON.stringify(rest, (_key, value: unknown) => {
    const isPicture = value === smallBase64 || value === `data:image/png;base64,${smallBase64}`;
    if (isPicture) tokens += small.length / 40;
    else if (typeof value === 'string') tokens += countText(value);
    return value;
  });
  return tokens;
}

const asNumbers = /\d+,\d+,\d+,\d+,\d+,\d+|:\d+,\\*"\d+\\*":\d+/;

describe.each(packages)('$name', ({ form, model }) => {
  const identity = model({ apiKey: 'none', fetch });

  it(`writes a picture of a tool as ${form === 'text' ? 'numbers' : 'a picture'} by itself`, async () => {
    const body = await bodyOf(model, history());
    expect(body.includes(base64)).toBe(form === 'picture');
    expect(asNumbers.test(body)).toBe(form === 'text');
  });

  it('never writes a number for each byte behind the middleware', async () => {
    const body = await bodyOf(model, history(), { contextLength: 200_000 });
    expect(body).toContain(base64);
    expect(body).not.toMatch(asNumbers);
  });

  it.each(['image/png', 'application/pdf', 'audio/wav'])(
    'sends no %s of a tool as text where that is too long',
    async (mediaType) => {
      const body = await bodyOf(model, history(bytes, mediaType), { contextLength: 12_000 });
      expect(body.includes(`(${mediaType}, 30 kB) stood here`)).toBe(form === 'text');
      expect(form === 'picture' || body.length < 5000).toBe(true);
    },
  );

  it('counts the picture as it is sent', async () => {
    const whole = await countPromptTokens({ messages: [...history()], model: identity });
    const rest = await countPromptTokens({ messages: [...history('')], model: identity });
    const picture = whole.messages - rest.messages;
    // Base64 has 1.3 to 1.6 characters a token in vocabularies of today; a picture has a price of its own.
    const [least, most] = form === 'text' ? [base64.length / 1.6, base64.length / 1.3] : [1, 2500];
    expect(picture).toBeGreaterThan(least);
    expect(picture).toBeLessThan(most);
  });

  it('sends no empty content for a user message without parts', async () => {
    const messages: readonly ModelMessage[] = [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: [] },
    ];
    expect(await bodyOf(model, messages)).toMatch(/"(?:content|parts)":(?:\[\]|"")/);
    const body = await bodyOf(model, messages, { contextLength: 200_000 });
    expect(body).toContain('(empty message)');
    expect(body).not.toMatch(/"(?:content|parts)":(?:\[\]|"")/);
  });
});

/** Bytes as they stand in a value that a tool answered with, once the SDK has written its JSON. */
const byteValues: Record<string, JSONValue> = {
  'a Uint8Array': JSON.parse(JSON.stringify({ image: bytes })),
  'a Buffer': JSON.parse(JSON.stringify({ pages: [{ image: Buffer.from(bytes) }] })),
};
const base64Values: Record<string, JSONValue> = {
  'a data URL': { url: `data:image/png;base64,${base64}` },
  'a result of MCP': { content: [{ type: 'image', data: base64, mimeType: 'image/png' }] },
  'a data URL alone': `data:image/png;base64,${base64}`,
};

function historyWith(output: ToolOutput): readonly ModelMessage[] {
  const result = {
    type: 'tool-result',
    toolCallId: 'call00001',
    toolName: 'shot',
    output,
  } as const;
  return [...history().slice(0, 2), { role: 'tool', content: [result] }];
}

describe.each(packages)('values of tools for $name', ({ model }) => {
  const identity = model({ apiKey: 'none', fetch });

  it.each(Object.entries(byteValues))('become base64 where they hold %s', async (_form, value) => {
    for (const type of ['json', 'error-json'] as const) {
      const messages = historyWith({ type, value });
      expect(await bodyOf(model, messages)).toMatch(asNumbers);
      const body = await bodyOf(model, messages, { contextLength: 200_000 });
      expect(body).toContain(base64);
      expect(body).not.toMatch(asNumbers);
      const { messages: tokens } = await countPromptTokens({
        messages: [...messages],
        model: identity,
      });
      expect(tokens).toBeGreaterThan(base64.length / 1.6);
      expect(tokens).toBeLessThan(base64.length);
    }
  });

  it.each(Object.entries({ ...byteValues, ...base64Values }))(
    'give way to a note where %s would be too long',
    async (_form, value) => {
      const outputs: readonly ToolOutput[] =
        typeof value === 'string'
          ? [{ type: 'text', value }]
          : [
              { type: 'json', value },
              { type: 'error-json', value },
            ];
      for (const output of outputs) {
        const body = await bodyOf(model, historyWith(output), { contextLength: 12_000 });
        expect(body).toMatch(/\[A (?:picture|file) \((?:image\/png, )?(?:29|30) kB\) stood here/);
        expect(body.length).toBeLessThan(5000);
      }
    },
  );
});

it.each([
  [
    'a column of a table',
    { age: Object.fromEntries(Array.from({ length: 300 }, (_, row) => [row, 18 + (row % 70)])) },
  ],
  ['a list of numbers', { scores: Array.from(bytes.subarray(0, 500)) }],
  ['a short map', { 0: 0, 1: 255, 2: 7 }],
  ['a text without spaces', { line: 'a'.repeat(6000) }],
  ['a hash', { sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }],
])('sends %s as it is', async (_what, value) => {
  const model = (settings: Settings): LanguageModelV4 => createGroq(settings)('own');
  const messages = historyWith({ type: 'json', value });
  const body = await bodyOf(model, messages, { contextLength: 12_000 });
  expect(body).toBe(await bodyOf(model, messages));
});

it('writes the bytes of a value that no JSON has been made of', async () => {
  let body = '';
  const model = createGroq({
    apiKey: 'none',
    fetch: async (_url, init) => {
      body = typeof init?.body === 'string' ? init.body : '';
      return Response.json({ error: { message: 'recorded' } }, { status: 401 });
    },
  })('own');
  const whole = wrapLanguageModel({ model, middleware: summarizationMiddleware() });
  const call = { toolCallId: 'call00001', toolName: 'shot' };
  for (const image of [bytes, Buffer.from(bytes), new Uint8ClampedArray(bytes)]) {
    const output = untyped<LanguageModelV4ToolResultOutput>({ type: 'json', value: { image } });
    const prompt: LanguageModelV4Prompt = [
      { role: 'user', content: [{ type: 'text', text: 'Take a screenshot.' }] },
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    ];
    await Promise.allSettled([whole.doGenerate({ prompt })]);
    expect(body).toContain(base64);
    expect(body).not.toMatch(asNumbers);
  }
});

it('sends the same bytes of earlier messages from call to call', async () => {
  const model = (settings: Settings): LanguageModelV4 =>
    createAnthropic(settings)('claude-sonnet-4-5');
  const options = { contextLength: 200_000, store: memoryStore() };
  let before = '';
  for (let count = 1; count <= 4; count += 1) {
    const messages = Array.from({ length: count }, () => [
      ...historyWith({ type: 'json', value: byteValues['a Uint8Array'] ?? null }),
      { role: 'assistant', content: 'Two fields and a button.' } as const,
    ]).flat();
    const { messages: all } = JSON.parse(await bodyOf(model, messages, options));
    const text = JSON.stringify(all).slice(0, -1);
    expect(text.startsWith(before)).toBe(true);
    before = text;
  }
});

it.each([
  ['gemini-2.5-flash', 2],
  ['gemini-1.5-pro', 2],
  ['gemma-3-27b-it', 2],
  ['gemini-3-pro-preview', 1],
])('sends two texts of a result of %s as one response', async (modelId, byItself) => {
  const model = (settings: Settings): LanguageModelV4 => createGoogle(settings)(modelId);
  const [text, other] = [
    { type: 'text', text: 'The login page:' },
    { type: 'text', text: 'two fields and a button.' },
  ] as const;
  const output: ToolOutput = { type: 'content', value: [text, other] };
  const call = { toolCallId: 'call00001', toolName: 'shot' };
  const messages: readonly ModelMessage[] = [
    ...history().slice(0, 2),
    { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
  ];
  const responses = (body: string): number => body.split('"functionResponse"').length - 1;
  expect(responses(await bodyOf(model, messages))).toBe(byItself);
  const body = await bodyOf(model, messages, { contextLength: 200_000 });
  expect(responses(body)).toBe(1);
  expect(body).toContain('The login page:\\ntwo fields and a button.');
});

it('keeps in the archive the picture that gave way to a note', async () => {
  const store = memoryStore();
  const of = { store, conversationId: 'screenshots' };
  const model = (settings: Settings): LanguageModelV4 => createGroq(settings)('own');
  const messages: readonly ModelMessage[] = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: words(5, 3000) },
    ...history(),
    { role: 'assistant', content: 'It has two fields.' },
    { role: 'user', content: 'Which ones?' },
  ];
  const options = { ...of, archive: true, strategy: ruleBasedStrategy(), contextLength: 12_000 };
  const body = await bodyOf(model, messages, {
    ...options,
    minMessages: 1,
    preserveRecent: 2,
    preserveRecentTokenRatio: 0,
    triggerTokenRatio: 0.25,
    resetTokenRatio: 0.2,
  });
  expect(body).toContain('[summary-depth:0]');
  const [record] = await listSummaries(of);
  if (record === undefined) throw new Error('No summary was made.');
  const archive = await readArchive({ ...of, record });
  const archiveText = JSON.stringify(archive, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  expect(archiveText).toContain(base64);
});

it('counts any history within a third of what is written for it', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...packages),
    turns,
    async ({ model }, conversation) => {
      const messages = conversation.flatMap(turnMessages);
      const body = await bodyOf(model, messages, { contextLength: 1_000_000 });
      const identity = model({ apiKey: 'none', fetch });
      const { messages: counted } = await countPromptTokens({ messages, model: identity });
      const written = writtenTokens(body);
      expect(Math.abs(counted - written) / written).toBeLessThan(1 / 3);
    },
  );
  await checkProperty(property);
});
