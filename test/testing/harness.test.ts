import {
  generateText,
  isStepCount,
  streamText,
  tool,
  wrapLanguageModel,
  type ModelMessage,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { summarizationMiddleware } from '../../src/index.ts';
import { scriptedModel } from '../../src/entries/testing/index.ts';
import { emptyContent } from '../support/empty-content.ts';
import { expectLegal, expectPaidOnce, expectWithinLimit } from '../support/expectations.ts';
import { toolStep, user, words } from '../support/messages.ts';
import { untyped } from '../support/untyped.ts';

const tools = {
  read_file: tool({
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `${path}: ${words(path.length, 80)}`,
  }),
};

/** A recorded loop of an agent, and its last answer. */
const recording: ModelMessage[] = [
  user('Read it all.'),
  ...Array.from({ length: 20 }, (_, index) => toolStep(`c${index}`, 'recorded')).flat(),
  { role: 'assistant', content: 'All read.' },
];

const wellWritten = JSON.stringify(emptyContent('They read files.'));

function wrap(inner: ReturnType<typeof scriptedModel>) {
  const summarizer = scriptedModel([wellWritten]);
  const middleware = summarizationMiddleware({
    contextLength: 2000,
    summarizerModelPreference: summarizer,
  });
  return { summarizer, model: wrapLanguageModel({ model: inner, middleware }) };
}

describe('an agent under test', () => {
  it('plays a recording, stays within the limit, is legal and pays once', async () => {
    const inner = scriptedModel(recording);
    const { model, summarizer } = wrap(inner);
    const prompt = 'Read it all.';
    const { text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(40) });
    expect(text).toBe('All read.');
    expect(inner.prompts).toHaveLength(21);
    await expectWithinLimit(inner, 2000);
    expectLegal(inner);
    expectPaidOnce(summarizer);
  });

  it('streams what a script says, its last answer again and again', async () => {
    const { model } = wrap(scriptedModel(['One.', 'Two.']));
    for (const text of ['One.', 'Two.', 'Two.'])
      expect(await streamText({ model, prompt: 'Next?' }).text).toBe(text);
  });

  it('fails in the calls that the script says', async () => {
    const model = scriptedModel([new Error('Away.'), wellWritten, new Error('Gone.')]);
    const ask = () => generateText({ model, prompt: 'Summarize.', maxRetries: 0 });
    await expect(ask()).rejects.toThrow('Away.');
    await expect(ask()).resolves.toMatchObject({ text: wellWritten });
    for (const _ of [1, 2]) await expect(ask()).rejects.toThrow('Gone.');
  });
});

describe('a model for tests', () => {
  it('says what a recorded message holds, who it is, and nothing of its tokens', async () => {
    const said = [
      { type: 'reasoning', text: 'Hm.' } as const,
      { type: 'text', text: 'Yes.' } as const,
    ];
    const file = { type: 'file', mediaType: 'image/png', data: 'AA==' } as const;
    const model = scriptedModel([{ role: 'assistant', content: [...said, file] }]);
    const { content, finishReason, usage } = await generateText({ model, prompt: 'Hm?' });
    expect({ content, finishReason }).toEqual({ content: said, finishReason: 'stop' });
    expect(usage).toMatchObject({ inputTokens: undefined, outputTokens: undefined });
    expect(model).toMatchObject({ provider: 'openai', modelId: 'scripted', supportedUrls: {} });
    const named = { provider: 'own', modelId: 'mine' };
    expect(scriptedModel(['Yes.'], named)).toMatchObject(named);
  });

  it('refuses what holds no answer', () => {
    for (const answers of [[], undefined, [user('Hello')]])
      expect(() => scriptedModel(untyped(answers))).toThrow('Invalid option answers');
  });
});
