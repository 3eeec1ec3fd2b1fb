import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, tool, wrapLanguageModel, type ModelMessage } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { answer } from '../support/models.ts';
import { startLoopbackServer, type LoopbackServer } from '../support/servers/loopback-server.ts';
import { list, record, type JsonRecord } from './json-view.ts';

/** A request, in pieces as a provider's cache sees it: tools, instructions, one message after the other. */
interface SeenRequest {
  readonly body: JsonRecord;
  readonly pieces: readonly string[];
  /** Characters that stand in the cache, and all of them. */
  readonly cached: number;
  readonly total: number;
}

interface Usage {
  readonly input: number;
  readonly cached: number;
}

/** An API whose answers tell what its cache had. */
interface CachingApi {
  readonly name: string;
  readonly createModel: (baseURL: string) => LanguageModelV4;
  readonly pieces: (body: JsonRecord) => readonly unknown[];
  readonly reply: (text: string, usage: Usage) => object;
  /** What the API is told of tools when a record is asked for. */
  readonly toolChoice: (body: JsonRecord) => unknown;
  readonly noTool: unknown;
}

const apiKey = 'unused';
const output = 20;

const apis: readonly CachingApi[] = [
  {
    name: 'openai.responses',
    createModel: (baseURL) => createOpenAI({ baseURL, apiKey }).responses('gpt-4.1-mini'),
    pieces: ({ tools, input }) => [tools, ...list(input)],
    reply: (text, { input, cached }) => ({
      id: 'resp_1',
      created_at: 0,
      model: 'gpt-4.1-mini',
      output: [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ],
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: 0 },
      },
    }),
    toolChoice: (body) => body['tool_choice'],
    noTool: 'none',
  },
  {
    name: 'openai.chat',
    createModel: (baseURL) => createOpenAI({ baseURL, apiKey }).chat('gpt-4.1-mini'),
    pieces: ({ tools, messages }) => [tools, ...list(messages)],
    reply: (text, { input, cached }) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: 'gpt-4.1-mini',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        prompt_tokens_details: { cached_tokens: cached },
      },
    }),
    toolChoice: (body) => body['tool_choice'],
    noTool: 'none',
  },
  {
    name: 'anthropic',
    createModel: (baseURL) => createAnthropic({ baseURL, apiKey })('claude-haiku-4-5'),
    pieces: ({ tools, system, messages }) => [tools, system, ...list(messages)],
    reply: (text, { input, cached }) => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-4-5',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: input - cached,
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: 0,
        output_tokens: output,
      },
    }),
    toolChoice: (body) => record(body['tool_choice'])['type'],
    // Another choice of tools would throw the messages out of this provider's cache.
    noTool: 'auto',
  },
  {
    name: 'google',
    createModel: (baseURL) => createGoogle({ baseURL, apiKey })('gemini-2.5-flash'),
    pieces: ({ tools, systemInstruction, contents }) => [
      tools,
      systemInstruction,
      ...list(contents),
    ],
    reply: (text, { input, cached }) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output,
        totalTokenCount: input + output,
        cachedContentTokenCount: cached,
      },
    }),
    toolChoice: ({ toolConfig }) => record(record(toolConfig)['functionCallingConfig'])['mode'],
    noTool: 'NONE',
  },
];

const tools = {
  look: tool({
    description: 'Looks at a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: () => 'Seen.',
  }),
};

const written = answer({ summary: 'They spoke of many things, asked in place.' });

let server: LoopbackServer | undefined;
afterEach(async () => server?.stop());

/** Talks with an API that has a cache until a summary is made; gives back what was sent. */
async function talk(api: CachingApi, options: SummarizationOptions, hasCache = true) {
  const seen: SeenRequest[] = [];
  const known = new Set<string>();
  server = await startLoopbackServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const body = record(JSON.parse(text));
      const pieces = api
        .pieces(body)
        .map((piece) => withoutBreakpoints(JSON.stringify(piece) ?? ''));
      const sizes = pieces.map(({ length }) => length);
      const fresh = pieces.findIndex(
        (_, index) => !known.has(pieces.slice(0, index + 1).join('\n')),
      );
      const sum = (all: readonly number[]): number => all.reduce((total, size) => total + size, 0);
      const cached = hasCache ? sum(sizes.slice(0, fresh < 0 ? undefined : fresh)) : 0;
      for (const index of pieces.keys()) known.add(pieces.slice(0, index + 1).join('\n'));
      seen.push({ body, pieces, cached, total: sum(sizes) });
      const isRecord = text.includes('Stop here:') || text.includes('constraints');
      const usage = { input: Math.ceil(sum(sizes) / 4), cached: Math.floor(cached / 4) };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(api.reply(isRecord ? written : 'Understood.', usage)));
    })();
  });
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 6000,
    fallbackStrategy: false,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const model = wrapLanguageModel({ model: api.createModel(server.url), middleware });
  const messages: ModelMessage[] = [];
  while (messages.length < 120 && !events.some(({ type }) => type === 'end')) {
    const text = `Message ${messages.length}: ${'the river rises in the hills and goes to the sea. '.repeat(12)}`;
    messages.push({ role: 'user', content: text });
    const result = await generateText({
      model,
      instructions: 'You speak of rivers.',
      messages,
      tools,
      maxRetries: 0,
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    });
    messages.push({ role: 'assistant', content: result.text });
  }
  const at = seen.findIndex(({ pieces }) => pieces.at(-1)?.includes('Stop here:'));
  return { seen, events, at, summary: seen[at], before: seen[at - 1] };
}

/** Providers leave the marks of their caches out of what they compare. */
function withoutBreakpoints(text: string): string {
  return text.replaceAll(/,"cache_control":\{[^}]*\}/g, '');
}

describe.each(apis)('a summary reads the cache of $name', (api) => {
  it('asks at the end of the prompt whose beginning the call before had sent, byte for byte', async () => {
    const { summary, before, events } = await talk(api, {});
    if (summary === undefined || before === undefined)
      throw new Error('Nobody was asked in place.');
    expect(summary.pieces.slice(0, before.pieces.length)).toEqual(before.pieces);
    expect(summary.cached / summary.total).toBeGreaterThan(0.7);
    expect(api.toolChoice(summary.body)).toBe(api.noTool);
    const end = events.find((event) => event.type === 'end');
    expect(end?.type === 'end' && end.record.summary).toContain('asked in place');
    expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
  });

  it('gives a transcript where the last usage reported no cache', async () => {
    const { at } = await talk(api, {}, false);
    expect(at).toBe(-1);
  });

  it('gives a transcript where texts are redacted', async () => {
    const { at } = await talk(api, { redact: (text) => text });
    expect(at).toBe(-1);
  });
});
