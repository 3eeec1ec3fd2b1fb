import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { renderSummary, dearestId } from '../../../../src/composing/render-summary.ts';
import {
  type Message,
  type SummaryContent,
  ruleBasedStrategy,
  type RuleBasedStrategyOptions,
  type SummaryInput,
} from '../../../../src/index.ts';
import { summaryContentSchema } from '../../../../src/record/record-schemas.ts';
import { loadTextCounter } from '../../../../src/tokens/text-counter.ts';
import { words } from '../../../support/messages.ts';
import { toolCall, toolResult } from '../../../strategies/llm/fixtures.ts';
import { assistant, user } from '../../../support/prompt-messages.ts';

const { count } = await loadTextCounter();

const model = new MockLanguageModelV4({ provider: 'openai', modelId: 'gpt-5-mini' });

async function summarize(
  messages: readonly Message[],
  given: Partial<SummaryInput> = {},
  options: RuleBasedStrategyOptions = {},
): Promise<SummaryContent> {
  const output = await ruleBasedStrategy(options).summarize({
    messages,
    usePreviousNarrative: true,
    model,
    maxSummaryTokens: 2000,
    ...given,
  });
  expect(output.usage).toEqual({ inputTokens: 0, outputTokens: 0 });
  expect(summaryContentSchema.safeParse(output.content).success).toBe(true);
  return output.content;
}

function sizeOf(given: SummaryContent, depth = 0, id = '0123456789abcdef'): number {
  return 4 + count(renderSummary({ ...given, id, depth }));
}

const session: readonly Message[] = [
  user('Fix the login bug in src/auth/session.ts. Never change the public API.'),
  toolCall('read_file', { path: 'src/auth/session.ts' }),
  toolResult('read_file', 'export function openSession() {}\n'.repeat(40)),
  user('The ticket is LOGIN-4512 and it broke on 2024-05-31.'),
  toolCall('edit_file', { path: 'src/auth/session.ts', old_str: 'a', new_str: 'b' }),
  toolResult('edit_file', 'ok'),
  assistant('We decided to keep the cookie name sid_v2. The refresh test still fails.'),
  user('Good, go on with the refresh test.'),
];

describe('ruleBasedStrategy', () => {
  it.each([
    ['a table', (row: number) => `| row ${row} | A-${row} | ${row}.50 | 2026-01-${row} |`],
    ['code', (row: number) => `  const value_${row} = read(${row}, { deep: true });`],
    ['a log', (row: number) => `2026-03-04T10:${row} WARN [pool-${row}] took=${row}ms id=7f${row}`],
  ])('quotes what stands around %s that the user pasted before the rest of it', async (_, line) => {
    const pasted = Array.from({ length: 90 }, (_row, index) => line(index + 10)).join('\n');
    const around = ['Hier ist, was ich habe.', 'Lass die Spalten, wie sie sind.'];
    const messages = [user(`${around[0]}\n${pasted}\n${around[1]}`), assistant('Gut.'), ...session];
    const { context } = await summarize(messages, { maxSummaryTokens: 400 });
    for (const own of around) expect(context.userWords?.[0]).toContain(own);
  });

  it('fills its budget whatever the id of the record will be', async () => {
    const numbers = user(Array.from({ length: 90 }, (_, index) => `ID${4000 + index}`).join(' '));
    const messages = [user('Sort these.'), numbers, assistant(words(1, 200))];
    for (const maxSummaryTokens of [70, 80, 90]) {
      const size = sizeOf(await summarize(messages, { maxSummaryTokens }), 0, dearestId);
      expect(size).toBeLessThanOrEqual(maxSummaryTokens);
      expect(size).toBeGreaterThan(maxSummaryTokens - 10);
    }
  });

  it('counts in tokens of the model that reads it', async () => {
    const long = Array.from({ length: 60 }, (_, index) =>
      user(`Item ${index}: file src/part_${index}.ts and ticket ABC-${1000 + index}.`),
    );
    const claude = new MockLanguageModelV4({ provider: 'anthropic', modelId: 'claude-opus-4-5' });
    const given = await summarize(long, { model: claude, maxSummaryTokens: 400 });
    expect(sizeOf(given) * 1.35).toBeLessThanOrEqual(400);
    expect(sizeOf(given) * 1.35).toBeGreaterThan(300);
  });
});
