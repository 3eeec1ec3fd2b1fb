import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { createGateway, generateText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  compactTool,
  prepareSummary,
  summarizationMiddleware,
  summarizeConversation,
  type SummarizationOptions,
  type SummaryJob,
} from '../../src/index.ts';
import { chat, toolStep } from '../support/messages.ts';
import { sharedStore } from '../support/shared-store.ts';
import { until } from '../support/until.ts';
import { anthropicApi } from './apis/anthropic.ts';
import { gatewayApi } from './apis/gateway.ts';
import { googleApi } from './apis/google.ts';
import { openaiResponsesApi } from './apis/responses.ts';
import { type ProviderSettings, served } from './apis/served.ts';
import type { WireApi, WireRequest } from './apis/wire-api.ts';
import { record } from './json-view.ts';

const secret = 'a secret of the operator';

/** Its rules have no summary beside a context management: the caller wants both here. */
const responsesApi: WireApi = { ...openaiResponsesApi, rules: () => [] };

/** A provider, a call's options, and what of them a request for a summary has in its body and has not. */
interface TermsCase {
  readonly name: string;
  readonly api: WireApi;
  readonly create: (settings: ProviderSettings) => LanguageModelV4;
  readonly providerOptions: SharedV4ProviderOptions;
  readonly carried: object;
  /** Words of what is for the call alone. */
  readonly left: readonly string[];
}

const ofOpenAi = {
  store: false,
  user: 'u1',
  serviceTier: 'flex',
  promptCacheKey: 'chat-1',
  include: ['file_search_call.results'],
  instructions: 'Speak like a pirate.',
  contextManagement: [{ type: 'compaction', compactThreshold: 90_000 }],
  parallelToolCalls: false,
};
const safetySettings = [
  { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_LOW_AND_ABOVE' },
];
const ofGateway = { user: 'u1', tags: ['t1'], zeroDataRetention: true, only: ['azure'] };

const cases: readonly TermsCase[] = [
  {
    name: 'openai.responses',
    api: responsesApi,
    create: (settings) => createOpenAI(settings).responses('gpt-5-mini'),
    providerOptions: { openai: ofOpenAi },
    carried: { store: false, user: 'u1', service_tier: 'flex' },
    left: ['file_search_call', 'pirate', 'context_management', 'tool_calls', 'chat-1'],
  },
  {
    name: 'anthropic',
    api: anthropicApi,
    create: (settings) => createAnthropic(settings)('claude-3-7-sonnet-latest'),
    providerOptions: {
      anthropic: {
        metadata: { userId: 'u1' },
        inferenceGeo: 'us',
        thinking: { type: 'enabled', budgetTokens: 2000 },
        cacheControl: { type: 'ephemeral' },
        contextManagement: { edits: [{ type: 'clear_tool_uses_20250919' }] },
        mcpServers: [{ type: 'url', name: 'files', url: 'https://mcp.example/' }],
        container: { id: 'container_1' },
      },
    },
    carried: { metadata: { user_id: 'u1' }, inference_geo: 'us' },
    left: ['thinking', 'cache_control', 'clear_tool_uses', 'mcp', 'container_1'],
  },
  {
    name: 'google',
    api: googleApi,
    create: (settings) => createGoogle(settings)('gemini-2.5-flash'),
    providerOptions: {
      google: { labels: { tenant: 't1' }, safetySettings, cachedContent: 'cachedContents/1' },
    },
    carried: { labels: { tenant: 't1' }, safetySettings },
    left: ['cachedContents'],
  },
  {
    name: 'gateway',
    api: gatewayApi,
    create: (settings) => createGateway(settings)('openai/gpt-5-mini'),
    providerOptions: { gateway: { ...ofGateway, caching: 'auto' }, openai: ofOpenAi },
    carried: { providerOptions: { gateway: ofGateway, openai: { store: false, user: 'u1' } } },
    left: ['caching', 'file_search_call', 'chat-1'],
  },
];

const headers = {
  'x-tenant': 't1',
  'x-tenant-token': 'of the tenant',
  'idempotency-key': 'one of a kind',
  'openai-beta': 'what-is-new=v1',
};

/** Sends a chat for which a summary is made. */
async function send(
  model: LanguageModelV4,
  providerOptions: SharedV4ProviderOptions,
  options: SummarizationOptions = {},
): Promise<void> {
  const middleware = summarizationMiddleware({
    minMessages: 1,
    providerCompaction: 'ignore',
    ...options,
  });
  await generateText({
    model: wrapLanguageModel({ model, middleware }),
    messages: chat(17),
    maxRetries: 0,
    headers,
    providerOptions: { ...providerOptions, summarization: { force: true } },
  });
}

it.each(cases)(
  'a summary goes out under the terms of its call, but for what is the call’s alone: $name',
  async ({ api, create, providerOptions, carried, left }) => {
    const { requests: seen, settings } = served(api);
    await send(create(settings), providerOptions);
    const [summary, call, ...more] = seen;
    expect(more).toEqual([]);
    expect(summary?.body).toMatchObject(carried);
    expect(summary?.headers).toMatchObject({ 'x-tenant': 't1', 'x-tenant-token': 'of the tenant' });
    expect(summary?.headers['idempotency-key']).toBeUndefined();
    expect(summary?.headers['user-agent']?.match(/\bai\//g)).toHaveLength(1);
    for (const word of left) {
      expect(JSON.stringify(call?.body)).toContain(word);
      expect(JSON.stringify(summary?.body)).not.toContain(word);
    }
    expect(call?.headers['idempotency-key']).toBe('one of a kind');
  },
);

it.each([
  ['gpt-5-mini', { effort: 'low' }, { summary: 'auto' }],
  ['gpt-4.1', undefined, undefined],
])('a summary asks OpenAI for no summary of its reasoning: %s', async (id, ofSummary, ofCall) => {
  const { requests: seen, settings } = served(responsesApi);
  await send(createOpenAI(settings).responses(id), { openai: { reasoningSummary: 'auto' } });
  expect(seen.map(({ body }) => record(body)['reasoning'])).toEqual([ofSummary, ofCall]);
});

const small = { contextLength: 1050, minMessages: 1, fallbackStrategy: false } as const;

/** The job that a call gives to a queue, with what a worker has to do it: the store that it shares with the call, and the model. */
async function jobOf(
  model: LanguageModelV4,
  call: Pick<Parameters<typeof generateText>[0], 'headers' | 'providerOptions'>,
) {
  const store = sharedStore().open();
  const jobs: SummaryJob[] = [];
  const enqueue = (job: SummaryJob): void => void jobs.push(job);
  const middleware = summarizationMiddleware({ ...small, store, secret, background: { enqueue } });
  await generateText({
    model: wrapLanguageModel({ model, middleware }),
    messages: chat(17),
    ...call,
  });
  await until(() => jobs.length > 0);
  const [job] = jobs;
  if (job === undefined) throw new Error('No job.');
  return { ...job, store, secret, model, options: small };
}

describe('however a summary comes to be', () => {
  const { store, user, include } = ofOpenAi;
  const providerOptions = { openai: { store, user, include } };
  const call = { headers, providerOptions, maxRetries: 0 };
  const isSummary = ({ body }: WireRequest): boolean => 'format' in record(body.text);
  const wrapped = (model: LanguageModelV4, own: SummarizationOptions): LanguageModelV4 =>
    wrapLanguageModel({
      model,
      middleware: summarizationMiddleware({ ...small, ...own }),
    });

  it.each<[string, (model: LanguageModelV4, seen: readonly WireRequest[]) => Promise<unknown>]>([
    ['due', (model) => generateText({ model: wrapped(model, {}), messages: chat(19), ...call })],
    [
      'prepared beside the answer',
      async (inner, seen) => {
        const model = wrapped(inner, { background: true });
        await generateText({ model, messages: chat(15), ...call });
        await until(() => seen.some(isSummary));
      },
    ],
    [
      'asked for by an agent',
      (inner) => {
        const messages = [...chat(9), ...toolStep('1', 'accepted', 'compact')];
        const model = wrapped(inner, { contextLength: 9000 });
        return generateText({ model, messages, tools: { compact: compactTool() }, ...call });
      },
    ],
    [
      'by a worker, which is told the headers',
      async (model) => {
        await prepareSummary({ ...(await jobOf(model, { providerOptions })), headers });
      },
    ],
    [
      'by summarizeConversation',
      (model) => summarizeConversation({ messages: chat(17), model, headers, providerOptions }),
    ],
  ])('%s', async (_how, way) => {
    const { requests: seen, settings } = served(responsesApi);
    await way(createOpenAI(settings).responses('gpt-5-mini'), seen);
    const summaries = seen.filter(isSummary);
    expect(summaries).toHaveLength(1);
    expect(summaries[0]?.body).toMatchObject({ store: false, user: 'u1' });
    expect(summaries[0]?.headers).toMatchObject({ 'x-tenant': 't1' });
    expect(JSON.stringify(summaries[0]?.body)).not.toContain('file_search');
  });

  it('a queue holds no credential', async () => {
    const { requests: seen, settings } = served(gatewayApi);
    const model = createGateway(settings)('openai/gpt-5-mini');
    const byok = { openai: [{ apiKey: 'of the tenant' }] };
    const gateway = { user: 'u1', byok };
    await prepareSummary(await jobOf(model, { headers, providerOptions: { gateway } }));
    const [called, prepared, ...more] = seen.map((request) => JSON.stringify(request));
    expect(more).toEqual([]);
    expect(called).toContain('of the tenant');
    expect(prepared).toContain('"user":"u1"');
    expect(prepared).not.toContain('of the tenant');
  });
});

describe('another summarizer', () => {
  const openai = (address?: string) => {
    const { requests, settings } = served(responsesApi, address);
    return { requests, create: (modelId: string) => createOpenAI(settings).responses(modelId) };
  };
  const here = openai('https://api.mine.example');
  const hidden = { ...here, create: (modelId: string) => seenByNobody(here.create(modelId)) };
  const seenByNobody = (model: LanguageModelV4): LanguageModelV4 =>
    wrapLanguageModel({ model, middleware: { specificationVersion: 'v4' } });
  const token = headers['x-tenant-token'];

  it.each([
    ['at its address gets the terms of any model, and credentials', here, 'u1', 't1', token],
    ['whose address nobody sees gets no credentials', hidden, 'u1', 't1', undefined],
    ['at another address of its name', openai('https://eu.mine.example'), 'u1', 't1', undefined],
    ['at another name', openai('https://api.other.example'), undefined, undefined, undefined],
    ['at another address without a name', openai(), undefined, undefined, undefined],
  ])('of the same provider %s', async (_where, there, user, tenant, credential) => {
    there.requests.length = 0;
    const summarizerModelPreference = [there.create('gpt-5-nano')];
    await send(here.create('gpt-5-mini'), { openai: ofOpenAi }, { summarizerModelPreference });
    const [request] = there.requests;
    expect(request?.body).toMatchObject({ model: 'gpt-5-nano' });
    expect(request?.body['user']).toBe(user);
    expect(JSON.stringify(request?.body)).not.toMatch(/file_search|pirate|context_management/);
    expect(request?.headers['x-tenant']).toBe(tenant);
    expect(request?.headers['x-tenant-token']).toBe(credential);
    expect(request?.headers['openai-beta']).toBeUndefined();
  });

  it('of another provider gets what its own settings say', async () => {
    const { requests: seen, settings } = served(anthropicApi);
    const claude = createAnthropic(settings)('claude-haiku-4-5');
    const options = { summarizerModelPreference: [claude] };
    await send(here.create('gpt-5-mini'), { openai: ofOpenAi }, options);
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toMatch(/"store"|"user":|x-tenant/);
  });
});
