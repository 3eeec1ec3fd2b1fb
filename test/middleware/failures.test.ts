import type { APICallError } from '@ai-sdk/provider';
import { generateText, type ModelMessage, streamText } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  llmStrategy,
  SummarizationError,
  SummarizationOptionError,
  type SummarizationOptions,
  type SummaryStrategy,
} from '../../src/index.ts';
import { emptyContent } from '../support/empty-content.ts';
import { assistant, chat, user, words } from '../support/messages.ts';
import { apiError, summarizerModel } from '../support/models.ts';
import { lastPrompt, promptsOf, summarySections, summaryOf, textOf } from '../support/prompts.ts';
import { called, eventsOf, force, setUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';
import { rejecting, throwing } from '../support/throwing.ts';

const messages = chat(19);

/** Without a fallback, so that a failure shows. */
const withoutFallback: typeof setUp = (options, models) =>
  setUp({ fallbackStrategy: false, ...options }, models);

// The SDK and the package both honor the header, so no test waits.
const away = (status: number): APICallError =>
  apiError('The server is on fire.', status, { 'retry-after-ms': '1' });
const failing = (error: Error): MockLanguageModelV4 =>
  summarizerModel(() => {
    throw error;
  });

describe('a summarizing model that cannot be reached', () => {
  it('is tried once more, then the prompt goes out as it was', async () => {
    const { inner, summarizer, events, model } = withoutFallback(
      {},
      { summarizer: failing(away(503)) },
    );
    await generateText({ model, messages });
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(lastPrompt(inner)).toHaveLength(19);
    expect(summaryOf(lastPrompt(inner))).toBeUndefined();
    expect(events.filter(({ type }) => type === 'failed')).toEqual([
      expect.objectContaining({ stage: 'summarize', reason: 'transport' }),
    ]);
  });

  it('becomes an error of ours, which the SDK does not retry, when asked', async () => {
    const { inner, summarizer, model } = withoutFallback(
      { abortOnFailure: true },
      { summarizer: failing(away(503)) },
    );
    const error: unknown = await generateText({ model, messages }).catch(
      (reason: unknown) => reason,
    );
    expect(SummarizationError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ reason: 'transport', retryable: true });
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(inner.doGenerateCalls).toHaveLength(0);
  });
});

it('a summary that takes more than it stands for is cut to what is smaller, and not paid for again', async () => {
  let asked = 0;
  const strategy: SummaryStrategy = {
    name: 'long',
    summarize: async () => {
      asked += 1;
      return {
        content: emptyContent(words(1, 3000)),
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  // A budget that lets it through, so that only the comparison can tell.
  const roomy = { contextLength: 60_000, tokenThreshold: 600, maxSummaryTokens: 6000 };
  const made = withoutFallback({ ...roomy, strategy });
  for (let call = 0; call < 2; call += 1)
    await generateText({ model: made.model, messages: [...messages] });
  const [check] = eventsOf(made, 'check');
  const [end] = eventsOf(made, 'end');
  expect(end?.tokensAfter).toBeLessThan(check?.tokens ?? 0);
  // Code cuts what a strategy wrote from its middle.
  expect(String(summarySections(lastPrompt(made.inner))['summary'])).toMatch(/^winter .* … .* /s);
  expect(asked).toBe(1);
});

/** A strategy of the caller that returns what it likes. */
const returning = (content: unknown): SummaryStrategy => ({
  name: 'mine',
  summarize: async () => ({
    content: untyped(content),
    usage: { inputTokens: 3, outputTokens: 2 },
  }),
});

it.each<[unknown, string]>([
  [undefined, 'content'],
  [{ ...emptyContent('A.'), keyPoints: [7], context: {} }, 'keyPoints.0, context.constraints, '],
  [emptyContent(' \u200b'), 'summary'],
  [
    { ...emptyContent('A.'), context: { ...emptyContent('').context, raw: 'x'.repeat(8000) } },
    'context.raw',
  ],
])('what a strategy returns is no summary, which says what of it: %j', async (content, wrong) => {
  const { events, model } = withoutFallback({ strategy: returning(content) });
  await generateText({ model, messages });
  const message = `The strategy mine returned no usable summary: ${wrong}`;
  expect(events.filter(({ type }) => type === 'failed')).toEqual([
    expect.objectContaining({
      reason: 'invalid-output',
      usage: { inputTokens: 3, outputTokens: 2 },
      error: expect.objectContaining({ message: expect.stringContaining(message) }),
    }),
  ]);
});

it('rules that have no room in the prompt are told of, the same ones once', async () => {
  const constraints = Array.from({ length: 30 }, (_, rule) => `${rule}: ${words(rule, 20)}`);
  const content = { ...emptyContent('A.'), context: { ...emptyContent('').context, constraints } };
  const made = setUp({ strategy: returning(content), maxSummaryTokens: 300, minMessages: 1 });
  await force(made, [...messages]);
  const told = made.events.filter(({ type }) => type === 'constraints-left-out');
  const { constraints: shown = [] } = summarySections(lastPrompt(made.inner));
  const rules = Array.isArray(shown) ? shown.filter((line) => /^\d+: /.test(String(line))) : [];
  expect(rules.length).toBeGreaterThan(0);
  expect(rules).toEqual(constraints.slice(-rules.length));
  const leftOut = constraints.length - rules.length;
  expect(shown).toContain(`${leftOut} more hold, left out here.`);
  expect(told).toEqual([expect.objectContaining({ leftOut, constraints: 30 })]);
  await force(made, [...messages, ...chat(4)]);
  expect(made.events.filter(({ type }) => type === 'end')).toHaveLength(2);
  expect(made.events.filter(({ type }) => type === 'constraints-left-out')).toEqual(told);
});

describe('faults of what the middleware is given', () => {
  // A rejection that nobody waits for fails the run, as it ends a process.
  const later: SummarizationOptions = { pin: untyped(rejecting), priority: untyped(rejecting) };
  it('cost no summary where pin and priority answer later, which is told once', async () => {
    for (const strategy of ['llm', 'rule-based'] as const) {
      const { inner, events, model } = withoutFallback({ ...later, strategy });
      await generateText({ model, messages });
      expect(summaryOf(lastPrompt(inner))).toBeDefined();
      expect(events.filter(({ type }) => type === 'failed')).toEqual([
        expect.objectContaining({
          stage: 'pin',
          error: new TypeError('pin returns a boolean, at once.'),
        }),
      ]);
    }
  });

  it('leave the call as it was when a context length function throws', async () => {
    const { inner, events, model } = withoutFallback({ contextLength: throwing });
    await generateText({ model, messages });
    expect(lastPrompt(inner)).toHaveLength(19);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', stage: 'prepare' }));
  });
});

const ofForce = /\.force: got .* a boolean, or . upTo . with an integer of at least 1/;
const ofAll = /summarization: got .*, allowed is an object with namespace/;

it.each<readonly [unknown, RegExp]>([
  ...[{ upTo: 0 }, { upTo: 1.5 }, { upTo: '3' }, { upTo: 3, from: 1 }, {}, 3, 'yes'].map(
    (given) => [{ force: given }, ofForce] as const,
  ),
  ...[false, true, 'off', []].map((given) => [given, ofAll] as const),
  [{ instructions: 1 }, /\.instructions: got 1, .*a string/],
  [{ conversationId: 7 }, /\.conversationId: got 7, .*a string/],
  [{ namespace: null }, /\.namespace: got null, .*a string/],
  [{ pin: ['x'] }, /\.pin.*: got .*integers/],
  [{ forced: true }, /\.forced: .*names: namespace, conversationId, force, instructions, enabled/],
])('the options of a call are refused where they are %j', async (given, message) => {
  const summarization = untyped<Record<string, boolean>>(given);
  const { model } = setUp();
  const call = generateText({ model, prompt: 'Hello.', providerOptions: { summarization } });
  await expect(call).rejects.toThrow(SummarizationOptionError);
  await expect(call).rejects.toThrow(message);
});

it('a stream carries an error of the middleware as its error part', async () => {
  const { model } = withoutFallback({ abortOnFailure: true }, { summarizer: failing(away(401)) });
  const errors: unknown[] = [];
  const onError = ({ error }: { error: unknown }): void => void errors.push(error);
  const result = streamText({ model, messages, onError });
  await result.consumeStream();
  expect(errors.map((error) => SummarizationError.isInstance(error))).toEqual([true]);
});

describe('the debug log', () => {
  it('tells of a summary, and of an unusable answer with its beginning', async () => {
    const lines: string[] = [];
    const debug = (line: string): void => void lines.push(line);
    await generateText({ model: withoutFallback({ debug }).model, messages });
    const broken = summarizerModel('Sure! \u0000 Here\nis the summary.');
    await generateText({
      model: withoutFallback({ debug }, { summarizer: broken }).model,
      messages,
    });
    expect(lines).toEqual([
      expect.stringMatching(/depth=0 compressedMessages=\d+ ratioBefore=0\.\d+ estimateAfter=\d+/),
      expect.stringMatching(
        /model=openai.responses:summarizer outcome=invalid-output .*"Sure! Here is the summary\."/,
      ),
    ]);
  });

  it.each([
    [true, 1],
    [false, 0],
    [undefined, 0],
  ])('is that of the runtime where it is %s', async (debug, lines) => {
    const log = vi.spyOn(console, 'debug').mockImplementation(() => {});
    await generateText({ model: withoutFallback({ debug }).model, messages });
    expect(log).toHaveBeenCalledTimes(lines);
    log.mockRestore();
  });

  it('holds no word of the SDK about the deprecated function that writes the summaries', async () => {
    const warnings: unknown[] = [];
    const silence = globalThis.AI_SDK_LOG_WARNINGS;
    globalThis.AI_SDK_LOG_WARNINGS = (options) => void warnings.push(options);
    try {
      const { summarizer, model } = withoutFallback();
      await generateText({ model, messages });
      expect(summarizer.doGenerateCalls).toHaveLength(1);
    } finally {
      globalThis.AI_SDK_LOG_WARNINGS = silence;
    }
    expect(warnings).toEqual([]);
  });
});

describe('an option of ours on a message', () => {
  const pinned: ModelMessage[] = chat(21).map((message, index) =>
    index === 2
      ? { ...message, providerOptions: { summarization: { pin: true }, openai: { name: 'Ada' } } }
      : message,
  );

  it.each([
    ['far from the trigger', 100_000],
    ['in a prompt that is summarized', 1000],
  ])('does not reach the provider %s', async (_where, contextLength) => {
    const run = await called(pinned, { contextLength });
    await streamText({ model: run.model, messages: pinned }).consumeStream();
    expect(promptsOf(run.inner)).toHaveLength(2);
    for (const prompt of promptsOf(run.inner)) {
      expect(summaryOf(prompt) === undefined).toBe(contextLength > 1000);
      const sent = prompt.find((message) => textOf(message).startsWith('Question 2:'));
      expect(sent?.providerOptions).toEqual({ openai: { name: 'Ada' } });
      expect(JSON.stringify(prompt)).not.toContain('"summarization"');
    }
  });

  it('does not reach the provider when the middleware is off', async () => {
    const run = await called(pinned, { enabled: false });
    expect(JSON.stringify(lastPrompt(run.inner))).not.toContain('"summarization"');
  });
});

describe('the least that a summary must free', () => {
  // Small talk, then a document that stays: the talk is 1 % of the whole.
  const talk: ModelMessage[] = [
    ...chat(12, 2),
    user(`Read this: ${words(3, 12_000)}`),
    assistant('Read.'),
    user('And?'),
  ];

  it('keeps from paying for next to nothing', async () => {
    const run = await called(talk, { contextLength: 15_000, preserveRecent: 3 });
    expect(eventsOf(run, 'check')).toMatchObject([{ act: 'summarize', reason: 'token-ratio' }]);
    expect(eventsOf(run, 'skipped')).toMatchObject([{ reason: 'nothing-to-cover' }]);
    expect(run.summarizer.doGenerateCalls).toHaveLength(0);
  });
});

describe('a stored summary', () => {
  const thinking = { type: 'reasoning' as const, text: 'What follows belongs to this.' };
  const history: ModelMessage[] = [
    user(`Go on until you are done. ${words(0, 30)}`),
    ...Array.from({ length: 16 }, (_, index) => assistant(`Step ${index}: ${words(index, 40)}`)),
  ];

  it('is not applied where its end has come to lie inside of what belongs together', async () => {
    const run = await called(history);
    const [applied] = eventsOf(run, 'applied');
    const cut = applied?.coveredMessages ?? 0;
    expect(cut).toBeGreaterThan(2);

    // Reasoning identifies nothing, so the record is found; it must not be parted from what it led to.
    const joined = history.map((message, index): ModelMessage => {
      if (index !== cut - 1 || message.role !== 'assistant') return message;
      return {
        role: 'assistant',
        content: [{ type: 'text', text: `Step ${index - 1}: ${words(index - 1, 40)}` }, thinking],
      };
    });
    await generateText({ model: run.model, messages: [...joined, user('Well?')] });
    const sent = lastPrompt(run.inner);
    const texts = sent.map(textOf);
    const isSent = (index: number): boolean =>
      texts.some((text) => text.startsWith(`Step ${index - 1}:`));
    expect(isSent(cut - 1)).toBe(isSent(cut));
  });
});

describe('a summary that could not be made', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const minute = 60_000;
  const by = (model: MockLanguageModelV4): SummarizationOptions => ({
    strategy: llmStrategy({ models: [model] }),
  });
  const unreachable = failing(new TypeError('fetch failed'));
  const busyFor = (retryAfterMs: number): SummarizationOptions => {
    const error = { reason: 'transport', message: 'Busy.', retryable: true, retryAfterMs } as const;
    const summarize = async (): Promise<never> => Promise.reject(new SummarizationError(error));
    return { strategy: { name: 'busy', summarize } };
  };

  it.each([
    ['ten minutes for an unusable answer', by(summarizerModel('This is no JSON.')), 10 * minute],
    ['a second for a model that cannot be reached', by(unreachable), 1000],
    ['as long as it is asked to wait', busyFor(7000), 7000],
    ['half a minute at most', busyFor(15 * minute), minute / 2],
  ])('is not asked for again before its time: %s', async (_what, options, lifetime) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const run = withoutFallback(options);
    const call = async (): Promise<number> => {
      const before = eventsOf(run, 'start').length;
      await generateText({ model: run.model, messages: chat(21) });
      return eventsOf(run, 'start').length - before;
    };
    expect(await call()).toBe(1);
    expect(await call()).toBe(0);
    vi.advanceTimersByTime(lifetime - 1);
    expect(await call()).toBe(0);
    const skipped = { reason: 'recent-failure' };
    expect(eventsOf(run, 'skipped')).toMatchObject([skipped, skipped]);
    vi.advanceTimersByTime(1);
    expect(await call()).toBe(1);
  });
});
