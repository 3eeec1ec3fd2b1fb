import type { APICallError, SharedV4Warning } from '@ai-sdk/provider';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  llmStrategy,
  memoryStore,
  summarizationMiddleware,
  type SummarizationOptions,
  type SummaryStore,
} from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { answer, apiError, chatModel, summarizerModel, textResult } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const messages = chat(9);

let names = 0;

/** A model nobody knows and nobody was warned of: what a process has said once it does not say again. */
function unknownModel(): MockLanguageModelV4 {
  names += 1;
  return chatModel({ provider: 'private', modelId: `model-${names}` });
}

function wrap(model: MockLanguageModelV4, options: SummarizationOptions = {}) {
  return wrapLanguageModel({ model, middleware: summarizationMiddleware(options) });
}

/** What the log of the SDK is told, where it is a function. */
let logged: string[] = [];

beforeEach(() => {
  logged = [];
  const log = ({ warnings }: { readonly warnings: readonly SharedV4Warning[] }): void => {
    for (const warning of warnings)
      if ('message' in warning && warning.message.startsWith('ai-sdk-summarization: '))
        logged.push(warning.message);
  };
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: log });
  for (const name of ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN']) vi.stubEnv(name, undefined);
});
afterEach(() => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  vi.unstubAllEnvs();
});

/** A store of the caller's own. */
function customStore(): SummaryStore {
  const { get, compareAndSet, delete: remove } = memoryStore();
  return { get, compareAndSet, delete: remove };
}

function local(store: SummaryStore): SummaryStore {
  return { ...store, isLocal: true };
}

describe('a set-up that is to be mended', () => {
  it('is named in the log of the SDK, once a process, and in no answer', async () => {
    const inner = unknownModel();
    const told: unknown[] = [];
    const onEvent: SummarizationOptions['onEvent'] = (event) =>
      void (event.type === 'warning' && told.push(event));
    for (const model of [wrap(inner), wrap(inner, { onEvent })]) {
      expect((await generateText({ model, messages })).warnings).toEqual([]);
      const streamed = streamText({ model, messages });
      await streamed.consumeStream();
      expect(await streamed.warnings).toEqual([]);
    }
    const message = `The context length of private:${inner.modelId} is not known, so 128000 tokens are assumed. Set contextLength.`;
    expect(logged).toEqual([`ai-sdk-summarization: ${message}`]);
    const { provider, modelId } = inner;
    const code = 'unknown-context-length';
    expect(told).toEqual([{ type: 'warning', code, provider, modelId, message }]);
  });

  it('costs no call whose log throws, and is said on the console only where nothing is said of a log', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const throwing = (): void => {
      throw new Error('The disk is full.');
    };
    for (const log of [throwing, false, undefined]) {
      Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: log });
      const { text } = await generateText({ model: wrap(unknownModel()), messages });
      expect(text).toBe('Understood.');
    }
    const text = expect.stringMatching(/^ai-sdk-summarization: The context length of private:/);
    expect(warn.mock.calls).toEqual([[text]]);
    warn.mockRestore();
  });

  it('is a store of the caller without a secret, told once for the process', async () => {
    // A process that has said nothing yet.
    vi.resetModules();
    const { summarizationMiddleware: middlewareOf } = await import('../../src/index.ts');
    const told: string[] = [];
    const onEvent: SummarizationOptions['onEvent'] = (event) => {
      if (event.type === 'warning') told.push(event.modelId);
    };
    const middleware = middlewareOf({ store: customStore(), onEvent });
    for (const modelId of ['gpt-5-mini', 'gpt-5-nano', 'gpt-5-mini']) {
      const model = wrapLanguageModel({ model: chatModel({ modelId }), middleware });
      await generateText({ model, messages });
    }
    // An event says of which model; the log is of the process.
    expect(told).toEqual(['gpt-5-mini', 'gpt-5-nano']);
    expect(logged).toEqual([
      expect.stringMatching(/without secret.*Set secret: .*: openssl rand -base64 32$/),
    ]);
  });

  it.each([
    ['one that declares that it lives in this process', () => local(customStore()), 0],
    ['the store of the package', () => memoryStore(), 0],
  ])('needs a secret, or does not: %s', async (_name, makeStore, warnings) => {
    const codes: string[] = [];
    const onEvent: SummarizationOptions['onEvent'] = (event) => {
      if (event.type === 'warning') codes.push(event.code);
    };
    const model = wrap(chatModel({ modelId: 'gpt-5-mini' }), { store: makeStore(), onEvent });
    await generateText({ model, messages });
    expect(codes).toEqual(Array(warnings).fill('store-without-secret'));
  });
});

const history = chat(19);

/** A summarizing model that refuses every call. */
function refusing(modelId: string, error: unknown): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'vendor',
    modelId,
    doGenerate: async () => {
      throw error;
    },
  });
}

function unauthorised(): APICallError {
  return apiError('You asked about river 3. The key is wrong.', 401);
}

/** What the log is told of a call that has to be summarized. */
async function warningsWith(options: SummarizationOptions): Promise<readonly string[]> {
  logged = [];
  const { inner, model } = setUp(options);
  await generateText({ model, instructions: 'Be brief.', messages: history });
  expect(summaryOf(lastPrompt(inner))).toBeDefined();
  return logged;
}

describe('a summarizing model that is given as an object', () => {
  it('is named in the log when it fails, once a process, without any text', async () => {
    const options = { summarizerModelPreference: refusing('one', unauthorised()) };
    const [warning, ...others] = await warningsWith(options);
    expect(warning).toContain('The summarizing model vendor:one could not be used (HTTP 401)');
    expect(warning).not.toContain('river');
    expect(others).toEqual([]);
    expect(await warningsWith(options)).toEqual([]);
  });

  it('is named by the class of its error, also when another one wrote the summary', async () => {
    const error = Object.assign(new TypeError('river 3'), { code: 'ENOTFOUND' });
    const summarizerModelPreference = [
      refusing('two', error),
      summarizerModel(answer({ summary: 'They spoke of rivers.' })),
    ];
    const warnings = await warningsWith({ summarizerModelPreference });
    expect(warnings).toEqual([
      expect.stringContaining('vendor:two could not be used (TypeError ENOTFOUND)'),
    ]);
  });

  it('is named when it answers with something else', async () => {
    const prose = summarizerModel('The river 3 is long.');
    Object.assign(prose, { modelId: 'of-prose' });
    const [warning] = await warningsWith({ summarizerModelPreference: prose });
    expect(warning).toMatch(/openai.responses:of-prose gave no usable summary \([^)]+\)/);
    expect(warning).not.toContain('river');
  });

  it('is not named when it answers the second time', async () => {
    let made = 0;
    const flaky = new MockLanguageModelV4({
      provider: 'vendor',
      modelId: 'four',
      doGenerate: async () => {
        made += 1;
        if (made === 1) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
        return textResult(answer({ summary: 'They spoke of rivers.' }));
      },
    });
    expect(await warningsWith({ summarizerModelPreference: flaky })).toEqual([]);
    expect(made).toBe(2);
  });
});

describe('a summarizing model that is given as a string', () => {
  it.each<[string, string, SummarizationOptions]>([
    ['as an option', 'vendor/one', { summarizerModelPreference: 'vendor/one' }],
    ['of a strategy', 'vendor/two', { strategy: llmStrategy({ models: ['vendor/two'] }) }],
  ])('is said to go through the gateway when it fails, %s', async (_, id, options) => {
    const [warning, ...others] = await warningsWith(options);
    expect(warning).toContain(`The summarizing model gateway:${id} could not be used`);
    expect(warning).toMatch(/Vercel AI Gateway.*AI_GATEWAY_API_KEY.*openai\('gpt-5-nano'\)/);
    expect(others).toEqual([]);
    expect(await warningsWith(options)).toEqual([]);
  });

  it('is not warned of for a prompt that is too long, which is made shorter', async () => {
    const summarizer = new MockLanguageModelV4({
      provider: 'gateway',
      modelId: 'vendor/three',
      doGenerate: async () => {
        throw new Error("This model's maximum context length is 400 tokens.");
      },
    });
    expect(await warningsWith({ summarizerModelPreference: summarizer })).toEqual([]);
  });
});
