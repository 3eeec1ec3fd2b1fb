import { APICallError } from '@ai-sdk/provider';
import { generateText, streamText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import {
  memoryStore,
  SummarizationError,
  type SummarizationOptions,
  type SummaryStrategy,
} from '../../src/index.ts';
import type { CallOptions } from '../support/prompt-types.ts';
import { assistant, chat, user } from '../support/messages.ts';
import { answer, chatModel, summarizerModel, textResult } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { setUp as setUpWithFallback } from '../support/set-up.ts';
import { until } from '../support/until.ts';
import { untyped } from '../support/untyped.ts';

const messages = chat(19);

/** Without a fallback, so that a failure shows. */
const setUp: typeof setUpWithFallback = (options, models) =>
  setUpWithFallback({ fallbackStrategy: false, ...options }, models);

function apiError(statusCode: number, isRetryable = true): APICallError {
  return new APICallError({
    message: 'The server is on fire.',
    url: 'http://localhost',
    requestBodyValues: {},
    statusCode,
    isRetryable,
    // The SDK and the package both honour it, so no test waits.
    responseHeaders: { 'retry-after-ms': '1' },
  });
}

function failing(error: Error): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    modelId: 'summarizer',
    doGenerate: async () => {
      throw error;
    },
  });
}

/** A store, and the state that was written into it. */
function spyStore() {
  const store = memoryStore();
  const written: string[] = [];
  return {
    written,
    store: {
      ...store,
      compareAndSet: async (...args: Parameters<typeof store.compareAndSet>) => {
        // Of leases nothing is left.
        if (args[1].value.startsWith('{')) written.push(args[1].value);
        return store.compareAndSet(...args);
      },
    },
  };
}

describe('a summarising model that cannot be reached', () => {
  it('is tried once more, then the prompt goes out as it was', async () => {
    const { written, store } = spyStore();
    const { inner, summarizer, events, model } = setUp(
      { store },
      { summarizer: failing(apiError(503)) },
    );
    await generateText({ model, messages });
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(lastPrompt(inner)).toHaveLength(19);
    expect(summaryOf(lastPrompt(inner))).toBeUndefined();
    expect(events.filter(({ type }) => type === 'failed')).toEqual([
      expect.objectContaining({ stage: 'summarize', reason: 'transport' }),
    ]);
    expect(written).toEqual([]);
  });

  it('becomes an error of ours, which the SDK does not retry, when asked', async () => {
    const { inner, summarizer, model } = setUp(
      { abortOnFailure: true },
      { summarizer: failing(apiError(503)) },
    );
    const error: unknown = await generateText({ model, messages }).catch(
      (reason: unknown) => reason,
    );
    expect(SummarizationError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ reason: 'transport', retryable: true });
    expect(summarizer.doGenerateCalls).toHaveLength(2);
    expect(inner.doGenerateCalls).toHaveLength(0);
  });

  it('costs no more attempts when the SDK retries the main model', async () => {
    let calls = 0;
    const inner = new MockLanguageModelV4({
      provider: 'openai.responses',
      doGenerate: async () => {
        calls += 1;
        if (calls < 3) throw apiError(429);
        return textResult('Here I am.');
      },
    });
    const { summarizer, model } = setUp({}, { inner, summarizer: failing(apiError(503)) });
    expect((await generateText({ model, messages })).text).toBe('Here I am.');
    expect(summarizer.doGenerateCalls).toHaveLength(2);
  });

  it('is replaced by the fallback strategy, and the record says so', async () => {
    const fallbackStrategy: SummaryStrategy = {
      name: 'by-hand',
      summarize: async () => ({
        content: JSON.parse(answer({ summary: 'Written by hand.' })),
        usage: { inputTokens: 0, outputTokens: 0 },
      }),
    };
    const { inner, events, model } = setUp(
      { fallbackStrategy },
      { summarizer: failing(apiError(401, false)) },
    );
    await generateText({ model, messages });
    expect(summaryOf(lastPrompt(inner))).toContain('Written by hand.');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'fallback', from: 'llm', to: 'by-hand' }),
    );
    expect(events).toContainEqual(expect.objectContaining({ type: 'applied', degraded: true }));
  });
});

describe('an unusable summary', () => {
  const long = answer({ summary: 'blah '.repeat(2000) });
  it.each([
    ['malformed JSON', textResult('{"summary": "They'), 'invalid-output'],
    ['an empty summary', textResult(answer({ summary: '  ' })), 'invalid-output'],
    [
      'an answer that was cut off in its narrative',
      textResult(answer().slice(0, 20), { unified: 'length', raw: 'length' }),
      'invalid-output',
    ],
    [
      'a filtered answer',
      textResult(answer(), { unified: 'content-filter', raw: 'filter' }),
      'invalid-output',
    ],
    ['a summary longer than its source', textResult(long), 'not-smaller'],
  ])('is rejected without a second call: %s', async (_name, result, reason) => {
    const { written, store } = spyStore();
    const summarizer = new MockLanguageModelV4({
      modelId: 'summarizer',
      doGenerate: async () => result,
    });
    const { inner, events, model } = setUp({ store }, { summarizer });
    await generateText({ model, messages });
    await generateText({ model, messages });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(written).toEqual([]);
    expect(lastPrompt(inner)).toHaveLength(19);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', reason }));
  });
});

describe('retries of the main model', () => {
  it('cost one summary', async () => {
    let calls = 0;
    const inner = new MockLanguageModelV4({
      provider: 'openai.responses',
      doGenerate: async () => {
        calls += 1;
        if (calls < 3) throw apiError(429);
        return textResult('Here I am.');
      },
    });
    const { summarizer, model } = setUp({}, { inner });
    await generateText({ model, messages });
    expect(inner.doGenerateCalls).toHaveLength(3);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
  });
});

describe('an abort during the summary', () => {
  it('rejects at once with the reason, and the summary is there for the next call', async () => {
    const { written, store } = spyStore();
    const controller = new AbortController();
    const released = Promise.withResolvers<void>();
    const summarizer = new MockLanguageModelV4({
      modelId: 'summarizer',
      doGenerate: async ({ abortSignal }) => {
        controller.abort(new Error('The user left.'));
        expect(abortSignal?.aborted).toBe(false);
        await released.promise;
        return textResult(answer());
      },
    });
    const { inner, model } = setUp({ store }, { summarizer });
    await expect(generateText({ model, messages, abortSignal: controller.signal })).rejects.toThrow(
      'The user left.',
    );
    expect(inner.doGenerateCalls).toHaveLength(0);
    expect(written).toEqual([]);
    released.resolve();
    await generateText({ model, messages });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
  });

  it('does not disturb another request that waits for the same summary', async () => {
    const controller = new AbortController();
    let finish: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const summarizer = new MockLanguageModelV4({
      modelId: 'summarizer',
      doGenerate: async () => {
        await released;
        return textResult(answer());
      },
    });
    const { inner, model } = setUp({}, { summarizer });
    const leaves = generateText({ model, messages, abortSignal: controller.signal });
    const stays = generateText({ model, messages });
    await until(() => summarizer.doGenerateCalls.length > 0);
    controller.abort(new Error('The user left.'));
    await expect(leaves).rejects.toThrow('The user left.');
    finish();
    await stays;
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
  });
});

describe('faults of what the middleware is given', () => {
  const broken = async (): Promise<never> => {
    throw new Error('Down.');
  };
  const never = async (): Promise<never> => new Promise(() => {});
  it.each([
    ['a store that fails', { store: { get: broken, compareAndSet: broken, delete: broken } }],
    ['a store that never answers', { store: { get: never, compareAndSet: never, delete: never } }],
    [
      'a store full of nonsense',
      { store: { ...memoryStore(), get: async () => '{"record":{"version":7}}' } },
    ],
    [
      'a pin function that throws',
      {
        pin: () => {
          throw new Error('Down.');
        },
      },
    ],
    [
      'a listener that throws',
      {
        onEvent: () => {
          throw new Error('Down.');
        },
      },
    ],
  ])('cost nothing but the summary: %s', async (_name, options) => {
    const { inner, summarizer, model } = setUp(options);
    expect((await generateText({ model, messages })).text).toBe('Understood.');
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
  });

  // A rejection that nobody waits for fails the run, as it ends a process.
  const later: SummarizationOptions = { pin: untyped(broken), priority: untyped(broken) };
  it('cost no summary where pin and priority answer later, which is told once', async () => {
    for (const strategy of ['llm', 'rule-based'] as const) {
      const { inner, events, model } = setUp({ ...later, strategy });
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

  it.each<[string, () => unknown]>([
    ['later', broken],
    ['as a text', () => '1000'],
    ['as no number', () => Number.NaN],
    ['as infinity', () => Infinity],
  ])('leave the length to the table when a function gives it %s', async (_name, contextLength) => {
    const { inner, events, model } = setUp({ contextLength: untyped(contextLength) });
    await generateText({ model, messages });
    expect(lastPrompt(inner)).toHaveLength(19);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'check', contextLength: 128_000 }),
    );
  });

  it('leave the call as it was when a context length function throws', async () => {
    const { inner, events, model } = setUp({
      contextLength: () => {
        throw new Error('Down.');
      },
    });
    await generateText({ model, messages });
    expect(lastPrompt(inner)).toHaveLength(19);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', stage: 'prepare' }));
  });
});

describe('wrong per-call options', () => {
  it.each([
    ['force', 'yes', 'a boolean'],
    ['conversationId', 7, 'a string'],
    ['namespace', null, 'a string'],
    ['pin', ['x'], 'integers'],
    [
      'forced',
      true,
      'one of these names: namespace, conversationId, force, instructions, enabled, pin',
    ],
  ])('are refused with name, value and what is allowed: %s', async (name, value, allowed) => {
    const { model } = setUp();
    const call = generateText({
      model,
      messages: [user('Hello.')],
      providerOptions: { summarization: { [name]: value } },
    });
    await expect(call).rejects.toThrow(
      new RegExp(`providerOptions\\.summarization\\.${name}.*${allowed}`),
    );
  });

  it.each([[false], [true], ['off'], [[]]])('are refused where they are %j', async (given) => {
    const { model } = setUp();
    const providerOptions = untyped<NonNullable<CallOptions['providerOptions']>>({
      summarization: given,
    });
    await expect(
      generateText({ model, messages: [user('Hello.')], providerOptions }),
    ).rejects.toThrow(
      /providerOptions\.summarization: got .*, allowed is an object with namespace/,
    );
  });
});

describe('a stream', () => {
  it('carries an error of the middleware as its error part', async () => {
    const { model } = setUp(
      { abortOnFailure: true },
      { summarizer: failing(apiError(401, false)) },
    );
    const history: ModelMessage[] = [...messages, assistant('a'), user('b')];
    const errors: unknown[] = [];
    const result = streamText({
      model,
      messages: history,
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    await result.consumeStream();
    expect(errors.map((error) => SummarizationError.isInstance(error))).toEqual([true]);
  });
});

describe('a summarising model that is wrapped itself', () => {
  it('does not summarise its own request', async () => {
    const outer = setUp({}, { summarizer: summarizerModel(answer()), inner: chatModel() });
    const { model } = setUp(
      {
        summarizerModelPreference: setUp(
          { contextLength: 1500 },
          { inner: summarizerModel(answer({ summary: 'Once.' })) },
        ).model,
      },
      outer,
    );
    await generateText({ model, messages });
    expect(summaryOf(lastPrompt(outer.inner))).toContain('Once.');
  });
});

describe('the debug log', () => {
  it('tells of a summary, and of an unusable answer with its beginning', async () => {
    const lines: string[] = [];
    const debug = (line: string): void => void lines.push(line);
    await generateText({ model: setUp({ debug }).model, messages });
    const broken = summarizerModel('Sure! \u0000 Here\nis the summary.');
    await generateText({ model: setUp({ debug }, { summarizer: broken }).model, messages });
    expect(lines).toEqual([
      expect.stringMatching(/depth=0 compressedMessages=\d+ ratioBefore=0\.\d+ estimateAfter=\d+/),
      expect.stringContaining('The summary is the only system message of a prompt'),
      expect.stringMatching(
        /model=openai.responses:summarizer outcome=invalid-output .*"Sure! Here is the summary\."/,
      ),
    ]);
  });

  it('holds no word of the SDK about the deprecated function that writes the summaries', async () => {
    const warnings: unknown[] = [];
    const silence = globalThis.AI_SDK_LOG_WARNINGS;
    globalThis.AI_SDK_LOG_WARNINGS = (options) => void warnings.push(options);
    try {
      const { summarizer, model } = setUp();
      await generateText({ model, messages });
      expect(summarizer.doGenerateCalls).toHaveLength(1);
    } finally {
      globalThis.AI_SDK_LOG_WARNINGS = silence;
    }
    expect(warnings).toEqual([]);
  });
});
