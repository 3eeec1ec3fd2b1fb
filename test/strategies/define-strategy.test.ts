import { describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import {
  defineStrategy,
  memoryStore,
  type StrategyDefinition,
  SummarizationOptionError,
  type SummaryInput,
  type SummaryOutput,
} from '../../src/index.ts';
import { emptyContent } from '../support/empty-content.ts';
import { chat } from '../support/messages.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { called, recordOf } from '../support/set-up.ts';
import { summarize, talk } from '../support/summarized-chat.ts';
import { throwing } from '../support/throwing.ts';
import { untyped } from '../support/untyped.ts';

function written(raw: unknown, summary = 'They spoke of topics.'): SummaryOutput {
  const content = emptyContent(summary);
  const context = { ...content.context, raw: untyped<null>(raw) };
  return { content: { ...content, context }, usage: { inputTokens: 0, outputTokens: 0 } };
}

const topics = defineStrategy({
  name: 'topics',
  schema: z.object({
    maxTopics: z.int().min(1).default(5),
    labels: z.array(z.object({ name: z.string() })).default([]),
  }),
  summarize: async ({ messages }, { maxTopics }) =>
    written({ topics: maxTopics, messages: messages.length }),
});

describe('a strategy that was defined', () => {
  it('writes with its options, the defaults of its schema included', async () => {
    for (const [strategy, expected] of [
      [topics(), 5],
      [topics({ maxTopics: 2 }), 2],
    ] as const) {
      const { strategy: name, context } = recordOf(await called(chat(19), { strategy }));
      expect([name, context.raw]).toEqual(['topics', { topics: expected, messages: 13 }]);
    }
  });

  it.each([
    [{ maxTopics: 0 }, 'maxTopics', 0],
    [{ labels: [{ name: 1 }] }, 'labels.0.name', 1],
    ['none', 'options', 'none'],
  ])('refuses options that its schema refuses: %j', (options, option, value) => {
    const make = (): unknown => topics(untyped(options));
    expect(make).toThrow(SummarizationOptionError);
    expect(make).toThrow(expect.objectContaining({ option, value }));
  });

  it('is told what is wrong by a schema of any library, which has to say so at once', () => {
    const own = (answer: unknown) =>
      defineStrategy({
        name: 'own',
        schema: { '~standard': { version: 1, vendor: 'own', validate: () => untyped(answer) } },
        summarize: async () => written(1),
      });
    const issues = [{ message: 'a name', path: [{ key: 'labels' }, 0] }];
    const refusal = { option: 'labels.0', value: 1, allowed: 'a name' };
    expect(() => own({ issues })({ labels: [1] })).toThrow(expect.objectContaining(refusal));
    const untold = { option: 'options', value: 7, allowed: 'what the schema takes' };
    expect(() => own({ issues: [] })(untyped(7))).toThrow(expect.objectContaining(untold));
    const late = expect.objectContaining({ option: 'schema' });
    expect(() => own(Promise.resolve({ value: {} }))({})).toThrow(late);
  });

  it.each([
    [{ schema: z.object({}), summarize: () => {} }, 'name'],
    [{ name: 'a', schema: z.object({}) }, 'summarize'],
    [{ name: 'a', summarize: () => {} }, 'schema'],
    [{ name: 'a', schema: z.object({}), summarize: () => {}, options: {} }, 'options'],
  ])('is refused when its definition is wrong: %#', (definition, option) => {
    expect(() => defineStrategy(untyped<StrategyDefinition<object, object>>(definition))).toThrow(
      expect.objectContaining({ option }),
    );
  });
});

describe('what a strategy keeps for itself', () => {
  it('comes back to it in the record before, after records that know nothing of it', async () => {
    const given: unknown[] = [];
    const strategy = {
      name: 'topics',
      summarize: async ({ previous }: SummaryInput) => {
        given.push(previous?.context.raw);
        if (given.length === 2) throw new Error('Out of order.');
        return written({ generation: given.length });
      },
    };
    const store = memoryStore();
    const options = { strategy, cooldownMessages: 0 };
    await summarize(store, talk(21), options);
    const { record } = await summarize(store, talk(31), options);
    expect(record).toMatchObject({ strategy: 'rule-based', context: { raw: { generation: 1 } } });
    await summarize(store, talk(41), options);
    expect(given).toEqual([undefined, { generation: 1 }, { generation: 1 }]);
  });

  const circle: unknown[] = [];
  circle.push(circle, circle);
  const kept = { note: 'a *** word', circle: ['[circular]', '[circular]'] };
  const unreadable = Object.defineProperty({}, 'a', { enumerable: true, get: throwing });

  it.each([
    ['circles broken', { note: 'a secret word', circle }, kept],
    ['8,000 characters', 'x'.repeat(7998), 'x'.repeat(7998)],
    ['but no more', 'x'.repeat(7999), undefined],
    ['but not what throws', unreadable, undefined],
  ])('goes through redact, %s, and stands in no prompt', async (_, raw, expected) => {
    const strategy = { name: 'topics', summarize: async () => written(raw) };
    const redact = (text: string): string => text.replaceAll('secret', '***');
    const run = await called(chat(19), { strategy, redact });
    // Where it cannot be kept, nothing of the strategy is.
    const writer = expected === undefined ? 'rule-based' : 'topics';
    expect(recordOf(run)).toMatchObject({ strategy: writer, context: { raw: expected } });
    expect(summaryOf(lastPrompt(run.inner))).not.toMatch(/\*\*\*|xxx/);
  });
});
