import { expect, it } from 'vitest';
import { stateDialectOf } from '../../../src/prompt/message-state.ts';
import { historyAtProvider } from '../../../src/prompt/provider-options.ts';
import type { Message } from '../../../src/index.ts';
import { assistant, user } from '../../support/prompt-messages.ts';
import type { CallOptions } from '../../support/prompt-types.ts';

type Options = NonNullable<CallOptions['providerOptions']>;

const ofOpenAi = (key: string): [Options, boolean][] => [
  [{ [key]: {} }, false],
  [{ [key]: { previousResponseId: 'resp_1' } }, true],
  [{ [key]: { previousResponseId: '' } }, false],
  [{ [key]: { conversation: 'conv_1' } }, true],
  [{ [key]: { contextManagement: [{ type: 'compaction' }] } }, true],
  [{ [key]: { contextManagement: [] } }, false],
  [{ [key]: { compactionTrigger: true } }, true],
  [{ [key]: { truncation: 'auto' } }, true],
  [{ [key]: { truncation: 'disabled' } }, false],
];

it.each<[Options, boolean]>([
  [{}, false],
  ...ofOpenAi('openai'),
  ...ofOpenAi('azure'),
  [{ xai: { previousResponseId: 'resp_1' } }, true],
  [{ xai: { previousResponseId: '' } }, false],
  [{ google: { previousInteractionId: 'v1_1' } }, true],
  [{ google: { previousInteractionId: 'v1_1', store: false } }, false],
  [{ google: { previousInteractionId: null } }, false],
  [{ anthropic: { thread: { id: 'thread_1' } } }, true],
  [{ anthropic: { thread: null } }, false],
  [{ anthropic: { compaction: { type: 'auto' } } }, true],
  [{ anthropic: { contextManagement: { edits: [{ type: 'compact_20260112' }] } } }, true],
  [{ anthropic: { contextManagement: { edits: [] } } }, false],
  [{ mistral: { previousResponseId: 'resp_1', thread: 'thread_1' } }, false],
])('historyAtProvider says of the options %j: %s', (providerOptions, expected) => {
  const held = historyAtProvider({ prompt: [user('Hello.')], providerOptions });
  expect(held !== undefined).toBe(expected);
});

const compaction = { anthropic: { type: 'compaction' } };
const said = (text: string, providerOptions: Options, role = 'assistant'): Message =>
  JSON.parse(JSON.stringify({ role, content: [{ type: 'text', text, providerOptions }] }));
const custom = (kind: `${string}.${string}`): Message => assistant('', { type: 'custom', kind });
const compactedText = { type: 'text', text: 'So far.', providerOptions: compaction } as const;

it.each<[string, Message, boolean]>([
  ['of Anthropic', said('So far.', compaction), true],
  [
    'beside other parts',
    { role: 'assistant', content: [...assistant('First.').content, compactedText] },
    true,
  ],
  ['of OpenAI', custom('openai.compaction'), true],
  ['but not another part of OpenAI', custom('openai.other'), false],
  ['but not one that failed', said('', compaction), false],
  ['but not one of another provider', said('a', { openai: { type: 'compaction' } }), false],
  ['but not a text of the user', said('a', compaction, 'user'), false],
])('historyAtProvider finds a compaction %s', (_what, message, expected) => {
  for (const prompt of [[message], [user('Hello.'), message, user('Go on.')]])
    expect(historyAtProvider({ prompt }) !== undefined).toBe(expected);
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
