import type { SharedV4Warning } from '@ai-sdk/provider';
import {
  generateObject,
  generateText,
  jsonSchema,
  simulateReadableStream,
  streamObject,
  streamText,
  wrapLanguageModel,
  type LanguageModel,
} from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  memoryStore,
  summarizationMiddleware,
  type SummarizationOptions,
  type SummaryStore,
} from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { apiError, refusingModel } from '../retry/refusing-model.ts';
import { chatModel, textParts, textResult } from '../support/models.ts';
import { promptsOf } from '../support/prompts.ts';
import { untyped } from '../support/untyped.ts';

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

  it.each(['generateText', 'streamText', 'generateObject', 'streamObject'])(
    'is written to the warning log of the SDK by %s',
    async (name) => {
      const logged: unknown[] = [];
      Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: (entry: unknown) => logged.push(entry) });
      const inner = unknownModel('{}');
      await calls[name]?.(wrap(inner));
      expect(logged).toContainEqual({
        warnings: [{ type: 'other', message: expect.stringContaining(inner.modelId) }],
        provider: 'private',
        model: inner.modelId,
      });
    },
  );

  it('is told beside the warnings of the provider', async () => {
    const inner = unknownModel();
    const own: SharedV4Warning = { type: 'unsupported', feature: 'seed' };
    inner.doGenerate = async () => ({ ...textResult('Here.'), warnings: [own] });
    const { warnings } = await generateText({ model: wrap(inner), messages });
    expect(warnings).toEqual([own, { type: 'other', message: expect.any(String) }]);
  });

  it('is told by a provider that leaves its own warnings out', async () => {
    const inner = unknownModel();
    inner.doGenerate = async () =>
      untyped({ ...textResult('Here.'), warnings: undefined, providerMetadata: undefined });
    expect(await calls['generateText']?.(wrap(inner))).toHaveLength(1);
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

  it('is a name in a template that nobody knows', async () => {
    const inner = chatModel({ modelId: 'gpt-5-mini' });
    const prompts = { summary: 'In {tongue}: {content}' };
    const found = textsOf((await calls['generateText']?.(wrap(inner, { prompts }))) ?? []);
    expect(found).toEqual([expect.stringContaining('tongue')]);
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
