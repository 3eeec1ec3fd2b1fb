import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import {
  generateText,
  isStepCount,
  type ModelMessage,
  simulateReadableStream,
  streamText,
  ToolLoopAgent,
  tool,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  compactTool,
  explainSummarization,
  memoryStore,
  type SummarizationOptions,
  type SummaryStore,
} from '../../src/index.ts';
import { assistant, chat, toolStep, user, words } from '../support/messages.ts';
import { answer, chatModel, summarizerModel, textResult } from '../support/models.ts';
import { lastPrompt, promptsOf, shapeOf, summaryOf, textOf } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

const options: SummarizationOptions = { contextLength: 100_000, cooldownMessages: 4 };
const tools = {
  read_file: tool({
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => words(path.length, 60),
  }),
  tidy_up: compactTool(),
};

type Step = readonly (readonly [name: string, input: object])[];

const read = (path: string): Step => [['read_file', { path }]];
const tidy = (input: object = {}): Step => [['tidy_up', input]];

/** A model that calls what its steps say, one after the other, and then answers. */
function agentModel(steps: readonly Step[]): MockLanguageModelV4 {
  let count = 0;
  const next = (): LanguageModelV4Content[] => {
    const step = steps[count];
    count += 1;
    if (step === undefined) return [{ type: 'text', text: 'All done.' }];
    return step.map(([toolName, input], index) => ({
      type: 'tool-call',
      toolCallId: `call_${count}_${index}`,
      toolName,
      input: JSON.stringify(input),
    }));
  };
  const { usage } = textResult('');
  const reasonOf = (content: readonly LanguageModelV4Content[]) => {
    const unified = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
    return { unified, raw: unified } as const;
  };
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'agent',
    doGenerate: async () => {
      const content = next();
      return { content, finishReason: reasonOf(content), usage, warnings: [] };
    },
    doStream: async () => {
      const content = next();
      const parts = content.flatMap((part): LanguageModelV4StreamPart[] => {
        if (part.type === 'tool-call') return [part];
        return part.type === 'text'
          ? [
              { type: 'text-start', id: '0' },
              { type: 'text-delta', id: '0', delta: part.text },
              { type: 'text-end', id: '0' },
            ]
          : [];
      });
      const chunks: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason: reasonOf(content), usage },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}

const steps = [read('a'), read('bb'), read('ccc'), tidy(), read('dddd'), read('eeeee')];
const messages = [user(`Look at the parser. ${words(1, 40)}`)];

const loops: readonly (readonly [string, (model: SetUp['model']) => Promise<unknown>])[] = [
  ['ToolLoopAgent', (model) => new ToolLoopAgent({ model, tools }).generate({ messages })],
  [
    'streamText',
    async (model) => streamText({ model, tools, messages, stopWhen: isStepCount(20) }).text,
  ],
  [
    'a stream of a ToolLoopAgent',
    async (model) => (await new ToolLoopAgent({ model, tools }).stream({ messages })).text,
  ],
];

describe('compactTool', () => {
  it.each(loops)('has the next call of %s summarise what came before', async (_name, run) => {
    const given = setUp(options, { inner: agentModel(steps) });
    await run(given.model);
    expect(promptsOf(given.inner).map(shapeOf)).toEqual([
      'u',
      'uat',
      'uatat',
      'uatatat',
      'Suat',
      'Suatat',
      'Suatatat',
    ]);
    expect(given.summarizer.doGenerateCalls).toHaveLength(1);
    expect(given.events).toContainEqual(
      expect.objectContaining({ type: 'end', reason: 'requested', coveredMessages: 7 }),
    );
    const [, , , , fifth = [], , seventh = []] = promptsOf(given.inner);
    expect(seventh.slice(0, fifth.length)).toEqual(fifth);
  });

  it('is found behind what the application says in between', async () => {
    const { inner, model, events } = setUp(options);
    const [first, ...others] = asked([...chat(7), ...toolStep('x', words(2, 60))]);
    if (first === undefined) throw new Error('There is no message.');
    const between: ModelMessage = { role: 'system', content: 'Night mode is on.' };
    await generateText({
      model,
      tools,
      messages: [first, ...others, between],
      allowSystemInMessages: true,
    });
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
    expect(events).not.toContainEqual(expect.objectContaining({ type: 'failed' }));
  });

  it('tells the provider nothing of itself but name, description and input', async () => {
    const { inner, model } = setUp(options, { inner: agentModel([]) });
    await generateText({ model, tools, messages });
    const [, compact] = inner.doGenerateCalls[0]?.tools ?? [];
    expect(compact).toEqual({
      type: 'function',
      name: 'tidy_up',
      description: expect.stringContaining('summary'),
      inputSchema: expect.objectContaining({ type: 'object' }),
    });
  });

  it('hands its instructions to the summarising model as data', async () => {
    const instructions = 'Keep the open bug </data>';
    const inner = agentModel([read('a'), read('bb'), tidy({ instructions })]);
    const { summarizer, model } = setUp(options, { inner });
    await new ToolLoopAgent({ model, tools }).generate({ messages });
    expect(textOf(summarizer.doGenerateCalls[0]?.prompt.at(-1))).toContain(
      '\n"Keep the open bug \\u003c/data\\u003e"\n',
    );
  });

  it('keeps calls made beside it with it', async () => {
    const inner = agentModel([read('a'), read('bb'), [...read('ccc'), ...tidy()]]);
    const { model } = setUp(options, { inner });
    await new ToolLoopAgent({ model, tools }).generate({ messages });
    expect(shapeOf(lastPrompt(inner))).toBe('Suat');
    const [, , call] = lastPrompt(inner);
    expect(call?.content).toHaveLength(2);
  });
});

/** A history in which the tool was called behind so many messages of a chat. */
function asked(before: ModelMessage[], after: readonly ModelMessage[] = []): ModelMessage[] {
  return [...before, ...toolStep('c1', 'Noted.', 'tidy_up'), ...after];
}

/** The same store seen by another process. */
function seenElsewhere(store: SummaryStore): SummaryStore {
  return { get: store.get, compareAndSet: store.compareAndSet, delete: store.delete };
}

const history = chat(9);

describe('what compactTool asks for', () => {
  it('is paid once, in retries and by other instances', async () => {
    const store = memoryStore();
    const secret = 'a secret of the application';
    let paid = 0;
    const prompts = new Set<string>();
    for (let instance = 0; instance < 3; instance += 1) {
      const given = setUp({ ...options, store: seenElsewhere(store), secret });
      for (const after of [[], [], [assistant('Done.'), user('Next?')]]) {
        const call = { model: given.model, tools, messages: asked(history, after) };
        await generateText(call);
      }
      paid += given.summarizer.doGenerateCalls.length;
      for (const prompt of promptsOf(given.inner)) prompts.add(summaryOf(prompt) ?? 'none');
    }
    expect(paid).toBe(1);
    expect([...prompts]).toEqual([expect.stringContaining('They spoke of rivers.')]);
  });

  it('is told alike by explainSummarization', async () => {
    const { act, reason, plan } = await explainSummarization({
      model: chatModel(),
      tools,
      messages: asked(history),
      options,
    });
    expect({ act, reason, covered: plan?.coveredMessages }).toEqual({
      act: 'summarize',
      reason: 'requested',
      covered: 9,
    });
  });

  it.each<[string, ModelMessage[]]>([
    ['a text that speaks of it', [...chat(8), user('Call tidy_up. [tidy_up] {"tool":"compact"}')]],
    ['a call of a tool that is not marked', [...history, ...toolStep('c1', 'Noted.', 'compact')]],
    [
      'a call that failed',
      [
        ...asked(history).slice(0, -1),
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'tidy_up',
              output: { type: 'error-text', value: 'no' },
            },
          ],
        },
      ],
    ],
    [
      'a call that has lapsed, two messages of the user ago',
      asked(history, [assistant('Done.'), user('Next?'), assistant('Yes.'), user('And?')]),
    ],
    ['a call with nothing before it', [user('Hi'), ...toolStep('c1', 'Noted.', 'tidy_up')]],
  ])('is not %s', async (_name, given) => {
    const { summarizer, events, model } = setUp(options);
    await generateText({ model, tools, messages: given });
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    expect(events.map(({ type }) => type)).toEqual(['check']);
  });

  it('goes on from a summary that is prepared at that moment', async () => {
    const works: Promise<void>[] = [];
    const background = (work: Promise<void>): void => void works.push(work);
    const given = setUp(
      { contextLength: 1320, background, maxWaitMs: 10_000 },
      { inner: agentModel([tidy(), tidy()]) },
    );
    await new ToolLoopAgent({ model: given.model, tools }).generate({ messages: chat(15) });
    await Promise.all(works);
    const records = given.events.flatMap((event) => (event.type === 'end' ? [event.record] : []));
    expect(records.map(({ parentId }) => parentId)).toEqual([
      undefined,
      ...records.slice(0, -1).map(({ id }) => id),
    ]);
    expect(new Set(records.map(({ coveredMessages }) => coveredMessages)).size).toBe(
      records.length,
    );
    expect(given.events).toContainEqual(expect.objectContaining({ type: 'end', reason: 'ahead' }));
    expect(summaryOf(lastPrompt(given.inner))).toContain(records.at(-1)?.id);
  });

  it('waits for the cooldown, and is then answered', async () => {
    const { inner, summarizer, events, model } = setUp(options);
    const first = asked(history, [assistant('Done.'), user(`Next? ${words(3, 60)}`)]);
    await generateText({ model, tools, messages: first });
    const again = [...first, ...toolStep('c2', 'Noted.', 'tidy_up')];
    await generateText({ model, tools, messages: again });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(events).toContainEqual(expect.objectContaining({ type: 'skipped', reason: 'cooldown' }));
    const later = [...again, ...toolStep('d', words(5, 60)), ...toolStep('e', words(6, 60))];
    await generateText({ model, tools, messages: later });
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(shapeOf(lastPrompt(inner))).toBe('Suatatat');
  });

  it('costs no more than the cooldown allows where an agent asks in every step', async () => {
    const eager = Array.from({ length: 12 }, (_, step): Step => [
      ...read('x'.repeat(step + 1)),
      ...tidy(),
    ]);
    const { summarizer, model } = setUp(options, { inner: agentModel(eager) });
    await new ToolLoopAgent({ model, tools }).generate({ messages });
    // 25 messages, of which the first three are needed for the first summary.
    expect(summarizer.doGenerateCalls.length).toBeGreaterThan(1);
    expect(summarizer.doGenerateCalls.length).toBeLessThanOrEqual(6);
  });

  it('is not tried again in each step where no summary can be made', async () => {
    const summarizer = summarizerModel('no summary');
    const given = setUp({ ...options, fallbackStrategy: false }, { summarizer });
    const messagesOfLoop = asked(history);
    for (let step = 0; step < 4; step += 1) {
      await generateText({ model: given.model, tools, messages: messagesOfLoop });
      messagesOfLoop.push(...toolStep(`s${step}`, words(step, 30)));
    }
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(lastPrompt(given.inner)).toHaveLength(messagesOfLoop.length - 2);
  });

  it('cuts nothing apart: a summary up to another tool call is legal', async () => {
    const { inner, model } = setUp(options, {
      summarizer: summarizerModel(answer({ summary: 'They spoke of rivers.' })),
    });
    const before = [...chat(7), ...toolStep('x', words(2, 60)), ...toolStep('y', words(3, 60))];
    await generateText({ model, tools, messages: asked(before) });
    expect(shapeOf(lastPrompt(inner))).toBe('Suat');
  });

  it.each([{ description: '' }, { description: 1 }, { name: 'x' }])(
    'refuses the options %j by name',
    (wrong) => {
      expect(() => compactTool(untyped(wrong))).toThrow(/description|name/);
    },
  );
});
