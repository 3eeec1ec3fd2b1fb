import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { memoryStore, type SummarizationOptions, type SummaryStrategy } from '../../src/index.ts';
import { emptyContent } from '../support/empty-content.ts';
import { assistant, chat, toolStep, user, words } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { lastPrompt, promptsOf, summarySections, summaryOf, textOf } from '../support/prompts.ts';
import { called, recordOf, type SetUp, setUp } from '../support/set-up.ts';

const narrow: SummarizationOptions = {
  contextLength: 3000,
  minMessages: 4,
  cooldownMessages: 0,
  preserveRecent: 2,
  preserveRecentTokenRatio: 0,
};

describe('the first message of the user', () => {
  it.each(['llm', 'rule-based'] as const)(
    'stays word for word while it is worked on, whatever the summary says: %s',
    async (strategy) => {
      const summarizer = summarizerModel(answer({ summary: 'Something happened.' }));
      const { inner, model } = setUp({ ...narrow, strategy }, { summarizer });
      const history: ModelMessage[] = [user('Read all files.')];
      for (let step = 0; step < 24; step += 1) {
        history.push(...toolStep(`call_${step}`, words(step, 200)));
        if (step % 10 === 5) history.push(user('Go on, please.'));
        await generateText({ model, messages: history });
      }
      const summaries = promptsOf(inner).filter((prompt) => summaryOf(prompt) !== undefined);
      expect(summaries.length).toBeGreaterThan(8);
      for (const prompt of summaries)
        expect(Object.values(Object(summarySections(prompt)['userQuotes']))[0]).toBe(
          'Read all files.',
        );
    },
  );
});

/** Steps of an agent, each with a file of its own and 400 words of it. */
const agentRun: readonly ModelMessage[] = [
  user('Find out why order 8812 is charged twice.'),
  ...Array.from({ length: 150 }, (_, step) => [
    ...toolStep(`module-${step}`, `function charge${step}() {}\n${words(step, 400)}`),
    assistant(`The file src/module-${step}.ts charges once.`),
  ]).flat(),
  user('Go on.'),
];

it('the activity log in the summary of a model fill what a large budget holds beyond what the model is asked for', async () => {
  const summarizer = summarizerModel(answer({ summary: 'They looked at files.' }));
  const { inner } = await called([...agentRun], { contextLength: 80_000 }, { summarizer });
  const summary = summaryOf(lastPrompt(inner)) ?? '';
  expect(summary).toContain('They looked at files.');
  // It stands among the user's words, and is said once.
  expect(summary.split('order 8812')).toHaveLength(2);
  const activity = String(summarySections(lastPrompt(inner))['activity']);
  expect(activity).toMatch(/src\/module-\d+\.ts charges once/);
  expect(activity.length).toBeGreaterThan(3000);
});

const budget = 600;
const small = {
  contextLength: 8000,
  maxSummaryTokens: budget,
  condenseToolResults: false,
  fallbackStrategy: false,
} satisfies SummarizationOptions;

/** A step that changes a line of a file. */
function edited(name: string): readonly ModelMessage[] {
  const change = { path: `src/${name}.ts`, old_string: 'cents', new_string: 'minorUnits' };
  return toolStep(name, 'done', 'edit_file', change);
}

/** An agent that changes a file with each step, one of so many, and reads two others. */
function agent(steps: number, from = 0, files = from + steps): ModelMessage[] {
  return Array.from({ length: steps }, (_, index) => from + index).flatMap((step) => [
    ...edited(`billing/changed-${step % files}`),
    ...toolStep(`web/read-${step}`, words(step, 200)),
    ...toolStep(`web/seen-${step}`, words(step + 1, 200)),
  ]);
}

/** Sends each step of an agent as a call; the summary of the last prompt. */
async function stepByStep(
  { model, inner }: SetUp,
  messages: readonly ModelMessage[],
  from = 1,
): Promise<Readonly<Record<string, unknown>>> {
  for (let count = from; count <= messages.length; count += 2)
    await generateText({ model, messages: messages.slice(0, count) });
  return summarySections(promptsOf(inner).at(-1) ?? []);
}

const task = user('Move the billing service to minor units.');
const changed = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `src/billing/changed-${from + index}.ts`);

describe('files that were changed', () => {
  it('are named by later summaries of a model that names none of them', async () => {
    const summarizer = summarizerModel(answer({ summary: 'Work went on.' }));
    const set = setUp(small, { summarizer });
    const json = await stepByStep(set, [task, ...agent(9), ...agent(20, 9, 3)]);
    expect(set.events.filter(({ type }) => type === 'end').length).toBeGreaterThan(2);
    const text = JSON.stringify(json);
    expect(changed(9).filter((file) => text.includes(file)).length).toBeGreaterThan(6);
  });

  it('are told of as failed where a call was denied or failed', async () => {
    const set = setUp({ ...small, strategy: 'rule-based' });
    const denied = { type: 'execution-denied', reason: 'No.' } as const;
    const failed = { type: 'error-text', value: 'It ended with 1.' } as const;
    const { summary } = await stepByStep(
      set,
      [
        task,
        ...toolStep('denied', denied, 'edit_file'),
        ...toolStep('failed', failed, 'edit_file'),
        ...agent(20),
      ],
      125,
    );
    expect(String(summary)).toContain('❌ edit_file: File: src/denied.ts');
    expect(String(summary)).toContain('❌ edit_file: File: src/failed.ts');
    expect(String(summary)).not.toContain('✓ edit_file: File: src/denied.ts');
  });
});

describe('the origin of an item', () => {
  it('is the message that a model cites and was shown under that number', async () => {
    const messages = chat(19)
      .with(2, user(`My sister Zoe lives in Turin. ${words(2, 30)}`))
      .with(3, assistant(`I ordered blue tiles for the kitchen. ${words(3, 30)}`));
    const keyPoints = [
      { text: 'Zoe lives in Turin.', message: 2 },
      { text: 'Blue tiles were ordered.', message: 3 },
      { text: 'Nobody flew anywhere.', message: 400 },
    ];
    const summarizer = summarizerModel(answer({ keyPoints }));
    const run = await called(messages, {}, { summarizer });
    const read = textOf(summarizer.doGenerateCalls[0]?.prompt[1]);
    expect(read).toContain('{"i":2,"role":"user","text":"My sister Zoe ');
    const { origins } = recordOf(run);
    const [user2, assistant3] = [
      { role: 'user', message: 2 },
      { role: 'assistant', message: 3 },
    ];
    expect(origins.keyPoints).toEqual([user2, assistant3, { role: 'model' }]);
    expect(summarySections(lastPrompt(run.inner))['keyPoints']).toEqual([
      'Zoe lives in Turin.',
      'Blue tiles were ordered.',
      'Nobody flew anywhere.',
    ]);
  });

  it.each([
    ['a role that the message does not have', { role: 'user', message: 3 }, { role: 'model' }],
    ['a message that was not summarized', { role: 'user', message: 18 }, { role: 'model' }],
    ['no message', { role: 'user' }, { role: 'model' }],
    ['a message as the model’s', { role: 'model', message: 2 }, { role: 'model' }],
    ['what is true', { role: 'user', message: 2 }, { role: 'user', message: 2 }],
  ] as const)('is checked where a strategy of the caller names %s', async (_, claimed, origin) => {
    const strategy: SummaryStrategy = {
      name: 'own',
      summarize: async () => ({
        content: { ...emptyContent('Short.'), keyPoints: ['k'], origins: { keyPoints: [claimed] } },
        usage: { inputTokens: 0, outputTokens: 0 },
      }),
    };
    const run = await called(chat(19), { strategy });
    const record = recordOf(run);
    expect([record.version, record.origins.keyPoints]).toEqual([3, [origin]]);
  });
});

const rule = 'Anna allows no weekly meetings.';
const end = 'The end was a handshake.';
const talk = Array.from({ length: 18 }, (_, index) => `She said ${words(index, 6)}.`).join(' ');

it.each([
  { tokens: 2000, stays: 'all', leastRatio: 0 },
  { tokens: 3620, stays: 'some', leastRatio: 0.9 },
  { tokens: 3890, stays: 'nothing', leastRatio: 0.9 },
])(
  'a text of $tokens tokens behind a summary leaves $stays of it in the prompt',
  async ({ tokens, stays, leastRatio }) => {
    const options = { contextLength: 4000, maxSummaryTokens: 1500, store: memoryStore() };
    const summarizer = summarizerModel(answer({ summary: `${rule} ${talk} ${end}` }));
    const history = chat(25, 150);
    await called([...history], options, { summarizer });
    const made = setUp({ ...options, strategy: 'none' });
    const pasted = words(3, tokens);
    const messages = [...history, assistant('I see.'), user(pasted)];
    await generateText({ model: made.model, messages });
    const prompt = lastPrompt(made.inner);
    expect(JSON.stringify(prompt)).toContain(pasted);
    const said = summaryOf(prompt) ?? '';
    // The middle of a narrative gives way before its beginning, and where things stand.
    expect(said.includes(rule)).toBe(stays !== 'nothing');
    expect(said.includes(end)).toBe(stays !== 'nothing');
    expect(said.includes(talk)).toBe(stays === 'all');
    const applied = made.events.findLast((event) => event.type === 'applied');
    expect(applied?.ratio).toBeGreaterThan(leastRatio);
  },
);
