import { describe, expect, it, vi } from 'vitest';
import { llmStrategy, ruleBasedStrategy, type SummaryStrategy } from '../../src/index.ts';
import { emptyContent } from '../support/empty-content.ts';
import { strategyChecks } from '../../src/entries/testing/index.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { assistant, user } from '../support/prompt-messages.ts';
import { untyped } from '../support/untyped.ts';

/** The simplest strategy that is right. */
const right: SummaryStrategy = {
  name: 'count',
  summarize: async ({ messages, previous, abortSignal }) => {
    abortSignal?.throwIfAborted();
    const { context } = previous ?? emptyContent('');
    const content = { ...emptyContent(`They sent ${messages.length} messages.`), context };
    return { content, usage: { inputTokens: 0, outputTokens: 0 } };
  },
};

/** One that does something else. */
function but(summarize: SummaryStrategy['summarize']): SummaryStrategy {
  return { ...right, summarize };
}

/** One that writes something else. */
function writing(change: (content: object) => object): SummaryStrategy {
  return but(async (input) => {
    const output = await right.summarize(input);
    return { ...output, content: untyped(change(output.content)) };
  });
}

/** The names of the checks that a strategy does not pass. */
async function failing(strategy: SummaryStrategy): Promise<string[]> {
  const names: string[] = [];
  for (const { name, run } of strategyChecks(() => strategy))
    await run().catch(() => names.push(name));
  return names;
}

describe('strategyChecks', () => {
  const model = summarizerModel(answer({ summary: 'They spoke.' }));
  it.each([
    ['a simple one', right],
    ['the rules', ruleBasedStrategy()],
    ['a model', llmStrategy({ models: [model] })],
  ])('passes a strategy that is right: %s', async (_, strategy) => {
    expect(await failing(strategy)).toEqual([]);
  });

  it('gives the model of conversations that it is given', async () => {
    const checks = strategyChecks(() => llmStrategy(), { model });
    for (const { run } of checks) await expect(run()).resolves.toBeUndefined();
  });

  it('shows messages of every kind, and the record before with its narrative and without', async () => {
    const summarize = vi.fn<SummaryStrategy['summarize']>(right.summarize);
    await failing(but(summarize));
    const inputs = summarize.mock.calls.map(([input]) => input);
    const shown = inputs.map(({ messages, previous, usePreviousNarrative, namespace = '' }) => {
      const [about] = /[a-z]+ of batch \d+/.exec(JSON.stringify(messages)) ?? ['awkward'];
      const before = previous === undefined ? [] : [...previous.keyPoints, usePreviousNarrative];
      return [messages.length, about, namespace, ...before].filter((each) => each !== '').join(' ');
    });
    expect(shown).toEqual([
      '16 pumps of batch 40',
      '18 boilers of batch 40',
      '38 awkward',
      '16 pumps of batch 40 Twelve pumps were ordered. true',
      '16 pumps of batch 40 Twelve pumps were ordered. false',
      '16 pumps of batch 40',
      '16 valves of batch 40 Twelve pumps were ordered. true',
      '18 boilers of batch 40 Twelve pumps were ordered. true',
      '16 zanzibar of batch 40 tenant of zanzibar',
      '16 quetzal of batch 40 tenant of quetzal',
      '16 obsidian of batch 40 tenant of obsidian',
      '16 pumps of batch 40',
    ]);
    const kinds = inputs[1]?.messages.flatMap(({ role, content }) =>
      [role, content].flat().map((part) => (typeof part === 'string' ? part : part.type)),
    );
    expect(kinds?.join(' ')).toBe(
      'user text assistant text user text assistant text user text user file assistant reasoning assistant tool-call tool tool-result assistant tool-call tool tool-result assistant tool-call tool tool-result assistant user text assistant text user text assistant text',
    );
    expect(inputs[2]?.messages.slice(2, 4)).toEqual([user(' '), assistant('You said:  ')]);
  });

  const everyContent = [
    'writes content that a record can hold',
    'reads messages of every role and kind',
    'reads texts that could be taken for something else',
    'keeps the rules of the user that the record before holds',
    'goes on with what it handed back',
    'leaves what it is given as it is',
    'keeps conversations apart that it summarizes at once',
  ];
  const ofRules = everyContent.filter((name) => /record before/.test(name));
  let seen = '';

  const { context } = emptyContent('');
  it.each<[string, SummaryStrategy, readonly string[]]>([
    ['has no name', { ...right, name: ' ' }, ['has a name']],
    ['says nothing', writing((content) => ({ ...content, summary: ' ' })), everyContent],
    ['forgets rules', writing((content) => ({ ...content, context })), ofRules],
    [
      'works on after an abort',
      but(async (input) => right.summarize({ ...input, abortSignal: undefined })),
      ['rejects when its signal has aborted'],
    ],
    [
      'changes messages',
      but(async (input) => {
        untyped<unknown[]>(input.messages[0]?.content).pop();
        return right.summarize(input);
      }),
      ['leaves what it is given as it is'],
    ],
    [
      'mixes conversations',
      but(async (input) => {
        seen += JSON.stringify(input.messages.at(-1));
        await Promise.resolve();
        const { content, usage } = await right.summarize(input);
        return { content: { ...content, keyPoints: [seen] }, usage };
      }),
      ['keeps conversations apart that it summarizes at once'],
    ],
    [
      'does not say what it cost',
      but(async (input) => ({
        ...(await right.summarize(input)),
        usage: untyped({ inputTokens: 0 }),
      })),
      everyContent,
    ],
  ])('fails a strategy that %s', async (_, strategy, expected) => {
    expect(await failing(strategy)).toEqual(expected);
  });

  it('refuses wrong arguments', () => {
    expect(() => strategyChecks(untyped(undefined))).toThrow('Invalid option make: ');
    expect(() => strategyChecks(() => right, untyped(null))).toThrow('Invalid option input: ');
  });
});
