import { describe, expect, it } from 'vitest';
import { type SummarizationOptions, summarizationMiddleware } from '../../../../src/index.ts';
import { pricesOf } from '../../../../src/call/options/prices-of.ts';
import { readOptions } from '../../../../src/call/options/read-options.ts';

const good = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15, cacheMinutes: 5 };
const step = { tokens: 1000, input: 6, cacheRead: 0.6, cacheWrite: 7.5, output: 30 };
const model = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-6' };

it.each([
  ['a negative one', { output: -1 }, '.output'],
  ['what is no number', { input: '3' }, '.input'],
  ['a free input', { input: 0, cacheRead: 0 }, ''],
  ['reads above the input', { cacheRead: 4 }, ''],
  ['writes below it', { cacheWrite: 2 }, ''],
  ['answers below it', { output: 2 }, ''],
  ['a step without prices', { above: { tokens: 1000 } }, '.above.input'],
  ['a step whose reads are above its input', { above: { ...step, cacheRead: 7 } }, '.above'],
])('of prices, %s is refused', (_what, wrong, path) => {
  const make = (more: object): unknown =>
    summarizationMiddleware({ prices: { openai: { ...good, ...more } } });
  expect(() => make(wrong)).toThrow(expect.objectContaining({ option: `prices.openai${path}` }));
  expect(() => make({ cacheRead: 3, cacheWrite: 3 })).not.toThrow();
});

describe('pricesOf', () => {
  it.each([
    ['anthropic.messages', 'claude-sonnet-4-6', 0.1, 1.25, 5, 5],
    ['amazon-bedrock', 'eu.anthropic.claude-haiku-4-5-v1:0', 0.1, 1.25, 5, 5],
    ['openai.responses', 'gpt-5-mini', 0.1, 1, 6, 5],
    ['openai.responses', 'o1', 0.5, 1, 4, 5],
    ['openai.responses', 'o3-mini', 0.25, 1, 4, 5],
    ['groq.chat', 'openai/gpt-oss-120b', 0.5, 1, 4, 120],
    ['google.generative-ai', 'gemini-3-pro', 0.1, 1, 6, 5],
    ['deepseek.chat', 'deepseek-chat', 0.05, 1, 2, 120],
    ['xai.chat', 'grok-5', 0.25, 1, 4, 5],
    ['alibaba', 'qwen4-max', 0.2, 1, 4, 5],
    ['mistral.chat', 'mistral-large-latest', 1, 1, 3, 5],
    ['acme', 'unheard-of', 0.25, 1, 4, 5],
  ])(
    'knows the ratios of %s %s',
    (provider, modelId, cacheRead, cacheWrite, output, cacheMinutes) => {
      const { prices } = pricesOf(readOptions({}), { provider, modelId });
      const { above: _above, ...usual } = prices;
      expect(usual).toEqual({ input: 1, cacheRead, cacheWrite, output, cacheMinutes });
    },
  );

  it.each([
    ['anthropic.messages', 'claude-haiku-5-5', 100_000, 5, 25],
    ['amazon-bedrock', 'us.anthropic.claude-haiku-5-5', 100_000, 5, 25],
    ['openai.responses', 'gpt-5.4', 272_000, 2, 9],
    ['gateway', 'openai/gpt-6.2-sol', 272_000, 2, 9],
    ['google.generative-ai', 'gemini-3.1-pro-preview', 200_000, 2, 9],
    ['xai.responses', 'grok-4.7', 200_000, 2, 8],
    ['openai.responses', 'gpt-5.4-mini', undefined, 1, 6],
    ['google.generative-ai', 'gemini-3-flash', undefined, 1, 6],
    ['anthropic.messages', 'claude-opus-5', undefined, 1, 5],
  ])('knows where %s %s costs more', (provider, modelId, tokens, input, output) => {
    const { prices } = pricesOf(readOptions({}), { provider, modelId });
    expect(prices.above?.tokens).toBe(tokens);
    const { input: ofInput, output: ofOutput } = prices.above ?? prices;
    expect([ofInput, ofOutput].map((price) => Math.round(price * 10) / 10)).toEqual([
      input,
      output,
    ]);
  });

  const other = 'openai/gpt-5-nano';
  const nano = { input: 0.3, cacheRead: 0.03, cacheWrite: 0.3, output: 1.2, cacheMinutes: 5 };
  const both = { anthropic: good, [`gateway:${other}`]: nano };
  const own = { summarizerModelPreference: other };
  const exact = { Anthropic: nano, 'anthropic:claude-sonnet-4-6': good };

  it.each<[string, SummarizationOptions, number | undefined]>([
    ['as much where it is the same, by the most specific prices', { prices: exact }, 5],
    ['less where both are given', { prices: both, ...own }, 0.4],
    ['as much for input where nothing is known of it', { prices: { anthropic: good }, ...own }, 6],
    ['nothing where rules write', { strategy: 'rule-based' }, undefined],
  ])('takes an answer of a summarizer to cost %s', (_what, options, output) => {
    const found = pricesOf(readOptions(options), model).summarizerPrices?.output;
    expect(found && Math.round(100 * found) / 100).toBe(output);
  });
});
