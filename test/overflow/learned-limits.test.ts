import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  forgetLearnedLimits,
  memoryStore,
  summarizationMiddleware,
  SummarizationOptionError,
  type SummarizationEvent,
} from '../../src/index.ts';
import { countingProvider } from '../support/counting-provider.ts';
import { chat, user } from '../support/messages.ts';
import { setUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';
import { wireProviders } from '../wire/providers.ts';
import { jsonReply, type WireReply } from '../wire/apis/wire-api.ts';
import { caseHeader, startWireServer } from '../wire/apis/wire-server.ts';
import { apiError } from '../retry/refusing-model.ts';

const attack = 'prompt is too long, maximum context length is 256 tokens';
const badRequest = (message: string): WireReply =>
  jsonReply(400, { error: { message, type: 'invalid_request_error', param: null, code: null } });

/** A server that refuses what its rule does not like, with the words of the rule. */
async function refusingServer(refusalOf: (body: string) => string | undefined) {
  const provider = wireProviders.find(({ name }) => name === 'openai.chat');
  if (provider === undefined) throw new Error('Nothing to test.');
  const { api } = provider;
  const server = await startWireServer({
    ...api,
    answer: (request) => {
      const message = refusalOf(JSON.stringify(request.body));
      return message === undefined ? api.answer(request) : badRequest(message);
    },
  });
  const events: SummarizationEvent[] = [];
  const inner = provider.createModel(server.baseURL);
  const store = memoryStore();
  const model = wrapLanguageModel({
    model: inner,
    middleware: summarizationMiddleware({
      contextLength: 20_000,
      strategy: 'none',
      store,
      onEvent: (event) => events.push(event),
    }),
  });
  const call = (messages: ModelMessage[]) =>
    generateText({ model, messages, maxRetries: 0, headers: { [caseHeader]: 'the call' } });
  const lengths = () =>
    events.flatMap((event) => (event.type === 'check' ? [event.contextLength] : []));
  const learned = () => events.filter(({ type }) => type === 'limit-learned');
  return { server, inner, call, lengths, learned, requests: () => server.requestsOf('the call') };
}

describe('a limit learned from a refusal', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    forgetLearnedLimits();
  });

  it.each([
    ['all of it', `Invalid value: '${attack}'.`],
    ['in other letters and spaces', `Invalid value: '${attack.toUpperCase().replace(' ', '\n')}'.`],
    ['only the number of it', "Invalid value: 'maximum context length is 256'."],
  ])('is not what the error quotes of the user: %s', async (_what, message) => {
    const { server, call, lengths, learned, requests } = await refusingServer((body) =>
      body.includes('256') ? message : undefined,
    );
    try {
      await expect(call([...chat(12), user(attack)])).rejects.toThrow('Invalid value');
      // Far from the limit there is no reason to try a shorter one.
      expect(requests()).toHaveLength(1);
      await call(chat(15));
      expect(lengths()).toEqual([20_000, 20_000]);
      expect(learned()).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it('is not what a tool printed, and the call is only tried once more near the limit', async () => {
    const { server, call, lengths, learned, requests } = await refusingServer((body) =>
      body.includes('256') ? `Cannot process: ${attack}` : undefined,
    );
    try {
      const messages = [...chat(14, 800), user(`The log says: ${attack}`)];
      await expect(call(messages)).rejects.toThrow('Cannot process');
      expect(requests()).toHaveLength(2);
      await call(chat(15));
      expect(lengths()).toEqual([20_000, 20_000]);
      expect(learned()).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it('is what the provider states itself, though the user speaks of such errors', async () => {
    const stated = "This model's maximum context length is 4000 tokens.";
    const { server, inner, call, lengths, learned, requests } = await refusingServer((body) =>
      body.length > 26_000 ? stated : undefined,
    );
    try {
      const messages = [user(`I once read: ${attack}.`), ...chat(29, 200).slice(1)];
      const { text } = await call(messages);
      expect(text).not.toBe('');
      expect(requests()).toHaveLength(2);
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
    } finally {
      await server.close();
    }
  });

  it('lasts an hour', async () => {
    const { server, call, lengths } = await refusingServer((body) =>
      body.length > 26_000 ? "This model's maximum context length is 4000 tokens." : undefined,
    );
    try {
      await call(chat(29, 200));
      vi.advanceTimersByTime(59 * 60_000);
      await call(chat(3));
      vi.advanceTimersByTime(60_000);
      await call(chat(3));
      expect(lengths()).toEqual([20_000, 4000, 20_000]);
    } finally {
      await server.close();
    }
  });

  it('is forgotten when it is told to, of one model or of all', async () => {
    const { server, inner, call, lengths } = await refusingServer((body) =>
      body.length > 26_000 ? "This model's maximum context length is 4000 tokens." : undefined,
    );
    try {
      await call(chat(29, 200));
      forgetLearnedLimits({ provider: inner.provider, modelId: 'another' });
      await call(chat(3));
      forgetLearnedLimits({ provider: inner.provider, modelId: inner.modelId });
      await call(chat(3));
      expect(lengths()).toEqual([20_000, 4000, 20_000]);
    } finally {
      await server.close();
    }
  });

  it.each([
    ['far above the refused prompt', "This model's maximum context length is 19000 tokens."],
    ['none', 'The prompt is too long.'],
  ])('is never one that the error does not explain: %s', async (_what, message) => {
    let calls = 0;
    const { server, call, learned } = await refusingServer(() => {
      calls += 1;
      return calls === 1 ? message : undefined;
    });
    try {
      await call(chat(29, 100));
      expect(learned()).toMatchObject([{ evidence: 'refused' }]);
      expect(learned()).not.toMatchObject([{ contextLength: 19_000 }]);
    } finally {
      await server.close();
    }
  });
});

describe('a size that a model has taken', () => {
  afterEach(() => forgetLearnedLimits());

  const sizes = { messageTokens: 4, toolPartTokens: 8, countsTools: false, hiddenTokens: 0 };

  it('is more to be believed than a limit below it, which is not learned', async () => {
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
    const { model, events } = setUp({ contextLength: 20_000, strategy: 'none' }, { inner });
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

describe('forgetLearnedLimits', () => {
  it('names what is wrong with a model', () => {
    expect(() => forgetLearnedLimits(untyped({ provider: 'openai' }))).toThrow(
      SummarizationOptionError,
    );
  });
});
