import { expect, it } from 'vitest';
import { stateDialectOf } from '../../../../src/prompt/messages/message-state.ts';
import {
  addressOf,
  historyAtProvider,
  settingsForSamePrompt,
  settingsForModels,
} from '../../../../src/prompt/messages/provider-options.ts';
import type { Message } from '../../../../src/index.ts';
import { assistant, system, user } from '../../../support/prompt-messages.ts';
import type { CallOptions } from '../../../support/prompt-types.ts';

type Options = NonNullable<CallOptions['providerOptions']>;

const ofOpenAi = (key: string): [Options, ('held' | 'cut')?][] => [
  [{ [key]: {} }],
  [{ [key]: { previousResponseId: 'resp_1' } }, 'held'],
  [{ [key]: { previousResponseId: '' } }],
  [{ [key]: { conversation: 'conv_1' } }, 'held'],
  [{ [key]: { contextManagement: [{ type: 'compaction' }] } }, 'cut'],
  [{ [key]: { contextManagement: [] } }],
  [{ [key]: { compactionTrigger: true } }, 'cut'],
  [{ [key]: { truncation: 'auto' } }, 'cut'],
  [{ [key]: { truncation: 'disabled' } }],
];

const apis: Readonly<Record<string, string>> = {
  azure: 'azure.responses',
  openai: 'openai.responses',
  xai: 'xai.responses',
  google: 'google.generative-ai',
  anthropic: 'anthropic.messages',
  mistral: 'mistral.chat',
};

it.each<[Options, ('held' | 'cut')?]>([
  [{}],
  ...ofOpenAi('openai'),
  ...ofOpenAi('azure'),
  [{ xai: { previousResponseId: 'resp_1' } }, 'held'],
  [{ xai: { previousResponseId: '' } }],
  [{ google: { previousInteractionId: 'v1_1' } }, 'held'],
  [{ google: { previousInteractionId: 'v1_1', store: false } }],
  [{ google: { previousInteractionId: null } }],
  [{ anthropic: { thread: { id: 'thread_1' } } }, 'held'],
  [{ anthropic: { thread: null } }],
  [{ anthropic: { compaction: { type: 'auto' } } }, 'cut'],
  [{ anthropic: { contextManagement: { edits: [{ type: 'compact_20260112' }] } } }, 'cut'],
  [{ anthropic: { contextManagement: { edits: [] } } }],
  [{ mistral: { previousResponseId: 'resp_1', thread: 'thread_1' } }],
])('historyAtProvider says of the options %j: %s', (providerOptions, expected) => {
  const [key = ''] = Object.keys(providerOptions);
  const ask = (model: { provider: string; modelId: string }): unknown =>
    historyAtProvider({ prompt: [user('Hello.')], providerOptions }, model);
  expect(ask({ provider: apis[key] ?? 'any', modelId: 'any' })).toBe(expected);
  expect(ask({ provider: 'gateway', modelId: `${key}/any` })).toBe(expected);
  expect(ask({ provider: 'groq.chat', modelId: 'any' })).toBeUndefined();
});

it.each([
  ['openai', 'openai.chat', 'gpt-4o', false],
  ['openai', 'my-proxy.responses', 'gpt-6', true],
  ['openai', 'xai.responses', 'grok-4', false],
  ['openai', 'gateway', 'anthropic/claude-opus-5', false],
  ['anthropic', 'gateway', 'anthropic/claude-opus-5', true],
  ['anthropic', 'vertex.anthropic.messages', 'claude-opus-5', true],
  ['anthropic', 'my-proxy', 'claude-opus-5', true],
  ['anthropic', 'amazon-bedrock', 'us.anthropic.claude-opus-5-v1:0', false],
  ['anthropic', 'openrouter', 'anthropic/claude-opus-5', false],
  ['google', 'google.vertex.chat', 'gemini-3-pro', false],
])('of an option for %s, whether %s %s reads it: %s', (key, provider, modelId, isRead) => {
  const options = { previousResponseId: 'a', thread: 'b', previousInteractionId: 'c' };
  const call = { prompt: [user('Hello.')], providerOptions: { [key]: options } };
  expect(historyAtProvider(call, { provider, modelId })).toBe(isRead ? 'held' : undefined);
});

const compaction = { anthropic: { type: 'compaction' } };
const said = (text: string, providerOptions: Options, role = 'assistant'): Message =>
  JSON.parse(JSON.stringify({ role, content: [{ type: 'text', text, providerOptions }] }));
const custom = (kind: `${string}.${string}`): Message => assistant('', { type: 'custom', kind });
const compactedText = { type: 'text', text: 'So far.', providerOptions: compaction } as const;

it.each<[string, Message, string?]>([
  ['of Anthropic', said('So far.', compaction), 'anthropic'],
  ['beside other parts', assistant('First.', compactedText), 'anthropic'],
  ['of OpenAI', custom('openai.compaction'), 'openai'],
  ['but not another part of OpenAI', custom('openai.other')],
  ['but not one that failed', said('', compaction)],
  ['but not one of another provider', said('a', { openai: { type: 'compaction' } })],
  ['but not a text of the user', said('a', compaction, 'user')],
])('historyAtProvider finds a compaction %s', (_what, message, writer) => {
  const [first, later] = [
    [system('a'), message],
    [user('a'), message, user('b')],
  ] as const;
  for (const reader of ['openai', 'anthropic']) {
    const model = { provider: apis[reader] ?? '', modelId: 'any' };
    const isRead = reader === writer;
    const otherwise = writer === undefined ? undefined : 'foreign';
    expect(historyAtProvider({ prompt: [...first] }, model)).toBe(isRead ? 'held' : otherwise);
    expect(historyAtProvider({ prompt: [...later] }, model)).toBe(isRead ? 'cut' : otherwise);
  }
});

it.each([
  ['openai.responses', 'gpt-6-luna', 'openai'],
  ['azure.responses', 'my-deployment', 'azure'],
  ['my-proxy.responses', 'gpt-6-luna', 'openai'],
  ['gateway', 'openai/gpt-6-luna', 'openai'],
  ['gateway', 'anthropic/claude-opus-4-8', 'anthropic'],
  ['anthropic.messages', 'claude-opus-4-8', 'anthropic'],
  ['vertex.anthropic.messages', 'claude-opus-4-8', 'anthropic'],
  ['openai.chat', 'gpt-4.1-mini', undefined],
  ['xai.responses', 'grok-4', undefined],
])('stateDialectOf %s, %s is %s', (provider, modelId, dialect) => {
  expect(stateDialectOf({ provider, modelId })).toBe(dialect);
});

it('to the model of a call go all terms but what is for that call, and again all but its history', () => {
  const lasting = { 'x-tenant': 'a', authorization: 'b', 'openai-beta': 'c' };
  const once = { 'Idempotency-Key': 'd', 'x-request-id': 'e', 'content-type': 'f', accept: 'g' };
  const agent = { 'user-agent': 'shop/1 ai/7.0.1 beta' };
  const openai = { include: ['h'], parallel_tool_calls: true, user: 'i' };
  const own = { own: { reasoningConfig: {} }, google: { seed: 1 } };
  const reasoning = { anthropic: { thinking: {} }, bedrock: { reasoningConfig: {} } };
  const held = { openai: { ...openai, previous_response_id: 'j' }, none: { thread: 'k' } };
  const all = { ...own, ...reasoning, ...held };
  const given = { headers: { ...lasting, ...once, ...agent }, providerOptions: all };
  const model = { provider: 'openai.responses', modelId: 'gpt-6' };
  const headers = { ...lasting, 'user-agent': 'shop/1 beta' };
  const providerOptions = { ...own, openai: { user: 'i' } };
  expect(settingsForModels(given, model)(model)).toEqual({ headers, providerOptions });
  expect(settingsForSamePrompt(given).headers).toEqual({ ...lasting, ...agent });
  expect(settingsForSamePrompt(given).providerOptions).toEqual({ ...own, ...reasoning, openai });
});

it.each([
  ['https://a.b.example.com:8080', 'example.com'],
  ['http://localhost:1234', 'localhost:1234'],
])('the address of a model is read of %s', (origin, service) => {
  for (const config of [{ url: () => `${origin}/v1` }, { baseURL: `${origin}/v1` }])
    expect(addressOf({ config })).toEqual({ origin, service });
});
