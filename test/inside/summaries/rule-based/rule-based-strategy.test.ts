import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { costliestId, renderSummary } from '../../../../src/planning/composing/render-summary.ts';
import { type Message, ruleBasedStrategy, type SummaryContent } from '../../../../src/index.ts';
import { summaryContentSchema } from '../../../../src/foundations/record/record-schemas.ts';
import { toolCall, toolResult } from '../../../strategies/llm/fixtures.ts';
import { countText } from '../../../support/count-text.ts';
import { words } from '../../../support/messages.ts';
import { assistant, user } from '../../../support/prompt-messages.ts';

async function summarize(
  messages: readonly Message[],
  maxSummaryTokens: number,
  [provider, modelId]: readonly [string, string] = ['openai', 'gpt-5-mini'],
): Promise<SummaryContent> {
  const model = new MockLanguageModelV4({ provider, modelId });
  const input = { messages, usePreviousNarrative: true, model, maxSummaryTokens };
  const { content, usage } = await ruleBasedStrategy().summarize(input);
  expect(usage).toEqual({ inputTokens: 0, outputTokens: 0 });
  expect(summaryContentSchema.safeParse(content).success).toBe(true);
  return content;
}

it.each([
  [60, ['openai', 'gpt-5-mini'], 1],
  [80, ['openai', 'gpt-5-mini'], 1],
  [700, ['openai', 'gpt-5-mini'], 1],
  [400, ['anthropic', 'claude-opus-4-5'], 1.35],
] as const)(
  'a record fills %i tokens of the model %j, whatever its id will be',
  async (maxSummaryTokens, model, multiplier) => {
    const numbers = user(Array.from({ length: 600 }, (_, index) => `ID${4000 + index}`).join(' '));
    const messages = [user('Sort these.'), numbers, assistant(words(1, 200))];
    const content = await summarize(messages, maxSummaryTokens, model);
    const rendered = renderSummary({ ...content, id: costliestId, depth: 0 });
    const size = multiplier * (4 + countText(rendered));
    expect(size).toBeLessThanOrEqual(maxSummaryTokens);
    expect(size).toBeGreaterThan(maxSummaryTokens - 20);
  },
);

const size = 1 << 20;

// Anything quadratic takes minutes here and runs into the time limit of the test.
describe('ruleBasedStrategy on hostile text', () => {
  it.each<[string, string]>([
    ['one line of one letter', 'a'.repeat(size)],
    ['dots between letters', 'a.'.repeat(size / 2)],
    ['slashes between letters', 'a/'.repeat(size / 2)],
    ['dashes and digits', '-a1'.repeat(size / 3)],
    ['quotes', '"'.repeat(size)],
    ['100,000 different lines', Array.from({ length: 100_000 }, (_, n) => `line_${n}`).join('\n')],
    ['nested objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['lone surrogates', '\ud800'.repeat(size / 2)],
    ['Chinese', '你好世界必须。'.repeat(size / 8)],
    ['a sentence that ends where the reader pauses', '界'.repeat(16_383) + '。'],
    ['error lines', 'error: cannot open x\n'.repeat(50_000)],
    ['broken URLs', 'x://y '.repeat(size / 6)],
  ])('ends and keeps its form: %s', async (_, text) => {
    const calls = [toolCall('bash', { command: text }), toolResult('bash', text)];
    const content = await summarize([user(text), ...calls], 500);
    expect(JSON.stringify(content).length).toBeLessThan(20_000);
    expect(content.summary.isWellFormed()).toBe(true);
  });
});
