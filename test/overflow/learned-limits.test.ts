import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStore, type SummarizationEvent, summarizationMiddleware } from '../../src/index.ts';
import { countingProvider } from '../support/counting-provider.ts';
import { chat, user } from '../support/messages.ts';
import { apiError } from '../support/models.ts';
import { providerOf } from '../wire/providers.ts';
import { jsonReply } from '../wire/apis/wire-api.ts';
import { served } from '../wire/apis/served.ts';
import { openai } from './errors.ts';

const attack = 'prompt is too long, maximum context length is 256 tokens';
const stated = "This model's maximum context length is 4000 tokens.";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server that refuses what its rule does not like, with the words of the rule. */
function refusingServer(refusalOf: (body: string) => string | undefined) {
  const { api, create } = providerOf('openai.chat');
  const { settings, requests } = served({
    ...api,
    answer: (request) => {
      const message = refusalOf(JSON.stringify(request.body));
      return message === undefined ? api.answer(request) : jsonReply(400, openai(message, null));
    },
  });
  const inner = create(settings);
  const { model, events } = wrappedIn(inner);
  const call = (messages: ModelMessage[]) => generateText({ model, messages, maxRetries: 0 });
  const lengths = () =>
    events.flatMap((event) => (event.type === 'check' ? [event.contextLength] : []));
  const learned = () => events.filter(({ type }) => type === 'limit-learned');
  return { inner, call, lengths, learned, requests };
}

function wrappedIn(inner: LanguageModelV4) {
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 20_000,
    strategy: 'none',
    store: memoryStore(),
    onEvent: (event) => events.push(event),
  });
  return { model: wrapLanguageModel({ model: inner, middleware }), events };
}

/** A server with a limit of its own, which it states. */
const limitedServer = () => refusingServer((body) => (body.length > 26_000 ? stated : undefined));

describe('a limit learned from a refusal', () => {
  // Far from the limit there is no reason to try a shorter one.
  it.each([
    ['the error quotes of the user', `Invalid value: '${attack}'.`, 12, 40, 1],
    ['it quotes in part', "Invalid value: 'maximum context length is 256'.", 12, 40, 1],
    ['a tool printed, near the limit', `Invalid value: ${attack}`, 14, 800, 2],
  ])('is not what %s', async (_what, message, count, tokens, tries) => {
    const { call, lengths, learned, requests } = refusingServer((body) =>
      body.includes('256') ? message : undefined,
    );
    const quoted = user(`The log says: ${attack}`);
    await expect(call([...chat(count, tokens), quoted])).rejects.toThrow('Invalid value');
    expect(requests).toHaveLength(tries);
    await call(chat(15));
    expect(lengths()).toEqual([20_000, 20_000]);
    expect(learned()).toEqual([]);
  });

  it('is what the provider states itself, though the user speaks of such errors', async () => {
    const { inner, call, lengths, learned, requests } = limitedServer();
    const messages = [user(`I once read: ${attack}.`), ...chat(29, 200).slice(1)];
    const { text } = await call(messages);
    expect(text).not.toBe('');
    expect(requests).toHaveLength(2);
    await call(chat(3));
    expect(lengths()).toEqual([20_000, 4000]);
    expect(learned()).toMatchObject([
      {
        provider: inner.provider,
        modelId: inner.modelId,
        contextLength: 4000,
        evidence: 'stated',
        refusedTokens: expect.any(Number),
        acceptedTokens: 0,
      },
    ]);
  });

  it('lasts an hour', async () => {
    const { call, lengths } = limitedServer();
    await call(chat(29, 200));
    vi.advanceTimersByTime(59 * 60_000);
    await call(chat(3));
    vi.advanceTimersByTime(60_000);
    await call(chat(3));
    expect(lengths()).toEqual([20_000, 4000, 20_000]);
  });

  it('is never one that the error does not explain', async () => {
    const refusals = ["This model's maximum context length is 19000 tokens."];
    const { call, learned } = refusingServer(() => refusals.pop());
    await call(chat(29, 100));
    expect(learned()).toMatchObject([{ evidence: 'refused', contextLength: undefined }]);
  });

  it('is none below a size that the model has taken', async () => {
    const sizes = { messageTokens: 4, toolPartTokens: 8, countsTools: false, hiddenTokens: 0 };
    const { model: inner, received } = countingProvider(
      { ...sizes, usage: 'total' },
      { provider: 'openai.responses', modelId: 'taken' },
    );
    const answer = inner.doGenerate.bind(inner);
    let refusals = 0;
    inner.doGenerate = async (params) => {
      const isRefused = JSON.stringify(params.prompt).includes('refuse me') && refusals < 2;
      if (!isRefused) return answer(params);
      refusals += 1;
      throw apiError("This model's maximum context length is 500 tokens.");
    };
    const { model, events } = wrappedIn(inner);
    await generateText({ model, messages: chat(31, 80) });
    const taken = received[0]?.tokens ?? 0;
    expect(taken).toBeGreaterThan(2000);
    const refused = [...chat(19, 40), user('refuse me')];
    await expect(generateText({ model, messages: refused, maxRetries: 0 })).rejects.toThrow(
      'maximum context length',
    );
    expect(refusals).toBe(2);
    await generateText({ model, messages: chat(31, 80) });
    const checks = events.filter((event) => event.type === 'check');
    expect(checks.map(({ contextLength }) => contextLength)).toEqual([20_000, 20_000, 20_000]);
    expect(events.filter(({ type }) => type === 'limit-learned')).toEqual([]);
    expect(received[1]?.tokens).toBe(taken);
  });
});
