import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { createGateway, generateText, type LanguageModel, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  compactTool,
  memoryStore,
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
import { openaiChatApi } from './apis/chat.ts';
import { gatewayApi } from './apis/gateway.ts';
import { googleApi } from './apis/google.ts';
import { openaiResponsesApi } from './apis/responses.ts';
import type { WireApi } from './apis/wire-api.ts';
import {
  type CapturedRequest,
  caseHeader,
  servedApi,
  startWireServer,
  type WireServer,
} from './apis/wire-server.ts';
import { record } from './json-view.ts';

const apiKey = 'unused';
const secret = 'a secret of the operator';

/** A provider, a call's options, and what of them a request for a summary has in its body and has not. */
interface TermsCase {
  readonly name: string;
  readonly api: WireApi;
  readonly createModel: (baseURL: string) => LanguageModelV4;
  readonly providerOptions: SharedV4ProviderOptions;
  readonly carried: object;
  /** Words of what is for the call alone. */
  readonly left: readonly string[];
}

const cases: readonly TermsCase[] = [
  {
    name: 'openai.responses',
    // Its rules have no summary beside a context management: the caller wants both here.
    api: { ...openaiResponsesApi, rules: () => [] },
    createModel: (baseURL) => createOpenAI({ baseURL, apiKey }).responses('gpt-5-mini'),
    providerOptions: {
      openai: {
        store: false,
        user: 'u1',
        serviceTier: 'flex',
        strictJsonSchema: true,
        include: ['file_search_call.results'],
        instructions: 'Speak like a pirate.',
        contextManagement: [{ type: 'compaction', compactThreshold: 90_000 }],
        parallelToolCalls: false,
        maxToolCalls: 3,
      },
    },
    carried: { store: false, user: 'u1', service_tier: 'flex' },
    left: ['file_search_call', 'pirate', 'context_management', 'tool_calls'],
  },
  {
    name: 'openai.chat',
    api: openaiChatApi,
    createModel: (baseURL) => createOpenAI({ baseURL, apiKey }).chat('gpt-4.1-mini'),
    providerOptions: {
      openai: {
        store: false,
        user: 'u1',
        metadata: { tenant: 't1' },
        parallelToolCalls: false,
        maxCompletionTokens: 7,
        prediction: { type: 'content', content: 'A predicted text.' },
        logitBias: { 1734: -100 },
      },
    },
    carried: { store: false, user: 'u1', metadata: { tenant: 't1' } },
    left: ['parallel_tool_calls', 'max_completion_tokens', 'predicted', 'logit_bias'],
  },
  {
    name: 'anthropic',
    api: anthropicApi,
    createModel: (baseURL) => createAnthropic({ baseURL, apiKey })('claude-3-7-sonnet-latest'),
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
    createModel: (baseURL) => createGoogle({ baseURL, apiKey })('gemini-2.5-flash'),
    providerOptions: {
      google: {
        labels: { tenant: 't1' },
        safetySettings: [
          { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_LOW_AND_ABOVE' },
        ],
        thinkingConfig: { thinkingBudget: 0 },
        cachedContent: 'cachedContents/1',
        responseModalities: ['TEXT'],
      },
    },
    carried: {
      labels: { tenant: 't1' },
      safetySettings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_LOW_AND_ABOVE' }],
      generationConfig: expect.objectContaining({ thinkingConfig: { thinkingBudget: 0 } }),
    },
    left: ['cachedContents', 'responseModalities'],
  },
  {
    name: 'gateway',
    api: gatewayApi,
    createModel: (baseURL) => createGateway({ baseURL, apiKey })('openai/gpt-5-mini'),
    providerOptions: {
      gateway: {
        user: 'u1',
        tags: ['t1'],
        zeroDataRetention: true,
        only: ['azure'],
        order: ['azure'],
        caching: 'auto',
      },
      openai: { store: false, include: ['file_search_call.results'] },
    },
    carried: {
      providerOptions: {
        gateway: {
          user: 'u1',
          tags: ['t1'],
          zeroDataRetention: true,
          only: ['azure'],
          order: ['azure'],
        },
        openai: { store: false },
      },
    },
    left: ['caching', 'file_search_call'],
  },
];

const headers = {
  'x-tenant': 't1',
  'x-tenant-token': 'of the tenant',
  'idempotency-key': 'one of a kind',
  'openai-beta': 'what-is-new=v1',
};

let lastCase = 0;

/** Sends a chat; gives back what its server was sent for it, the newest last. */
async function sentFor(
  server: Pick<WireServer, 'requestsOf'>,
  model: LanguageModelV4,
  { providerOptions }: Pick<TermsCase, 'providerOptions'>,
  options: SummarizationOptions = {},
): Promise<readonly CapturedRequest[]> {
  lastCase += 1;
  const caseId = `case ${lastCase}`;
  const middleware = summarizationMiddleware({ minMessages: 1, native: 'never', ...options });
  await generateText({
    model: wrapLanguageModel({ model, middleware }),
    messages: chat(17),
    maxRetries: 0,
    headers: { ...headers, [caseHeader]: caseId },
    providerOptions: { ...providerOptions, summarization: { force: true } },
  });
  return server.requestsOf(caseId);
}

/** The job that a call gives to a queue, and the store that it shares with a worker. */
async function jobOf(call: (own: SummarizationOptions) => Promise<unknown>) {
  const store = sharedStore().open();
  const jobs: SummaryJob[] = [];
  const enqueue = (job: SummaryJob): void => void jobs.push(job);
  await call({ store, secret, background: { enqueue } });
  await until(() => jobs.length > 0);
  const [job] = jobs;
  if (job === undefined) throw new Error('No job.');
  return { job, store };
}

describe.each(cases)('a summary goes out under the terms of its call: $name', (given) => {
  const server = servedApi(given.api);

  it('carries headers and provider options, but for what is the call’s alone', async () => {
    const requests = await sentFor(server, given.createModel(server.baseURL), given);
    expect(requests).toHaveLength(2);
    const [summary, call] = requests;
    expect(summary?.body).toMatchObject(given.carried);
    expect(summary?.headers).toMatchObject({ 'x-tenant': 't1', 'x-tenant-token': 'of the tenant' });
    expect(summary?.headers['idempotency-key']).toBeUndefined();
    expect(summary?.headers['user-agent']?.match(/\bai\//g)).toHaveLength(1);
    for (const word of given.left) {
      expect(JSON.stringify(call?.body)).toContain(word);
      expect(JSON.stringify(summary?.body)).not.toContain(word);
    }
    expect(call?.headers['idempotency-key']).toBe('one of a kind');
  });
});

describe('however a summary comes to be', () => {
  const options = { openai: { store: false, user: 'u1', include: ['file_search_call.results'] } };
  const server = servedApi(openaiResponsesApi);

  const create = (): LanguageModelV4 =>
    createOpenAI({ baseURL: server.baseURL, apiKey }).responses('gpt-5-mini');

  /** Of all requests of a case, those for a summary. */
  const summariesOf = (caseId: string): readonly CapturedRequest[] =>
    server.requestsOf(caseId).filter(({ body }) => 'format' in record(body.text));

  interface Way {
    readonly caseId: string;
    readonly call: {
      readonly maxRetries: number;
      readonly headers: Record<string, string>;
      readonly providerOptions: SharedV4ProviderOptions;
    };
  }
  const small = { contextLength: 1050, minMessages: 1, fallbackStrategy: false } as const;
  const wrapped = (own: SummarizationOptions): LanguageModelV4 =>
    wrapLanguageModel({
      model: create(),
      middleware: summarizationMiddleware({ ...small, ...own }),
    });

  const ways: readonly (readonly [string, (way: Way) => Promise<unknown>])[] = [
    ['due', async ({ call }) => generateText({ model: wrapped({}), messages: chat(19), ...call })],
    [
      'prepared beside the answer',
      async ({ call, caseId }) => {
        const model = wrapped({ background: true });
        await generateText({ model, messages: chat(15), ...call });
        await until(() => summariesOf(caseId).length > 0);
      },
    ],
    [
      'asked for by an agent',
      async ({ call }) => {
        const [called, result] = toolStep('1', 'accepted', 'compact');
        if (called === undefined || result === undefined) throw new Error('No step.');
        const messages = [...chat(9), called, result];
        const tools = { compact: compactTool() };
        return generateText({ model: wrapped({ contextLength: 9000 }), messages, tools, ...call });
      },
    ],
    [
      'by a worker, which is told the headers',
      async ({ call }) => {
        const { job, store } = await jobOf((own) =>
          generateText({ model: wrapped(own), messages: chat(17), ...call, headers: {} }),
        );
        const done = { ...job, store, secret, model: create(), options: small };
        expect(await prepareSummary({ ...done, headers: call.headers })).toMatchObject({
          ok: true,
        });
      },
    ],
    [
      'by prepareSummary',
      async ({ call: { headers: given, providerOptions } }) => {
        const place = { store: memoryStore(), secret, model: create(), options: small };
        const terms = { headers: given, providerOptions };
        const result = await prepareSummary({ messages: chat(17), ...place, ...terms });
        expect(result).toMatchObject({ ok: true });
      },
    ],
    [
      'by summarizeConversation',
      async ({ call: { headers: given, providerOptions } }) => {
        const terms = { headers: given, providerOptions };
        const result = await summarizeConversation({
          messages: chat(17),
          model: create(),
          ...terms,
        });
        expect(result).toMatchObject({ ok: true });
      },
    ],
  ];

  it.each(ways)('%s', async (caseId, way) => {
    const call = {
      maxRetries: 0,
      headers: { ...headers, [caseHeader]: caseId },
      providerOptions: options,
    };
    await way({ call, caseId });
    const summaries = summariesOf(caseId);
    expect(summaries).toHaveLength(1);
    expect(summaries[0]?.body).toMatchObject({ store: false, user: 'u1' });
    expect(summaries[0]?.headers).toMatchObject({ 'x-tenant': 't1' });
    expect(JSON.stringify(summaries[0]?.body)).not.toContain('file_search');
  });

  it('a queue holds no credential', async () => {
    const gateway = await startWireServer(gatewayApi);
    const through = createGateway({ baseURL: gateway.baseURL, apiKey })('openai/gpt-5-mini');
    const byok = { openai: [{ apiKey: 'of the tenant' }] };
    const providerOptions = { gateway: { user: 'u1', byok } };
    const { job, store } = await jobOf((own) => {
      const middleware = summarizationMiddleware({ ...small, ...own });
      const model = wrapLanguageModel({ model: through, middleware });
      return generateText({ model, messages: chat(17), headers, providerOptions });
    });
    await prepareSummary({ ...job, store, secret, model: through, options: small });
    await gateway.close();
    const requests = gateway.requestsOf('').map((request) => JSON.stringify(request));
    expect(requests).toHaveLength(2);
    expect(requests[0]).toContain('of the tenant');
    expect(requests[1]).toContain('"user":"u1"');
    expect(requests[1]).not.toContain('of the tenant');
  });
});

describe('another summariser', () => {
  const { providerOptions } = cases[0] ?? { providerOptions: {} };
  const server = servedApi({ ...openaiResponsesApi, rules: () => [] });
  const elsewhere = servedApi(openaiResponsesApi);
  const anthropic = servedApi(anthropicApi);

  const openaiAt = ({ baseURL }: WireServer, modelId: string): LanguageModelV4 =>
    createOpenAI({ baseURL, apiKey }).responses(modelId);

  /** What a summariser at a server is sent in the place of the model of a call. */
  async function sentTo(
    target: WireServer,
    summarizer: LanguageModel,
  ): Promise<CapturedRequest | undefined> {
    const own = { summarizerModelPreference: [summarizer] };
    const model = openaiAt(server, 'gpt-5-mini');
    const before = target.requestsOf('').length;
    const requests = await sentFor(server, model, { providerOptions }, own);
    return target === server ? requests[0] : target.requestsOf('')[before];
  }

  it('of the same provider, at its address, gets headers and the terms of any model', async () => {
    const request = await sentTo(server, openaiAt(server, 'gpt-5-nano'));
    expect(request?.body).toMatchObject({ model: 'gpt-5-nano', store: false, user: 'u1' });
    expect(JSON.stringify(request?.body)).not.toMatch(/file_search|pirate|context_management/);
    expect(request?.headers).toMatchObject({ 'x-tenant': 't1', 'x-tenant-token': 'of the tenant' });
    expect(request?.headers['openai-beta']).toBeUndefined();
  });

  it('of the same provider, whose address nobody sees, gets no credentials', async () => {
    const hidden = wrapLanguageModel({
      model: openaiAt(server, 'gpt-5-nano'),
      middleware: { specificationVersion: 'v4' },
    });
    const request = await sentTo(server, hidden);
    expect(request?.body).toMatchObject({ model: 'gpt-5-nano', store: false, user: 'u1' });
    expect(request?.headers['x-tenant']).toBe('t1');
    expect(request?.headers['x-tenant-token']).toBeUndefined();
  });

  it.each([
    ['eu.mine.example', 'u1'],
    ['api.other.example', undefined],
  ])('at another address of a name gets the terms of its own service: %s', async (host, user) => {
    const named = (name: string, modelId: string): LanguageModelV4 =>
      createOpenAI({
        apiKey,
        baseURL: `https://${name}`,
        fetch: async (_url, init) => fetch(`${server.baseURL}/responses`, init),
      }).responses(modelId);
    const own = { summarizerModelPreference: [named(host, 'gpt-5-nano')] };
    const call = named('api.mine.example', 'gpt-5-mini');
    const requests = await sentFor(server, call, { providerOptions }, own);
    const [summary] = [...server.requestsOf('').slice(-1), ...requests];
    expect(summary?.body).toMatchObject({ model: 'gpt-5-nano' });
    expect(summary?.body['user']).toBe(user);
  });

  it('of another address or provider gets what its own settings say', async () => {
    const others = [
      await sentTo(elsewhere, openaiAt(elsewhere, 'gpt-5-nano')),
      await sentTo(
        anthropic,
        createAnthropic({ baseURL: anthropic.baseURL, apiKey })('claude-haiku-4-5'),
      ),
    ];
    for (const request of others) {
      expect(request?.body).toBeDefined();
      expect(request?.body).not.toHaveProperty('store');
      expect(request?.body).not.toHaveProperty('user');
      expect(request?.headers).not.toHaveProperty('x-tenant');
    }
  });
});
