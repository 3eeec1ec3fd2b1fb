import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  type Priority,
  ruleBasedStrategy,
  type SummarizationOptions,
  type ToolExtractor,
} from '../../src/index.ts';
import { assistant, chat, toolStep, user, words } from '../support/messages.ts';
import { lastPrompt, shapeOf, summaryOf, summarySections, textOf } from '../support/prompts.ts';
import { called, setUp } from '../support/set-up.ts';

/** An agent that was told a rule and then read many files. */
function agentHistory(steps: number): ModelMessage[] {
  return [
    user('Never touch package-lock.json. Find the bug in src/parser.ts.'),
    ...Array.from({ length: steps }, (_, index) =>
      toolStep(`call_${index}`, words(index, 60)),
    ).flat(),
  ];
}

describe("the strategy 'rule-based'", () => {
  it.each(['rule-based', 'heuristic'] as const)(
    'summarizes without a model: %s',
    async (strategy) => {
      const { inner, summarizer, events } = await called(agentHistory(26), {
        strategy,
        contextLength: 3000,
      });
      expect(summarizer.doGenerateCalls).toHaveLength(0);
      expect(shapeOf(lastPrompt(inner))).toMatch(/^Su(at)+$/);
      expect(summarySections(lastPrompt(inner))['userQuotes']).toEqual([
        'Never touch package-lock.json. Find the bug in src/parser.ts.',
      ]);
      expect(summarySections(lastPrompt(inner))['constraints']).toBeUndefined();
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'end', strategy: 'rule-based', degraded: false }),
      );
    },
  );
});

it('a pinned message stays word for word even when the rest has to be shortened to fit', async () => {
  const { inner, model } = setUp({ strategy: 'none', contextLength: 2000, preserveRecent: 2 });
  const history = [
    user('Read.'),
    ...toolStep('a', words(1, 900)),
    ...toolStep('b', words(2, 2500)),
    user('So?'),
  ];
  await generateText({
    model,
    messages: history,
    providerOptions: { summarization: { pin: [2] } },
  });
  const said = lastPrompt(inner).map(textOf);
  expect(said[2]).toBe(JSON.stringify(words(1, 900)));
  expect(said[4]).not.toBe(JSON.stringify(words(2, 2500)));
});

describe("the caller's extractors", () => {
  // What room there is goes to the newer one.
  const history = [
    user('Read them.'),
    ...toolStep('a', words(1, 2500)),
    ...toolStep('b', words(2, 2500)),
    ...chat(11, 5),
  ];
  const kept: ToolExtractor = ({ toolName }) => ({
    toolName,
    status: 'success',
    keyFacts: ['Kept: 42'],
    metadata: {},
  });
  const fallbackStrategy = ruleBasedStrategy({ extractors: { read_file: kept } });

  it.each<[string, SummarizationOptions]>([
    ['condenseToolResults', { condenseToolResults: true }],
    ['a prompt that does not fit', { strategy: 'none' }],
  ])('read tool results without a summary: %s', async (_name, given) => {
    const options = { contextLength: 2000, fallbackStrategy, ...given };
    const { inner, summarizer } = await called(history, options);
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    expect(textOf(lastPrompt(inner)[2])).toBe('"[✓ read_file: Kept: 42]"');
  });

  it('serve the activity log of a record that a model wrote', async () => {
    const { inner, summarizer } = await called(history, { contextLength: 6000, fallbackStrategy });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(summaryOf(lastPrompt(inner))).toContain('✓ read_file: Kept: 42');
  });
});

const needle = 'the crane in hall seven';

/** A place that nothing else is said of. */
function placeOf(index: number): string {
  const letters = Array.from(`${index + 1000}`, (digit) => 'bdfghklmnp'.charAt(Number(digit)));
  return `the ${letters.join('a')} in hall ${letters.join('o')}`;
}

/** A chat in which one early answer matters more than it seems. */
function chatWithNeedle(): ModelMessage[] {
  return Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0
      ? user(`Question ${index}: ${words(index, 30)}?`)
      : // What is rare is quoted anyway: each answer has words of its own.
        assistant(`It is ${index === 21 ? needle : placeOf(index)}, ${words(index, 30)}.`),
  );
}

const raised: Priority = (message) => (JSON.stringify(message).includes(needle) ? 10 : Number.NaN);

async function sent(messages: ModelMessage[], options: SummarizationOptions): Promise<string> {
  const { inner, events } = await called(messages, options);
  expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
  return lastPrompt(inner).map(textOf).join('\n');
}

describe('priority in a record of the rules', () => {
  const options = { strategy: 'rule-based', contextLength: 2000 } as const;

  it('quotes first what matters more than others of its kind', async () => {
    expect(await sent(chatWithNeedle(), options)).not.toContain(needle);
    const lowered: Priority = (message) => raised(message) || -10;
    for (const priority of [raised, lowered])
      expect(await sent(chatWithNeedle(), { ...options, priority })).toContain(needle);
  });
});

describe('priority in a prompt that is made to fit', () => {
  const options = { strategy: 'none', contextLength: 4000, preserveRecent: 2 } as const;
  const middle = 'The hook is green.';
  const marked = `${needle} ${words(3, 200)} ${middle} ${words(4, 200)}`;
  const steps = Array.from({ length: 12 }, (_, index) =>
    toolStep(`call_${index}`, index === 3 ? marked : words(index, 400)),
  ).flat();
  const agent = [user('Find the crane.'), ...steps];

  it('gives outputs back first that matter more', async () => {
    expect(await sent(agent, options)).not.toContain(middle);
    expect(await sent(agent, { ...options, priority: raised })).toContain(middle);
  });

  it('repeats first what the user said in messages left out that matter more', async () => {
    const said = Array.from({ length: 240 }, (_, index) =>
      index % 2 === 0
        ? user(index === 10 ? `Mind ${needle}.` : `${index}: ${words(index, 15)}`)
        : assistant(words(index, 250)),
    );
    const talk = [...said, user('And now?')];
    expect(await sent(talk, options)).not.toContain(needle);
    expect(await sent(talk, { ...options, priority: raised })).toContain(needle);
  });
});
