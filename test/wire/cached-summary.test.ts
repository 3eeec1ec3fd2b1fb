import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, tool, wrapLanguageModel, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { answer } from '../support/models.ts';
import { anthropicApi } from './apis/anthropic.ts';
import { googleApi } from './apis/google.ts';
import { openaiResponsesApi } from './apis/responses.ts';
import { type ProviderSettings, served } from './apis/served.ts';
import type { WireApi } from './apis/wire-api.ts';
import { list, record, type JsonRecord } from './json-view.ts';

/** An API whose answers tell what its cache had. */
interface CachingApi {
  readonly name: string;
  readonly api: WireApi;
  readonly create: (settings: ProviderSettings) => LanguageModelV4;
  readonly pieces: (body: JsonRecord) => readonly unknown[];
  /** What the API is told of tools when a record is asked for. */
  readonly toolChoice: (body: JsonRecord) => unknown;
  readonly noTool: unknown;
}

const apis: readonly CachingApi[] = [
  {
    name: 'openai.responses',
    api: openaiResponsesApi,
    create: (settings) => createOpenAI(settings).responses('gpt-4.1-mini'),
    pieces: ({ tools, input }) => [tools, ...list(input)],
    toolChoice: (body) => body['tool_choice'],
    noTool: 'none',
  },
  {
    name: 'anthropic',
    api: anthropicApi,
    create: (settings) => createAnthropic(settings)('claude-haiku-4-5'),
    pieces: ({ tools, system, messages }) => [tools, system, ...list(messages)],
    toolChoice: (body) => record(body['tool_choice'])['type'],
    // Another choice of tools would throw the messages out of this provider's cache.
    noTool: 'auto',
  },
  {
    name: 'google',
    api: googleApi,
    create: (settings) => createGoogle(settings)('gemini-2.5-flash'),
    pieces: ({ tools, systemInstruction, contents }) => [
      tools,
      systemInstruction,
      ...list(contents),
    ],
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

/** Talks with an API that has a cache until a summary is made; gives back what was sent. */
async function talk(
  { api, create, pieces: piecesOf }: CachingApi,
  options: SummarizationOptions,
  hasCache = true,
) {
  /** Requests in pieces as a cache sees them, tools and instructions first, and the share that stood in it. */
  const seen: { body: JsonRecord; pieces: readonly string[]; share: number }[] = [];
  const known = new Set<string>();
  const { settings } = served({
    ...api,
    answer: (request) => {
      const { body } = request;
      // Providers leave the marks of their caches out of what they compare.
      const pieces = piecesOf(body).map((piece) =>
        (JSON.stringify(piece) ?? '').replaceAll(/,"cache_control":\{[^}]*\}/g, ''),
      );
      const prefixes = pieces.map((_, index) => pieces.slice(0, index + 1).join('\n'));
      const total = prefixes.at(-1)?.length ?? 0;
      const cached = hasCache ? (prefixes.findLast((prefix) => known.has(prefix))?.length ?? 0) : 0;
      for (const prefix of prefixes) known.add(prefix);
      seen.push({ body, pieces, share: cached / total });
      const isRecord = /Stop here:|constraints/.test(JSON.stringify(body));
      return api.answer(request, {
        text: isRecord ? written : 'Understood.',
        input: Math.ceil(total / 4),
        cached: Math.floor(cached / 4),
      });
    },
  });
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 6000,
    fallbackStrategy: false,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const model = wrapLanguageModel({ model: create(settings), middleware });
  const messages: ModelMessage[] = [];
  while (messages.length < 120 && !events.some(({ type }) => type === 'end')) {
    const text = `Message ${messages.length}: ${'the river rises in the hills and goes to the sea. '.repeat(36)}`;
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
  return { events, summary: seen[at], before: seen[at - 1] };
}

describe.each(apis)('a summary reads the cache of $name', (api) => {
  it('asks at the end of the prompt whose beginning the call before had sent, byte for byte', async () => {
    const { summary, before, events } = await talk(api, {});
    if (summary === undefined || before === undefined)
      throw new Error('Nobody was asked in place.');
    expect(summary.pieces.slice(0, before.pieces.length)).toEqual(before.pieces);
    expect(summary.share).toBeGreaterThan(0.7);
    expect(api.toolChoice(summary.body)).toBe(api.noTool);
    const end = events.find((event) => event.type === 'end');
    expect(end?.type === 'end' && end.record.summary).toContain('asked in place');
    expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
  });

  it('gives a transcript where the last usage reported no cache, and where texts are redacted', async () => {
    for (const made of [talk(api, {}, false), talk(api, { redact: (text) => text })])
      expect((await made).summary).toBeUndefined();
  });
});
