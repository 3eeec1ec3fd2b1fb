import { describe, expect, it } from 'vitest';
import { nativeSettings } from '../../../src/planning/native-settings.ts';
import type { CallOptions } from '../../support/prompt-types.ts';
import { system, user } from '../../support/prompt-messages.ts';

const thresholds = { trigger: 160_000.7, limit: 200_000 };

interface Asked {
  readonly provider: string;
  readonly modelId?: string;
  readonly specificationVersion?: string;
  readonly call?: Partial<CallOptions>;
  readonly limits?: { readonly trigger: number; readonly limit: number };
}

const settingsOf = ({
  provider,
  modelId = 'gpt-6-luna',
  specificationVersion = 'v4',
  call = {},
  limits = thresholds,
}: Asked) =>
  nativeSettings(
    { provider, modelId, specificationVersion },
    { prompt: [system('Be kind.'), user('Hello.')], ...call },
    limits,
  );

const openai = { contextManagement: [{ type: 'compaction', compactThreshold: 160_000 }] };
const anthropic = {
  contextManagement: {
    edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 160_000 } }],
  },
};

describe('nativeSettings', () => {
  it.each([
    ['openai.responses', 'gpt-6-luna', { openai }],
    ['azure.responses', 'my-deployment', { azure: openai }],
    ['gateway', 'openai/gpt-6-luna', { openai }],
    ['anthropic.messages', 'claude-opus-4-6', { anthropic }],
    ['anthropic.messages', 'claude-sonnet-4-6-20260205', { anthropic }],
    ['anthropic.messages', 'claude-haiku-5-5', { anthropic }],
    ['vertex.anthropic.messages', 'claude-opus-4-8@20260601', { anthropic }],
    ['gateway', 'anthropic/claude-opus-4.6', { anthropic }],
  ])('turns on what %s has for %s', (provider, modelId, expected) => {
    expect(settingsOf({ provider, modelId })).toEqual(expected);
  });

  it.each<readonly [provider: string, modelId: string]>([
    ['openai.chat', 'gpt-6-luna'],
    ['xai.responses', 'grok-4'],
    ['lmstudio.responses', 'gpt-oss-20b'],
    ['google.generative-ai', 'gemini-3-pro'],
    ['amazon-bedrock', 'us.anthropic.claude-opus-4-8-v1:0'],
    ['openrouter.chat', 'anthropic/claude-opus-4.5'],
    ['gateway', 'google/gemini-3-pro'],
    ...[
      'claude-3-haiku-20240307',
      'claude-3-5-sonnet-latest',
      'claude-3.7-sonnet',
      'claude-2.1',
      'claude-instant-1.2',
      'claude-opus-4-20250514',
      'claude-opus-4-0',
      'claude-opus-4',
      'claude-opus-4-1-20250805',
      'claude-sonnet-4-5',
      'claude-sonnet-4.5',
      'claude-haiku-4-5@20251001',
    ].map((modelId) => ['anthropic.messages', modelId] as const),
  ])('is nothing for %s with %s', (provider, modelId) => {
    expect(settingsOf({ provider, modelId })).toBeUndefined();
  });

  it('is nothing for the package of OpenAI of AI SDK 6, which does not know it', () => {
    expect(
      settingsOf({ provider: 'openai.responses', specificationVersion: 'v3' }),
    ).toBeUndefined();
  });

  it('keeps what else the caller has set', () => {
    const providerOptions = { openai: { store: false }, mine: { a: 1 } };
    expect(settingsOf({ provider: 'openai.responses', call: { providerOptions } })).toEqual({
      openai: { store: false, ...openai },
      mine: { a: 1 },
    });
  });

  it('names Azure as the caller does, whose other settings would not be read else', () => {
    const ask = (providerOptions: CallOptions['providerOptions'] & object): unknown =>
      settingsOf({ provider: 'azure.responses', call: { providerOptions } });
    expect(ask({ openai: { store: false } })).toEqual({ openai: { store: false, ...openai } });
    expect(ask({ azure: { store: false }, openai: { user: 'a' } })).toEqual({
      azure: { store: false, ...openai },
      openai: { user: 'a' },
    });
  });

  it.each<[string, NonNullable<CallOptions['providerOptions']>]>([
    ['has turned it on', { openai: { contextManagement: [{ type: 'compaction' }] } }],
    ['asks for a compaction', { openai: { compactionTrigger: true } }],
    ['lets the server cut', { openai: { truncation: 'auto' } }],
    ['has the history there', { openai: { previousResponseId: 'resp_1' } }],
    [
      'changes the effort, which the provider leaves out then',
      { openai: { reasoningEffortUpdate: 'low' } },
    ],
  ])('is nothing where the caller %s', (_what, providerOptions) => {
    expect(settingsOf({ provider: 'openai.responses', call: { providerOptions } })).toBeUndefined();
  });

  it('is nothing where a message changes the effort', () => {
    const update = {
      ...system(''),
      providerOptions: { openai: { reasoningEffortUpdate: 'high' } },
    };
    const prompt = [user('Hello.'), update, user('Go on.')];
    expect(settingsOf({ provider: 'openai.responses', call: { prompt } })).toBeUndefined();
  });

  it.each([
    ['openai.responses', 'gpt-6-luna', 1000],
    ['anthropic.messages', 'claude-opus-4-8', 50_000],
  ])('asks %s for no less than it takes', (provider, modelId, least) => {
    const limits = { trigger: 500, limit: least + 1 };
    const settings = JSON.stringify(settingsOf({ provider, modelId, limits }));
    expect(settings).toMatch(new RegExp(`:${least}\\b`));
    expect(
      settingsOf({ provider, modelId, limits: { trigger: 500, limit: least } }),
    ).toBeUndefined();
  });
});
