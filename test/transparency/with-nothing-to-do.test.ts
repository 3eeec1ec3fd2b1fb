import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarizationMiddleware } from '../../src/index.ts';
import { words } from '../support/messages.ts';
import { textParts, textResult } from '../support/models.ts';
import { turns } from '../support/until.ts';
import { untyped } from '../support/untyped.ts';

/** A model that does as it is told, and what it was given. */
function modelThat(does: { readonly generate?: () => unknown; readonly stream?: () => unknown }): {
  readonly model: LanguageModelV4;
  readonly given: LanguageModelV4CallOptions[];
} {
  const given: LanguageModelV4CallOptions[] = [];
  const take =
    (answer: () => unknown) =>
    (params: LanguageModelV4CallOptions): unknown => {
      given.push(params);
      return answer();
    };
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'openai.responses',
    modelId: 'gpt-test',
    supportedUrls: { 'image/*': [/^https:/] },
    doGenerate: untyped(take(does.generate ?? (() => Promise.resolve(textResult('Yes.'))))),
    doStream: untyped(take(does.stream ?? (() => Promise.resolve({ stream: streamOf([]) })))),
  };
  return { model, given };
}

/** The SDK's own wrapper around nothing, to compare with. */
const nothing: LanguageModelMiddleware = { specificationVersion: 'v4' };

const wrap = (model: LanguageModelV4, middleware: LanguageModelMiddleware): LanguageModelV4 =>
  wrapLanguageModel({ model, middleware });

/** The package, where it has nothing to do. */
const idle: readonly (readonly [string, () => LanguageModelMiddleware])[] = [
  ['below the trigger', () => summarizationMiddleware({ contextLength: 100_000 })],
  ['switched off', () => summarizationMiddleware({ enabled: false })],
  ['with rules as strategy', () => summarizationMiddleware({ strategy: 'rule-based' })],
  [
    'in the background',
    () => summarizationMiddleware({ background: true, contextLength: 100_000 }),
  ],
];

const prompt: LanguageModelV4CallOptions['prompt'] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
];

function streamOf(
  parts: readonly LanguageModelV4StreamPart[],
  highWaterMark = 1,
  seen: { pulls: number; cancelled?: unknown } = { pulls: 0 },
  breakAt?: number,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(
    {
      pull: (controller) => {
        const part = parts[seen.pulls];
        if (seen.pulls === breakAt) controller.error('The connection broke.');
        else if (part === undefined) controller.close();
        else controller.enqueue(part);
        seen.pulls += 1;
      },
      cancel: (reason) => {
        seen.cancelled = reason;
      },
    },
    { highWaterMark },
  );
}

async function outcomeOf(work: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

/** Without what the package adds. */
function withoutOurs<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && 'value' in value)
    return { ...value, value: withoutOurs(value.value) };
  if (typeof value !== 'object' || value === null || !('providerMetadata' in value)) return value;
  const { providerMetadata, ...rest } = value;
  if (typeof providerMetadata !== 'object' || providerMetadata === null) return value;
  const { summarization: ours, ...others } = untyped<Record<string, unknown>>(providerMetadata);
  if (ours === undefined) return value;
  return untyped(Object.keys(others).length > 0 ? { ...rest, providerMetadata: others } : rest);
}

const anything = fc.oneof(fc.constant(undefined), fc.anything({ maxDepth: 2 }));
const fields: fc.Arbitrary<object> = fc
  .tuple(
    fc.dictionary(fc.constantFrom('response', 'request', 'warnings', 'usage', 'later'), anything),
    fc.option(fc.dictionary(fc.constantFrom('openai', 'later'), anything, { minKeys: 1 })),
  )
  .map(([more, metadata]) => ({ ...more, ...(metadata && { providerMetadata: metadata }) }));

describe.each(idle)('a model wrapped %s', (_when, make) => {
  const params: readonly (readonly [string, object])[] = [
    ['nothing more', {}],
    ['undefined fields', { temperature: undefined, tools: undefined, abortSignal: undefined }],
    ['headers', { headers: { 'x-id': '1', 'x-none': undefined } }],
    ['fields of a later SDK', { later: { deep: [1] }, [Symbol('own')]: true }],
    ['options of providers', { providerOptions: { openai: { store: false } } }],
    ['options of providers that are undefined', { providerOptions: undefined }],
    ['a frozen call', Object.freeze({ seed: 7 })],
  ];

  it.each(params)('is given the same call, with %s', async (_what, more) => {
    const call = Object.freeze({ prompt: Object.freeze([...prompt]), ...more });
    const { model, given } = modelThat({});
    const wrapped = wrap(model, make());
    await wrapped.doGenerate(untyped(call));
    await wrapped.doStream(untyped(call));
    expect(given).toHaveLength(2);
    for (const one of given) expect(one).toBe(call);
  });

  it('answers with every field of the result, those that are undefined or unknown too', async () => {
    await fc.assert(
      fc.asyncProperty(fields, fc.boolean(), async (more, isFrozen) => {
        const result = { ...textResult('Yes.'), ...more };
        if (isFrozen) Object.freeze(result);
        const { model } = modelThat({ generate: () => Promise.resolve(result) });
        const answer = await wrap(model, make()).doGenerate({ prompt });
        expect(Object.keys(withoutOurs(answer)).toSorted()).toEqual(
          Object.keys(withoutOurs(result)).toSorted(),
        );
        const changed = Object.entries(result)
          .filter(([key, value]) => !Object.is(Reflect.get(answer, key), value))
          .map(([key]) => key);
        expect(changed.filter((key) => key !== 'providerMetadata')).toEqual([]);
      }),
    );
  });

  const answer = textResult('Yes.');

  it.each([
    undefined,
    null,
    'Yes.',
    { ...answer, content: undefined },
    { ...answer, content: [{ type: 'hologram' }, null] },
    { ...answer, usage: undefined },
    { ...answer, finishReason: undefined },
  ])('passes on what is no answer: %j', async (given) => {
    const valueBy = async (middleware: LanguageModelMiddleware): Promise<unknown> => {
      const { model } = modelThat({ generate: async () => given });
      return outcomeOf(() => wrap(model, middleware).doGenerate({ prompt })).then(withoutOurs);
    };
    expect(await valueBy(make())).toEqual(await valueBy(nothing));
  });

  it.each([new Error('down'), 'down', undefined, null, Object.freeze({})])(
    'fails with the very thing that the model threw: %j',
    async (failure) => {
      const throws = (): never => {
        throw failure;
      };
      for (const fail of [throws, async (): Promise<never> => throws()]) {
        const { model, given } = modelThat({ generate: fail, stream: fail });
        const wrapped = wrap(model, make());
        const generated = await outcomeOf(() => wrapped.doGenerate({ prompt }));
        const streamed = await outcomeOf(() => wrapped.doStream({ prompt }));
        for (const outcome of [generated, streamed]) {
          expect(outcome).toHaveProperty('error');
          expect(untyped<{ error: unknown }>(outcome).error).toBe(failure);
        }
        expect(given).toHaveLength(2);
      }
    },
  );

  it('streams every chunk as it is, unknown ones and those behind the end too', async () => {
    const parts: LanguageModelV4StreamPart[] = [
      ...textParts('One.'),
      untyped({ type: 'hologram', depth: 1 }),
      untyped({ type: 'text-delta', id: '0', delta: undefined }),
      untyped({ type: 'tool-call', toolCallId: '1' }),
      untyped(null),
      { type: 'raw', rawValue: { a: undefined } },
      untyped({ type: 'finish', finishReason: undefined }),
      ...textParts('Two.'),
      { type: 'error', error: 'late' },
    ];
    const own = { request: { body: {} }, response: { headers: { a: 'b' } }, later: undefined };
    const { model } = modelThat({
      stream: () => Promise.resolve({ stream: streamOf(parts), ...own }),
    });
    const { stream, ...rest }: LanguageModelV4StreamResult = await wrap(model, make()).doStream({
      prompt,
    });
    expect(Object.keys(rest)).toEqual(Object.keys(own));
    for (const [key, value] of Object.entries(own)) expect(Reflect.get(rest, key)).toBe(value);
    const chunks: LanguageModelV4StreamPart[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(withoutOurs)).toEqual(parts);
    const changed = parts.filter((part, index) => chunks[index] !== part);
    expect(changed.filter((part) => part?.type !== 'finish')).toEqual([]);
  });
});

/** Where a summary is made and sent, too. */
const summarizing = [
  'that summarizes',
  () => summarizationMiddleware({ contextLength: 1000, strategy: 'rule-based' }),
] as const;

describe.each([...idle, summarizing])('the stream of a model wrapped %s', (_when, make) => {
  const position = fc.option(fc.nat(8), { nil: undefined });
  const long = Array.from({ length: 19 }, (_, index): (typeof prompt)[number] => ({
    role: 'user',
    content: [{ type: 'text', text: `Message ${index}: ${words(index, 40)}` }],
  }));

  it('comes chunk for chunk, pull for pull, with the same end, however it is read (P55)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string(), { maxLength: 3 }),
        fc.record({ mark: fc.nat(3), cancelAfter: position, breakAt: position }),
        async (texts, { mark, cancelAfter = Infinity, breakAt }) => {
          const parts = texts.flatMap((text) => textParts(text));
          const readBy = async (middleware: LanguageModelMiddleware): Promise<unknown> => {
            const seen = { pulls: 0, cancelled: undefined };
            const stream = streamOf(parts, mark, seen, breakAt);
            const { model } = modelThat({ stream: () => Promise.resolve({ stream }) });
            const wrapped = await wrap(model, middleware).doStream({ prompt: long });
            const reader = wrapped.stream.getReader();
            const history: unknown[] = [];
            const end = await outcomeOf(async () => {
              for (let read = 0; read < cancelAfter; read += 1) {
                await turns(3);
                const { done, value } = await reader.read();
                history.push(seen.pulls, withoutOurs(value));
                if (done) return;
              }
              await reader.cancel('enough');
            });
            return { history, end, ...seen };
          };
          expect(await readBy(make())).toEqual(await readBy(nothing));
        },
      ),
    );
  });
});
