import { expect, it } from 'vitest';
import { stateDialectOf } from '../../../src/prompt/message-state.ts';
import {
  addressOf,
  historyAtProvider,
  termsAgain,
  termsOfCall,
} from '../../../src/prompt/provider-options.ts';
import type { Message } from '../../../src/index.ts';
import { assistant, system, user } from '../../support/prompt-messages.ts';
import type { CallOptions } from '../../support/prompt-types.ts';

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

it.each<[Options, ('held' | 'cut')?]>([
  [{}],
  [{ azure: { truncation: 'auto' }, xai: { previousResponseId: 'resp_1' } }, 'held'],
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
  expect(historyAtProvider({ prompt: [user('Hello.')], providerOptions })).toBe(expected);
});

const compaction = { anthropic: { type: 'compaction' } };
const said = (text: string, providerOptions: Options, role = 'assistant'): Message =>
  JSON.parse(JSON.stringify({ role, content: [{ type: 'text', text, providerOptions }] }));
const custom = (kind: `${string}.${string}`): Message => assistant('', { type: 'custom', kind });
const compactedText = { type: 'text', text: 'So far.', providerOptions: compaction } as const;

it.each<[string, Message, boolean]>([
  ['of Anthropic', said('So far.', compaction), true],
  ['beside other parts', assistant('First.', compactedText), true],
  ['of OpenAI', custom('openai.compaction'), true],
  ['but not another part of OpenAI', custom('openai.other'), false],
  ['but not one that failed', said('', compaction), false],
  ['but not one of another provider', said('a', { openai: { type: 'compaction' } }), false],
  ['but not a text of the user', said('a', compaction, 'user'), false],
])('historyAtProvider finds a compaction %s', (_what, message, expected) => {
  const [first, later] = [
    [system('a'), message],
    [user('a'), message, user('b')],
  ] as const;
  expect(historyAtProvider({ prompt: [...first] })).toBe(expected ? 'held' : undefined);
  expect(historyAtProvider({ prompt: [...later] })).toBe(expected ? 'cut' : undefined);
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
  expect(termsOfCall(given, model)(model)).toEqual({ headers, providerOptions });
  expect(termsAgain(given).headers).toEqual({ ...lasting, ...agent });
  expect(termsAgain(given).providerOptions).toEqual({ ...own, ...reasoning, openai });
});

it.each([
  ['https://a.b.example.com:8080', 'example.com'],
  ['http://localhost:1234', 'localhost:1234'],
])('the address of a model is read of %s', (origin, service) => {
  for (const config of [{ url: () => `${origin}/v1` }, { baseURL: `${origin}/v1` }])
    expect(addressOf({ config })).toEqual({ origin, service });
});
