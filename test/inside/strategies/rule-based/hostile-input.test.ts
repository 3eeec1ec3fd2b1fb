import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { summaryContentSchema } from '../../../../src/record/record-schemas.ts';
import { ruleBasedStrategy } from '../../../../src/index.ts';
import { toolCall, toolResult } from '../../../strategies/llm/fixtures.ts';
import { user } from '../../../support/prompt-messages.ts';

const size = 1 << 20;
const model = new MockLanguageModelV4({ provider: 'openai', modelId: 'gpt-5-mini' });

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
    const { content } = await ruleBasedStrategy().summarize({
      messages: [user(text), toolCall('bash', { command: text }), toolResult('bash', text)],
      usePreviousNarrative: true,
      model,
      maxSummaryTokens: 500,
    });
    expect(summaryContentSchema.safeParse(content).success).toBe(true);
    expect(JSON.stringify(content).length).toBeLessThan(20_000);
    expect(content.summary.isWellFormed()).toBe(true);
  });
});
