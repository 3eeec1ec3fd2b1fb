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
import {
  expectLegal,
  expectPaidOnce,
  expectWithinLimit,
  faultySummarizer,
  recordedModel,
  scriptedModel,
  type RecordingModel,
  type SummarizerFault,
} from '../../src/testing/index.ts';
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
    const inner = recordedModel(recording);
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

/** Sends prompts to a model as they are. */
async function sent(
  ...prompts: Parameters<ReturnType<typeof scriptedModel>['doGenerate']>[0]['prompt'][]
) {
  const model = scriptedModel(['Yes.']);
  for (const prompt of prompts) await model.doGenerate({ prompt });
  return model;
}

const asked = { role: 'user', content: [{ type: 'text', text: words(1, 50) }] } as const;
const hello = { ...asked, content: [...asked.content] };
const call = { type: 'tool-call', toolCallId: 'c', toolName: 'read', input: {} } as const;
const calling = { role: 'assistant' as const, content: [call] };
const result = {
  role: 'tool' as const,
  content: [
    {
      type: 'tool-result' as const,
      toolCallId: 'c',
      toolName: 'read',
      output: { type: 'text' as const, value: 'done' },
    },
  ],
};

describe('what is expected', () => {
  it.each([
    ['message 1 is the first, and not of the user but assistant', [calling, result]],
    ['message 3 comes before the result of the call c', [hello, calling, hello]],
    ['message 2 holds a result of no call', [hello, result]],
    ['the call c has no result', [hello, calling]],
    ['message 2 is empty', [hello, { role: 'assistant' as const, content: [] }]],
    ['there is no message but system messages', [{ role: 'system' as const, content: 'Be kind.' }]],
  ])('is not met by an illegal prompt: %s', async (fault, prompt) => {
    const model = await sent([hello], prompt);
    expect(() => expectLegal(model)).toThrow(`Call 2: ${fault}.`);
  });

  it('is met by a legal prompt', async () => {
    const model = await sent([{ role: 'system', content: 'Be kind.' }, hello, calling, result]);
    expect(() => expectLegal(model)).not.toThrow();
  });

  it('names the call that is over the limit', async () => {
    const model = await sent([hello], [hello, calling, result, hello]);
    await expect(expectWithinLimit(model, 80)).rejects.toThrow(/^Call 2 has \d+ tokens, where 80/);
  });

  it('names the calls that pay the same twice', async () => {
    const model = await sent([hello], [hello, hello], [hello]);
    expect(() => expectPaidOnce(model)).toThrow('Calls 1 and 3 ask for the same summary.');
  });

  it('is not met by a model that nobody called', async () => {
    const model = scriptedModel(['Yes.']);
    expect(() => expectLegal(model)).toThrow('The model scripted was not called.');
    expect(() => expectPaidOnce(model)).toThrow('was not called');
    await expect(expectWithinLimit(model, 1)).rejects.toThrow('was not called');
  });

  it('is not met by a limit that is none', async () => {
    const model = await sent([hello]);
    for (const limit of [Number.NaN, undefined, '80', 0])
      await expect(expectWithinLimit(model, untyped(limit))).rejects.toThrow(
        'allowed is an integer above 0',
      );
  });

  it('is not asked of what is no model of these', async () => {
    const model = untyped<RecordingModel>({ modelId: 'gpt-5-mini' });
    expect(() => expectLegal(model)).toThrow('Invalid option model');
    expect(() => expectPaidOnce(model)).toThrow('Invalid option model');
    await expect(expectWithinLimit(model, 80)).rejects.toThrow('Invalid option model');
  });

  it('lets a call that failed be made again', async () => {
    const summarizer = faultySummarizer(['error', undefined]);
    const ask = async (): Promise<unknown> =>
      generateText({ model: summarizer, prompt: 'Hello', maxRetries: 0 });
    await expect(ask()).rejects.toThrow('cannot be reached');
    await ask();
    expect(() => expectPaidOnce(summarizer)).not.toThrow();
    await expect(ask()).rejects.toThrow('cannot be reached');
    expect(() => expectPaidOnce(summarizer)).toThrow('Calls 2 and 3 ask for the same summary.');
  });
});

describe('a model for tests', () => {
  it.each<[string, () => unknown]>([
    ['answers', () => scriptedModel([])],
    ['answers', () => scriptedModel(untyped(undefined))],
    ['messages', () => recordedModel([{ role: 'user', content: 'Hello' }])],
    ['messages', () => recordedModel(untyped(null))],
    ['faults', () => faultySummarizer(untyped('error'))],
    ['faults[1]', () => faultySummarizer([undefined, untyped('timeout')])],
  ])('refuses wrong %s', (option, make) => {
    expect(make).toThrow(`Invalid option ${option}`);
  });
});
