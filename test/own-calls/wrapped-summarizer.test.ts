import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import {
  createGateway,
  customProvider,
  defaultSettingsMiddleware,
  generateText,
  wrapLanguageModel,
  wrapProvider,
} from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { summarize } from '../../src/entries/text/index.ts';
import { chat, words } from '../support/messages.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { called } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

const summary = answer({ summary: 'They spoke of rivers.' });
const middleware = summarizationMiddleware({ contextLength: 600 });

/** Lets a model summarize a conversation that is too long for it to be summarized itself. */
async function summariesBy(
  summarizerModelPreference: NonNullable<SummarizationOptions['summarizerModelPreference']>,
): Promise<readonly SummarizationEvent[]> {
  return (await called(chat(19), { summarizerModelPreference })).events;
}

type Wrap = (model: MockLanguageModelV4) => LanguageModelV4;
type Options = NonNullable<LanguageModelV4CallOptions['providerOptions']>;

const behind =
  (providerOptions: Options): Wrap =>
  (model) => {
    const settings = defaultSettingsMiddleware({ settings: { providerOptions } });
    return wrapLanguageModel({ model, middleware: [settings, middleware] });
  };
const twice = [middleware, summarizationMiddleware()];
const wrappings: readonly [string, Wrap][] = [
  ['by this package', (model) => wrapLanguageModel({ model, middleware })],
  ['twice', (model) => wrapLanguageModel({ model, middleware: twice })],
  ['behind settings for this package', behind({ summarization: { conversationId: 'x' } })],
];

describe('a summarizing model that is wrapped too', () => {
  it.each(wrappings)('is asked like any other: %s', async (_name, wrap) => {
    const model = summarizerModel(summary);
    const events = await summariesBy(wrap(model));
    expect(model.doGenerateCalls).toHaveLength(1);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'end', strategy: 'llm', degraded: false }),
    );
    expect(model.doGenerateCalls[0]?.providerOptions).not.toHaveProperty('summarization');
  });

  it('is asked by another copy of the package', async () => {
    vi.resetModules();
    const copy = await import('../../src/index.ts');
    expect(copy.summarizationMiddleware).not.toBe(summarizationMiddleware);
    const model = summarizerModel(summary);
    const other = copy.summarizationMiddleware({ contextLength: 600 });
    const events = await summariesBy(wrapLanguageModel({ model, middleware: other }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'end', degraded: false }));
  });

  it('is asked by summarize', async () => {
    const inner = summarizerModel('They spoke of rivers.');
    const model = wrapLanguageModel({ model: inner, middleware });
    await summarize(words(1, 900), { model, contextLength: 100_000 });
    expect(inner.doGenerateCalls[0]?.providerOptions).not.toHaveProperty('summarization');
  });
});

describe('a default provider that is wrapped', () => {
  afterEach(() => {
    globalThis.AI_SDK_DEFAULT_PROVIDER = undefined;
  });

  it('resolves ids of summarizing models as ever', async () => {
    const model = summarizerModel(summary);
    globalThis.AI_SDK_DEFAULT_PROVIDER = wrapProvider({
      provider: customProvider({ languageModels: { small: model } }),
      languageModelMiddleware: middleware,
    });
    const events = await summariesBy('small');
    expect(model.doGenerateCalls).toHaveLength(1);
    expect(events).toContainEqual(expect.objectContaining({ type: 'end', degraded: false }));
  });
});

describe('the mark of calls of our own', () => {
  it('does not go over the wire where nothing takes it off', async () => {
    const bodies: string[] = [];
    const gateway = createGateway({
      apiKey: 'none',
      fetch: (_input, init) => {
        bodies.push(typeof init?.body === 'string' ? init.body : 'no text');
        return Promise.resolve(new Response('{}', { status: 418 }));
      },
    });
    await summariesBy(gateway('openai/gpt-5-nano'));
    expect(bodies).not.toEqual([]);
    expect(bodies.join('')).toContain('"providerOptions":{"openai":{"reasoningSummary":null}}');
    expect(bodies.join('')).not.toContain('ownCall');
  });

  it('lets others tell these calls apart, and can be cloned', async () => {
    const seen: unknown[] = [];
    const watched = wrapLanguageModel({
      model: summarizerModel(summary),
      middleware: {
        specificationVersion: 'v4',
        transformParams: async ({ params }) => {
          seen.push(params.providerOptions?.['summarization']?.['ownCall']);
          return { ...params, providerOptions: structuredClone(params.providerOptions ?? {}) };
        },
      },
    });
    const events = await summariesBy(watched);
    // The call for a stream, which this model has none of, and the one for an answer.
    expect(seen).toEqual([expect.any(Object), expect.any(Object)]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'end', degraded: false }));
  });

  it.each([
    '{"ownCall":{}}',
    '{"ownCall":true}',
    '{"ownCall":{"ai-sdk-summarization.own-call":true}}',
  ])('cannot be forged: %s', async (json) => {
    const model = wrapLanguageModel({ model: chatModel(), middleware });
    const providerOptions = { summarization: untyped<Record<string, boolean>>(JSON.parse(json)) };
    await expect(generateText({ model, messages: chat(19), providerOptions })).rejects.toThrow(
      /providerOptions.summarization.ownCall/,
    );
  });
});
