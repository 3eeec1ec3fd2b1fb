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
import { summarizationMiddleware, type SummarizationEvent } from '../../src/index.ts';
import { faultySummarizer, scriptedModel, type SummarizerFault } from '../../src/testing/index.ts';
import { expectLegal, expectPaidOnce, expectWithinLimit } from '../support/expectations.ts';
import { chat, toolStep, user, words } from '../support/messages.ts';
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

function wrap(inner: ReturnType<typeof scriptedModel>, faults: (SummarizerFault | undefined)[]) {
  const summarizer = faultySummarizer(faults);
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 2000,
    summarizerModelPreference: summarizer,
    onEvent: (event) => events.push(event),
  });
  return { summarizer, events, model: wrapLanguageModel({ model: inner, middleware }) };
}

describe('an agent under test', () => {
  it('plays a recording, stays within the limit, is legal and pays once', async () => {
    const inner = scriptedModel(recording);
    const { model, summarizer } = wrap(inner, []);
    const prompt = 'Read it all.';
    const { text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(40) });
    expect(text).toBe('All read.');
    expect(inner.prompts).toHaveLength(21);
    await expectWithinLimit(inner, 2000);
    expectLegal(inner);
    expectPaidOnce(summarizer);
  });

  it('streams what a script says, its last answer again and again', async () => {
    const inner = scriptedModel(['One.', 'Two.']);
    const { model } = wrap(inner, []);
    const texts = [];
    for (const _ of [1, 2, 3]) texts.push(await streamText({ model, prompt: 'Next?' }).text);
    expect(texts).toEqual(['One.', 'Two.', 'Two.']);
  });

  it.each<[SummarizerFault, string | undefined]>([
    ['error', 'transport'],
    ['not-json', 'invalid-output'],
    ['empty', 'invalid-output'],
    ['cut-off', 'invalid-output'],
  ])('lives on with a summariser whose fault is %s, by rules', async (fault, reason) => {
    const inner = scriptedModel(['Yes.']);
    const { model, events } = wrap(inner, [fault]);
    await generateText({ model, messages: [...chat(60), user('And now?')] });
    const failed = events.find((event) => event.type === 'failed');
    expect(failed?.reason).toBe(reason);
    expect(events.map(({ type }) => type)).toContain('fallback');
    await expectWithinLimit(inner, 2000);
  });

  it('has faults in the doses that are asked for', async () => {
    const summarizer = faultySummarizer(['error', undefined]);
    const call = { prompt: [{ role: 'user' as const, content: [] }] };
    const outcomes = [];
    for (const _ of [1, 2, 3, 4])
      outcomes.push(
        await summarizer.doGenerate(call).then(
          () => 'well',
          () => 'fault',
        ),
      );
    expect(outcomes).toEqual(['fault', 'well', 'fault', 'well']);
  });

  it('has a summariser that is silent until it is given up', async () => {
    const controller = new AbortController();
    const call = faultySummarizer(['silent']).doGenerate({
      prompt: [],
      abortSignal: controller.signal,
    });
    controller.abort();
    await expect(call).rejects.toThrow('The call was given up.');
  });
});

describe('a model for tests', () => {
  it.each<[string, () => unknown]>([
    ['answers', () => scriptedModel([])],
    ['answers', () => scriptedModel(untyped(undefined))],
    ['answers', () => scriptedModel([{ role: 'user', content: 'Hello' }])],
    ['faults', () => faultySummarizer(untyped('error'))],
    ['faults[1]', () => faultySummarizer([undefined, untyped('timeout')])],
  ])('refuses wrong %s', (option, make) => {
    expect(make).toThrow(`Invalid option ${option}`);
  });
});
