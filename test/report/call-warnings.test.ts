import { APICallError, type SharedV4Warning } from '@ai-sdk/provider';
import {
  generateObject,
  generateText,
  jsonSchema,
  type LanguageModel,
  simulateReadableStream,
  streamObject,
  streamText,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  llmStrategy,
  memoryStore,
  summarizationMiddleware,
  type SummarizationOptions,
  type SummaryStore,
} from '../../src/index.ts';
import { refusingModel } from '../retry/refusing-model.ts';
import { chat } from '../support/messages.ts';
import {
  answer,
  apiError,
  chatModel,
  summarizerModel,
  textParts,
  textResult,
} from '../support/models.ts';
import { lastPrompt, promptsOf, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const messages = chat(9);

let names = 0;

/** A model nobody knows and nobody was warned of: what a process has said once it does not say again. */
function unknownModel(text = 'Understood.'): MockLanguageModelV4 {
  names += 1;
  return chatModel({ provider: 'private', modelId: `model-${names}`, text });
}

function wrap(model: MockLanguageModelV4, options: SummarizationOptions = {}) {
  return wrapLanguageModel({ model, middleware: summarizationMiddleware(options) });
}

/** Each way to call a model, and the warnings that its caller sees. */
const calls: Record<string, (model: LanguageModel) => Promise<readonly SharedV4Warning[]>> = {
  generateText: async (model) => (await generateText({ model, messages })).warnings ?? [],
  streamText: async (model) => {
    const result = streamText({ model, messages });
    await result.consumeStream();
    return (await result.warnings) ?? [];
  },
  generateObject: async (model) =>
    (await generateObject({ model, messages, schema })).warnings ?? [],
  streamObject: async (model) => {
    const result = streamObject({ model, messages, schema });
    await partsOf(result.partialObjectStream);
    return (await result.warnings) ?? [];
  },
};
const schema = jsonSchema<object>({ type: 'object' });

const textsOf = (warnings: readonly SharedV4Warning[]): string[] =>
  warnings.map((warning) => ('message' in warning ? warning.message : warning.type));

async function partsOf<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** A store of the caller's own. */
function customStore(): SummaryStore {
  const { get, compareAndSet, delete: remove } = memoryStore();
  return { get, compareAndSet, delete: remove };
}

function local(store: SummaryStore): SummaryStore {
  return { ...store, isLocal: true };
}

describe('a set-up that is to be mended', () => {
  it.each(Object.keys(calls))('is named in the warnings of %s, once', async (name) => {
    const inner = unknownModel('{}');
    const model = wrap(inner);
    const expected = `ai-sdk-summarization: The context length of private:${inner.modelId} is not known; 128000 is assumed. Set contextLength.`;
    expect(textsOf((await calls[name]?.(model)) ?? [])).toEqual([expected]);
    expect(await calls[name]?.(model)).toEqual([]);
    expect(await calls[name]?.(wrap(inner))).toEqual([]);
  });

  it('is told beside the warnings of the provider', async () => {
    const inner = unknownModel();
    const own: SharedV4Warning = { type: 'unsupported', feature: 'seed' };
    inner.doGenerate = async () => ({ ...textResult('Here.'), warnings: [own] });
    const { warnings } = await generateText({ model: wrap(inner), messages });
    expect(warnings).toEqual([own, { type: 'other', message: expect.any(String) }]);
  });

  it('waits for the first answer when calls fail, or streams do not say that they start', async () => {
    const inner = unknownModel();
    const { doGenerate } = inner;
    inner.doGenerate = async () => {
      throw new Error('The server is down.');
    };
    inner.doStream = async () => ({
      stream: simulateReadableStream({ chunks: textParts('Here.').slice(1) }),
    });
    const model = wrap(inner);
    await expect(generateText({ model, messages, maxRetries: 0 })).rejects.toThrow('down');
    expect(await calls['streamText']?.(model)).toEqual([]);
    inner.doGenerate = doGenerate;
    expect(await calls['generateText']?.(model)).toHaveLength(1);
  });

  it.each(['generateText', 'streamText'])(
    'is told with the answer to a second attempt of %s',
    async (name) => {
      names += 1;
      const throws = apiError("This model's maximum context length is 200 tokens.");
      const inner = refusingModel({ throws });
      Object.assign(inner, { provider: 'private', modelId: `model-${names}` });
      const model = wrap(inner, { strategy: 'none' });
      const [first] = textsOf((await calls[name]?.(model)) ?? []);
      expect(first).toContain('is not known');
      expect(promptsOf(inner)).toHaveLength(2);
    },
  );

  it('is told with one of the answers of calls that overlap', async () => {
    const model = wrap(unknownModel());
    const answers = await Promise.all(
      ['streamText', 'generateText', 'streamText'].map(async (name) => calls[name]?.(model)),
    );
    expect(answers.flat()).toHaveLength(1);
  });

  it('is a store of the caller without a secret, told once for the process', async () => {
    // A process that has said nothing yet.
    vi.resetModules();
    const { summarizationMiddleware: middlewareOf } = await import('../../src/index.ts');
    const wrapped = (modelId: string): LanguageModel =>
      wrapLanguageModel({
        model: chatModel({ modelId }),
        middleware: middlewareOf({ store: customStore() }),
      });
    expect(textsOf((await calls['streamText']?.(wrapped('gpt-5-mini'))) ?? [])).toEqual([
      expect.stringMatching(/without a secret.*Set secret\.$/),
    ]);
    expect(await calls['generateText']?.(wrapped('gpt-5-nano'))).toEqual([]);
  });

  it.each([
    ['a store of the caller', () => customStore(), 1],
    ['one that declares that it lives in this process', () => local(customStore()), 0],
    ['the store of the package', () => memoryStore(), 0],
  ])('needs a secret, or does not: %s', async (_name, makeStore, warnings) => {
    const codes: string[] = [];
    const onEvent: SummarizationOptions['onEvent'] = (event) => {
      if (event.type === 'warning') codes.push(event.code);
    };
    const model = wrap(chatModel({ modelId: 'gpt-5-mini' }), { store: makeStore(), onEvent });
    await calls['generateText']?.(model);
    expect(codes).toEqual(Array(warnings).fill('store-without-secret'));
  });

  it('changes nothing of a call whose set-up is right', async () => {
    const inner = chatModel({ modelId: 'gpt-5-mini' });
    const own: SharedV4Warning[] = [{ type: 'unsupported', feature: 'seed' }];
    const chunks = textParts('Here.').map((part) =>
      part.type === 'stream-start' ? { ...part, warnings: own } : part,
    );
    inner.doGenerate = async () => ({ ...textResult('Here.'), warnings: own });
    inner.doStream = async () => ({ stream: simulateReadableStream({ chunks }) });
    const model = wrap(inner, { store: customStore(), secret: 'a secret of enough characters' });
    const prompt = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello.' }] },
    ];
    expect((await model.doGenerate({ prompt })).warnings).toBe(own);
    const parts = await partsOf((await model.doStream({ prompt })).stream);
    expect(parts.slice(0, -1)).toEqual(chunks.slice(0, -1));
    for (const [index, part] of parts.slice(0, -1).entries()) expect(part).toBe(chunks[index]);
  });
});

afterEach(() => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
});

const history = chat(19);

/** A summarising model that refuses every call. */
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
  return new APICallError({
    message: 'You asked about river 3. The key is wrong.',
    url: 'https://api.example.com',
    requestBodyValues: {},
    statusCode: 401,
    responseBody: '{"error":"river 3"}',
  });
}

/** The warnings of a call that has to be summarised. */
async function warningsWith(options: SummarizationOptions): Promise<readonly string[]> {
  const { inner, model } = setUp(options);
  const { warnings } = await generateText({ model, instructions: 'Be brief.', messages: history });
  expect(summaryOf(lastPrompt(inner))).toBeDefined();
  return warnings?.map((warning) => ('message' in warning ? warning.message : '')) ?? [];
}

describe('a summarising model that is given as an object', () => {
  it('is named in the warnings of the call when it fails, once a process, without any text', async () => {
    const options = { summarizerModelPreference: refusing('one', unauthorised()) };
    const [warning, ...others] = await warningsWith(options);
    expect(warning).toContain('The summarising model vendor:one could not be used (HTTP 401)');
    expect(warning).not.toContain('river');
    expect(others).toEqual([]);
    expect(await warningsWith(options)).toEqual([]);
  });

  it('is named by the class of its error where there is no status', async () => {
    const error = Object.assign(new TypeError('river 3'), { code: 'ENOTFOUND' });
    const [warning] = await warningsWith({ summarizerModelPreference: refusing('two', error) });
    expect(warning).toContain('vendor:two could not be used (TypeError ENOTFOUND)');
  });

  it('is named when another one wrote the summary in its place', async () => {
    const summarizerModelPreference = [
      refusing('three', unauthorised()),
      summarizerModel(answer({ summary: 'They spoke of rivers.' })),
    ];
    const warnings = await warningsWith({ summarizerModelPreference });
    expect(warnings).toMatchObject([expect.stringContaining('vendor:three')]);
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

beforeEach(() => {
  for (const name of ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN']) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a summarising model that is given as a string', () => {
  it.each<[string, string, SummarizationOptions]>([
    ['as an option', 'vendor/one', { summarizerModelPreference: 'vendor/one' }],
    ['of a strategy', 'vendor/two', { strategy: llmStrategy({ models: ['vendor/two'] }) }],
  ])('is said to go through the gateway when it fails, %s', async (_, id, options) => {
    const [warning, ...others] = await warningsWith(options);
    expect(warning).toContain(`The summarising model gateway:${id} could not be used`);
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
