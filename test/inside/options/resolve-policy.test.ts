import { describe, expect, it } from 'vitest';
import type { SummarizationOptions } from '../../../src/index.ts';
import { readOptions } from '../../../src/options/read-options.ts';
import { resolvePolicy, type Policy } from '../../../src/options/resolve-policy.ts';

const mini = { provider: 'openai.responses', modelId: 'gpt-5-mini' };
const unknown = { provider: 'nobody', modelId: 'nothing' };

interface Case {
  readonly name: string;
  readonly options?: SummarizationOptions;
  readonly model?: typeof mini;
  readonly maxOutputTokens?: number;
  readonly policy: Partial<Policy>;
}

const cases: readonly Case[] = [
  {
    name: 'two overrides that meet in one model and would aim above its trigger',
    options: {
      providers: {
        openai: { resetTokenRatio: 0.7 },
        'openai:gpt-5-mini': { triggerTokenRatio: 0.5 },
      },
    },
    policy: { triggerTokenRatio: 0.5, resetTokenRatio: 0.4375 },
  },
  {
    name: 'the defaults',
    policy: {
      triggerTokenRatio: 0.8,
      resetTokenRatio: 0.7,
      minMessages: 12,
      cooldownMessages: 4,
      preserveRecent: 6,
      preserveRecentTokenRatio: 0.1,
      maxSummaryTokens: 16_000,
      maxSummaryChainDepth: 3,
      atMaxDepth: 'rebase',
      placement: 'auto',
      contextLengthKnown: true,
    },
  },
  {
    name: 'a summary of a sixteenth of the context',
    options: { contextLength: 64_000 },
    policy: { maxSummaryTokens: 4000 },
  },
  {
    name: 'a summary with room in a context that is not large',
    options: { contextLength: 24_000 },
    policy: { maxSummaryTokens: 2000 },
  },
  {
    name: 'an unknown model',
    model: unknown,
    policy: { contextLength: 128_000, contextLengthKnown: false },
  },
  {
    name: 'a context length that was given',
    options: { contextLength: 5000 },
    model: unknown,
    policy: { contextLength: 5000, limit: 5000, contextLengthKnown: true },
  },
  {
    name: 'a context length by function',
    options: { contextLength: ({ modelId }) => modelId.length * 100 },
    policy: { contextLength: 1000 },
  },
  {
    name: 'a function that leaves it to the table',
    options: { contextLength: () => undefined },
    model: unknown,
    policy: { contextLength: 128_000 },
  },
  {
    name: 'a function that gives nonsense',
    options: { contextLength: () => Number.NaN },
    model: unknown,
    policy: { contextLength: 128_000 },
  },
  {
    name: 'room for the answer',
    options: { contextLength: 5000 },
    maxOutputTokens: 1000,
    policy: { limit: 4000 },
  },
  {
    name: 'no more than half for the answer',
    options: { contextLength: 5000 },
    maxOutputTokens: 4000,
    policy: { limit: 2500 },
  },
  {
    name: 'an aim below a low trigger',
    options: { triggerTokenRatio: 0.5 },
    policy: { resetTokenRatio: 0.4375 },
  },
  {
    name: 'a summary of a tenth of a small context',
    options: { contextLength: 3000 },
    policy: { maxSummaryTokens: 300 },
  },
  {
    name: 'a smaller summary that was asked for',
    options: { contextLength: 3000, maxSummaryTokens: 100 },
    policy: { maxSummaryTokens: 100 },
  },
  {
    name: 'a multiplier of the model',
    model: { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5' },
    policy: { tokenMultiplier: 1.35 },
  },
  {
    name: 'an override by family',
    options: { triggerTokenRatio: 0.9, providers: { openai: { triggerTokenRatio: 0.75 } } },
    policy: { triggerTokenRatio: 0.75 },
  },
  {
    name: 'an override by provider over one by family',
    options: {
      providers: { 'openai.responses': { preserveRecent: 3 }, openai: { preserveRecent: 2 } },
    },
    policy: { preserveRecent: 3 },
  },
  {
    name: 'an override by model over one by provider',
    options: {
      providers: {
        'openai:gpt-5-mini': { preserveRecent: 4 },
        'openai.responses': { preserveRecent: 3 },
      },
    },
    policy: { preserveRecent: 4 },
  },
  {
    name: 'the whole name over the family and model',
    options: {
      providers: {
        'openai.responses:gpt-5-mini': { placement: 'user' },
        'openai:gpt-5-mini': { placement: 'system' },
      },
    },
    policy: { placement: 'user' },
  },
  {
    name: 'what a more specific override leaves open',
    options: {
      providers: {
        openai: { tokenMultiplier: 2, preserveRecent: 3 },
        'openai:gpt-5-mini': { preserveRecent: 4 },
      },
    },
    policy: { tokenMultiplier: 2, preserveRecent: 4 },
  },
  {
    name: 'undefined as not given',
    options: { preserveRecent: 7, providers: { openai: { preserveRecent: undefined } } },
    policy: { preserveRecent: 7 },
  },
  {
    name: 'no override of another model',
    options: { providers: { 'openai:gpt-5': { preserveRecent: 9 }, open: { preserveRecent: 8 } } },
    policy: { preserveRecent: 6 },
  },
  {
    name: 'an override of the context length over the function',
    options: { contextLength: () => 9000, providers: { openai: { contextLength: 4000 } } },
    policy: { contextLength: 4000 },
  },
];

describe('resolvePolicy', () => {
  it.each(cases)('gives $name', ({ options = {}, model = mini, maxOutputTokens, policy }) => {
    const params = maxOutputTokens === undefined ? {} : { maxOutputTokens };
    expect(resolvePolicy(readOptions(options), model, params)).toMatchObject(policy);
  });

  it("keeps to the provider's input limit where it is smaller than the context", () => {
    const policy = resolvePolicy(readOptions({}), mini, {});
    expect(policy.limit).toBeLessThan(policy.contextLength);
    const given = resolvePolicy(readOptions({ contextLength: policy.contextLength }), mini, {});
    expect(given.limit).toBe(policy.contextLength);
  });

  it.each(['constructor', '__proto__', 'toString'])('reads no override from %s', (provider) => {
    expect(resolvePolicy(readOptions({}), { provider, modelId: 'm' }, {}).preserveRecent).toBe(6);
  });
});
