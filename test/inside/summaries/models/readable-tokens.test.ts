import { expect, it } from 'vitest';
import { readableForSummary } from '../../../../src/summaries/models/readable-tokens.ts';

it.each([
  ['what the table knows', 'gpt-5-mini', 400_000, 272_000],
  ['less, if its server accepts less', 'gpt-5-mini', 16_000, 16_000],
  ['no more than its input limit', 'gpt-5-mini', 350_000, 272_000],
  ['what the table knows beside a budget', 'gpt-5-mini', 4000, 272_000],
  ['more than the table knows', 'gpt-4o', 500_000, 500_000],
  ['what is given of an unknown model', 'mine', 6000, 6000],
])('a model reads %s', (_, modelId, contextLength, most) => {
  const model = { provider: 'openai.chat', modelId };
  const tokens = readableForSummary({ model, contextLength, tokenMultiplier: 1 }, model);
  expect(tokens).toBeLessThan(most);
  expect(tokens).toBeGreaterThan(0.7 * most);
});
