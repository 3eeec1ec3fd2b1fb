import { describe, expect, it } from 'vitest';
import {
  SummarizationOptionError,
  summarizationMiddleware,
  type TokenPrices,
} from '../../../src/index.ts';
import { readOptions } from '../../../src/options/read-options.ts';
import { pricesOf } from '../../../src/options/prices-of.ts';
import { untyped } from '../../support/untyped.ts';

const good: TokenPrices = {
  input: 3,
  cacheRead: 0.3,
  cacheWrite: 3.75,
  output: 15,
  cacheMinutes: 5,
};
const model = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-6' };

function optionOf(prices: unknown): string | undefined {
  try {
    summarizationMiddleware({ prices: untyped(prices) });
    return undefined;
  } catch (error) {
    if (!SummarizationOptionError.isInstance(error)) throw error;
    return error.option;
  }
}

describe('prices', () => {
  it.each<{ name: string; given: object; option: string | undefined }>([
    { name: 'takes plausible ones', given: good, option: undefined },
    {
      name: 'takes a model without a cache',
      given: { ...good, cacheRead: 3, cacheWrite: 3 },
      option: undefined,
    },
    { name: 'refuses a negative one', given: { ...good, output: -1 }, option: 'output' },
    { name: 'refuses a free input', given: { ...good, input: 0, cacheRead: 0 }, option: '' },
    {
      name: 'refuses reads above the input',
      given: { ...good, cacheRead: 4 },
      option: '',
    },
    { name: 'refuses writes below it', given: { ...good, cacheWrite: 2 }, option: '' },
    { name: 'refuses answers below it', given: { ...good, output: 2 }, option: '' },
    { name: 'refuses what is no number', given: { ...good, input: '3' }, option: 'input' },
    { name: 'refuses what is none at all', given: { ...good, input: Number.NaN }, option: 'input' },
    { name: 'refuses another name', given: { ...good, read: 1 }, option: 'read' },
  ])('$name', ({ given, option }) => {
    const path =
      option === undefined ? undefined : ['prices.openai', option].filter(Boolean).join('.');
    expect(optionOf({ openai: given })).toBe(path);
  });
});

describe('pricesOf', () => {
  it.each([
    ['anthropic.messages', 'claude-sonnet-4-6', 0.1, 1.25],
    ['amazon-bedrock', 'eu.anthropic.claude-haiku-4-5-v1:0', 0.1, 1.25],
    ['amazon-bedrock', 'amazon.nova-pro-v1:0', 0.25, 1],
    ['gateway', 'google/gemini-3-pro', 0.1, 1],
    ['openai.responses', 'gpt-5-mini', 0.1, 1],
    ['openai.chat', 'gpt-4o', 0.5, 1],
    ['azure.responses', 'our-deployment', 0.1, 1],
    ['deepseek.chat', 'deepseek-chat', 0.05, 1],
    ['mistral.chat', 'mistral-large-latest', 1, 1],
    ['acme', 'unheard-of', 0.25, 1],
  ])('knows the ratios of %s %s', (provider, modelId, cacheRead, cacheWrite) => {
    const { prices } = pricesOf(readOptions({}), { provider, modelId });
    expect(prices).toMatchObject({ input: 1, cacheRead, cacheWrite });
  });

  it('takes the most specific of those that were given', () => {
    const cheap = { ...good, input: 1, cacheRead: 0.1, cacheWrite: 1 };
    const prices = { Anthropic: good, 'anthropic:claude-sonnet-4-6': cheap };
    expect(pricesOf(readOptions({ prices }), model)).toEqual({
      prices: cheap,
      summarizerPrices: cheap,
    });
  });

  it('prices a summariser of its own where both are given', () => {
    const nano = { ...good, input: 0.1, cacheRead: 0.01, cacheWrite: 0.1, output: 0.4 };
    const prices = { anthropic: good, 'gateway:openai/gpt-5-nano': nano };
    const summarizerModelPreference = 'openai/gpt-5-nano';
    const { summarizerPrices } = pricesOf(
      readOptions({ prices, summarizerModelPreference }),
      model,
    );
    expect(summarizerPrices?.input).toBeCloseTo(0.1 / 3);
    expect(summarizerPrices?.output).toBeCloseTo(0.4 / 3);
  });

  it('takes a summariser of which nothing is known to cost as much', () => {
    const summarizerModelPreference = 'openai/gpt-5-nano';
    const { summarizerPrices } = pricesOf(
      readOptions({ prices: { anthropic: good }, summarizerModelPreference }),
      model,
    );
    expect(summarizerPrices).toMatchObject({ input: 1, output: 6 });
  });

  it('knows that rules cost nothing', () => {
    expect(
      pricesOf(readOptions({ strategy: 'rule-based' }), model).summarizerPrices,
    ).toBeUndefined();
  });
});
