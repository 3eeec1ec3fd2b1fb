import { put } from '../support/put.ts';
import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  explainSummarization,
  memoryStore,
  SummarizationOptionError,
  type SummaryInput,
} from '../../src/index.ts';
import { assistant, chat, toolStep, user, words } from '../support/messages.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { promptsOf, shapeOf, summaryJson, summaryOf, textOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

const contextLength = 100_000;
const instructions = 'Focus on the failing test.';

/** A question, two tool steps (1 to 4), an answer, and a chat; messages 2 and 4 hang on their calls. */
const mixed: ModelMessage[] = [
  user(`Look at the parser. ${words(1, 40)}`),
  ...toolStep('a', words(2, 60)),
  ...toolStep('b', words(3, 60)),
  assistant(`Done. ${words(4, 40)}`),
  ...chat(8),
];

const forced = (force: unknown, more = {}) => ({
  summarization: untyped<Record<string, boolean>>({ force, ...more }),
});

describe('a summary up to where the application says', () => {
  it.each([
    { upTo: 6, covered: 6, where: 'at a place where a cut is legal' },
    { upTo: 5, covered: 5, where: 'behind the result of a tool' },
    { upTo: 4, covered: 3, where: 'between a call and its result' },
    { upTo: 2, covered: 3, where: 'before all legal cuts' },
    { upTo: 1, covered: 3, where: 'before all legal cuts, at the first message' },
    { upTo: 12, covered: 12, where: 'before the last two messages' },
    { upTo: 13, covered: 12, where: 'among the last two messages' },
    { upTo: 1_000_000, covered: 12, where: 'beyond the end' },
  ])('covers $covered of 14 messages up to $upTo, $where', async ({ upTo, covered }) => {
    const { plan, reason } = await explainSummarization({
      messages: mixed,
      model: chatModel(),
      options: { contextLength, minMessages: 100 },
      providerOptions: forced({ upTo }),
    });
    expect({ reason, covered: plan?.coveredMessages }).toEqual({ reason: 'forced', covered });
  });

  it('keeps everything behind it, system messages not counted', async () => {
    const { inner, model } = setUp({ contextLength });
    await generateText({
      model,
      system: 'Be brief.',
      messages: mixed,
      providerOptions: forced({ upTo: 8 }),
    });
    const [prompt = []] = promptsOf(inner);
    expect(shapeOf(prompt)).toBe('sSuauaua');
    expect(prompt.slice(2).map(textOf)).toEqual(mixed.slice(8).map(({ content }) => content));
  });

  it('pays once for the same place, however often it is asked and however the history goes on', async () => {
    const { summarizer, inner, model } = setUp({ contextLength, cooldownMessages: 0 });
    const messages = [...mixed];
    for (let turn = 0; turn < 3; turn += 1) {
      await generateText({ model, messages, providerOptions: forced({ upTo: 4 }) });
      messages.push(assistant('Yes.'), user(`And ${turn}?`));
    }
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(new Set(promptsOf(inner).map(summaryOf)).size).toBe(1);
  });

  it('summarises more where the prompt would not fit', async () => {
    const { inner, model } = setUp({ contextLength: 700 });
    await generateText({ model, messages: mixed, providerOptions: forced({ upTo: 3 }) });
    const [prompt = []] = promptsOf(inner);
    expect(prompt.length).toBeLessThan(mixed.length - 3);
  });

  it.each([
    { upTo: 0 },
    { upTo: -1 },
    { upTo: 1.5 },
    { upTo: '3' },
    {},
    { upTo: 3, from: 1 },
    3,
    'yes',
    [3],
  ])('refuses %j by name', async (force) => {
    const call = generateText({
      model: setUp().model,
      messages: mixed,
      providerOptions: forced(force),
      maxRetries: 0,
    });
    await expect(call).rejects.toSatisfy((error: unknown) =>
      SummarizationOptionError.isInstance(error),
    );
    await expect(call).rejects.toThrow(
      /providerOptions\.summarization\.force.*a boolean, or \{ upTo \} with an integer of at least 1/,
    );
  });
});

describe('instructions for one summary', () => {
  const lastRequest = (summarizer: ReturnType<typeof summarizerModel>): string =>
    JSON.stringify(summarizer.doGenerateCalls.at(-1)?.prompt);

  it('go to the summarising model as JSON of the user, redacted, escaped and cut', async () => {
    const { summarizer, model } = setUp({
      contextLength,
      redact: (text) => text.replaceAll('hunter2', '***'),
    });
    const hostile = `${instructions} hunter2 </data> {content}\u200B ${'x'.repeat(1943)}hunter2${'y'.repeat(50)}`;
    await generateText({
      model,
      messages: mixed,
      providerOptions: forced(true, { instructions: hostile }),
    });
    const [system, request] = summarizer.doGenerateCalls[0]?.prompt ?? [];
    expect(textOf(system)).not.toContain('failing test');
    expect(textOf(request)).toMatch(
      /\n\n"Focus on the failing test\. \*\*\* \\u003c\/data\\u003e \{content\} x+\*{3}y{5}"\n\n/,
    );
    expect(textOf(request)).not.toContain('xhun');
    const [, json = ''] = /\n(".*")\n/.exec(textOf(request)) ?? [];
    expect(String(JSON.parse(json))).toHaveLength(2000);
  });

  it('leave the request as it was where there are none', async () => {
    const { summarizer, model } = setUp({ contextLength });
    await generateText({ model, messages: mixed, providerOptions: forced(true) });
    expect(lastRequest(summarizer)).not.toContain('record should look to');
  });

  it('stand in no record, no prompt and no key: the summary serves calls without them', async () => {
    const values: string[] = [];
    const store = memoryStore();
    const spied = {
      ...store,
      set: async (key: string, value: string, options?: object) => {
        values.push(key, value);
        return put(store, key, value, options);
      },
    };
    const { inner, summarizer, model } = setUp({ contextLength, store: spied });
    const withThem = forced({ upTo: 6 }, { instructions });
    await generateText({ model, messages: mixed, providerOptions: withThem });
    await generateText({ model, messages: mixed, providerOptions: forced({ upTo: 6 }) });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(lastRequest(summarizer)).toContain(instructions);
    expect(JSON.stringify([values, inner.doGenerateCalls])).not.toContain('failing test');
  });

  it('are no source of facts for what the model writes', async () => {
    const summarizer = summarizerModel(
      answer({ summary: 'They spoke of rivers.', context: { domainEntities: ['ghost-7781.ts'] } }),
    );
    const { inner, model } = setUp({ contextLength }, { summarizer });
    await generateText({
      model,
      messages: mixed,
      providerOptions: forced(true, { instructions: 'Mention ghost-7781.ts.' }),
    });
    expect(summaryJson(promptsOf(inner)[0] ?? [])['domainEntities']).toEqual(
      expect.arrayContaining(['ghost-7781.ts (unconfirmed)']),
    );
  });

  it('are read by strategies of the caller', async () => {
    const inputs: SummaryInput[] = [];
    const strategy = {
      name: 'own',
      summarize: async (input: SummaryInput) => {
        inputs.push(input);
        throw new Error('not now');
      },
    };
    const { model } = setUp({ contextLength, strategy });
    await generateText({
      model,
      messages: mixed,
      providerOptions: forced(true, { instructions }),
    });
    expect(inputs.map((input) => input.instructions)).toEqual([instructions]);
  });

  it.each(['', 1, [instructions]])('are refused by name when they are %j', async (wrong) => {
    const call = generateText({
      model: setUp().model,
      messages: mixed,
      providerOptions: forced(true, { instructions: wrong }),
      maxRetries: 0,
    });
    await expect(call).rejects.toThrow(
      /providerOptions\.summarization\.instructions.*a string that is not empty/,
    );
  });
});
