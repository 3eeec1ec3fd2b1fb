import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  eraseConversation,
  explainSummarization,
  listSummaries,
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { answer } from '../support/models.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { sharedStore } from '../support/shared-store.ts';
import { anthropicApi } from './apis/anthropic.ts';
import { openaiResponsesApi } from './apis/responses.ts';
import { type ProviderSettings, served } from './apis/served.ts';
import type { WireApi } from './apis/wire-api.ts';

const secret = 'a secret of the operator';

const providers: readonly (readonly [
  name: string,
  api: WireApi,
  create: (settings: ProviderSettings) => LanguageModelV4,
])[] = [
  ['anthropic', anthropicApi, (settings) => createAnthropic(settings)('claude-haiku-4-5')],
  ['openai', openaiResponsesApi, (settings) => createOpenAI(settings).responses('gpt-4.1-mini')],
];

/** An application on a real provider package, and how many summaries its model was asked for. */
function application(
  [, api, create]: (typeof providers)[number],
  given: SummarizationOptions = {},
) {
  const answering = (text: string): WireApi => ({
    ...api,
    answer: (request) => {
      const input = Math.ceil(JSON.stringify(request.body).length / 6);
      return api.answer(request, { text, input });
    },
  });
  const { settings, requests } = served(answering('Understood.'));
  // A model of its own: all that it is asked for are summaries.
  const summarizer = served(answering(answer()));
  const events: SummarizationEvent[] = [];
  const store = sharedStore();
  const options: SummarizationOptions = {
    contextLength: 20_000,
    tokenThreshold: 2000,
    resetTokenRatio: 0.4,
    summarizerModelPreference: create(summarizer.settings),
    store: store.open(),
    secret,
    onEvent: (event) => events.push(event),
    ...given,
  };
  const inner = create(settings);
  // Applications often make their middleware for each request.
  const send = async (
    messages: readonly ModelMessage[],
    conversationId?: string,
  ): Promise<void> => {
    const model = wrapLanguageModel({ model: inner, middleware: summarizationMiddleware(options) });
    const providerOptions =
      conversationId === undefined ? {} : { summarization: { conversationId } };
    await generateText({ model, messages: [...messages], providerOptions });
  };
  const explain = async (messages: readonly ModelMessage[], conversationId?: string) =>
    explainSummarization({
      model: inner,
      options,
      messages: [...messages],
      providerOptions: conversationId === undefined ? {} : { summarization: { conversationId } },
    });
  return {
    send,
    explain,
    events,
    store,
    sent: () => requests.length,
    lastBody: () => JSON.stringify(requests.at(-1)?.body),
    paid: () => summarizer.requests.length,
  };
}

/** A chat whose first message an application makes anew with each request. */
function chatOn(name: string, first: ModelMessage, length: number, tokens = 120): ModelMessage[] {
  const rest = Array.from({ length: length - 1 }, (_, index) => {
    const text = `${name} ${index + 1}: ${words(index, index < 24 ? tokens : 12)}`;
    return index % 2 === 0 ? assistant(text) : user(text);
  });
  return [first, ...rest];
}

const picture = (url: string): ModelMessage => ({
  role: 'user',
  content: [
    { type: 'text', text: 'What is wrong on this picture?' },
    { type: 'file', mediaType: 'image/png', data: new URL(url) },
  ],
});

/** Addresses as services sign them, by the number of a request. */
const signed: Readonly<Record<string, (request: number) => string>> = {
  S3: (n) =>
    `https://files.example/chat/1.png?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=2026112${n}T000000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=${n}abc`,
  'S3, older': (n) =>
    `https://files.example/chat/2.png?AWSAccessKeyId=AKIA&Expires=${n}&Signature=${n}`,
  GCS: (n) =>
    `https://storage.example/b/3.png?X-Goog-Algorithm=GOOG4&X-Goog-Date=${n}&X-Goog-Signature=${n}`,
  CloudFront: (n) =>
    `https://d1.example/4.png?size=large&Expires=${n}&Policy=p${n}&Signature=s${n}&Key-Pair-Id=K1`,
  Azure: (n) =>
    `https://account.example/c/5.png?sv=2024-11-04&st=${n}&se=${n}&sr=b&sp=r&sig=${n}%2B`,
  Supabase: (n) => `https://x.example/storage/v1/object/sign/chat/6.png?token=ey.${n}`,
};

describe.each(providers)('what moves, on %s', (...provider) => {
  const name = provider[0];
  it.each(Object.entries(signed))(
    'an address that is signed anew is paid for once: %s',
    async (service, address) => {
      const { send, paid } = application(provider);
      for (let request = 0; request < 12; request += 1)
        await send(chatOn(`${service} ${name}`, picture(address(request)), 25 + 2 * request));
      expect(paid()).toBe(1);
    },
  );

  it('addresses are whatever the option fileIdentity makes of them, in each function that reads messages', async () => {
    const fileIdentity = (url: string): string => url.replace(/\/s\/\d+\//, '/');
    const { send, paid, store, events } = application(provider, { fileIdentity });
    const messagesOf = (request: number): ModelMessage[] =>
      chatOn(`by path ${name}`, picture(`https://x.example/s/${request}/7.png`), 25);
    for (const request of [1, 2, 3]) await send(messagesOf(request));
    expect(paid()).toBe(1);
    const given = { store: store.open(), secret, messages: messagesOf(4) };
    expect(await listSummaries(given)).toEqual([]);
    expect(await listSummaries({ ...given, fileIdentity })).toHaveLength(1);
    expect(await eraseConversation({ ...given, fileIdentity })).toMatchObject({ records: 1 });
    expect(events.map(({ type }) => type)).not.toContain('failed');
  });

  it('addresses are told apart by all that does not sign them, and by the default where the option throws', async () => {
    const fileIdentity = (): string => {
      throw new Error('no database');
    };
    const { send, paid, events } = application(provider, { fileIdentity });
    const pages = ['1&token=a', '1&token=b', '2&token=b'];
    for (const page of pages)
      await send(chatOn(`apart ${name}`, picture(`https://x.example/8.png?page=${page}`), 25));
    expect(paid()).toBe(2);
    // Names by which Azure signs mean something else elsewhere.
    for (const address of ['9.png?st=1', '9.png?st=2'])
      await send(chatOn(`elsewhere ${name}`, picture(`https://x.example/${address}`), 25));
    expect(paid()).toBe(4);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'failed', stage: 'fileIdentity' }),
    );
  });

  it.each<[string, once: ModelMessage[], later: ModelMessage[]]>([
    [
      'a blank behind a text',
      [user('Look.'), assistant('Yes.')],
      [user('Look.\n'), assistant('Yes. ')],
    ],
    [
      'an output that came back as text',
      [user('Look.'), ...toolStep('1', { type: 'json', value: { a: [1, 'x'], b: null } })],
      [user('Look.'), ...toolStep('1', { type: 'text', value: '{"a":[1,"x"],"b":null}' })],
    ],
    [
      'an error that came back as text',
      [user('Look.'), ...toolStep('1', { type: 'error-json', value: { code: 1 } })],
      [user('Look.'), ...toolStep('1', { type: 'error-text', value: '{"code":1}' })],
    ],
  ])('%s is the same conversation', async (what, once, later) => {
    const { send, paid } = application(provider);
    const rest = chatOn(`${what} ${name}`, user('Go on.'), 25);
    await send([...once, ...rest]);
    await send([...later, ...rest]);
    expect(paid()).toBe(1);
  });
});

describe.each(providers)(
  'a conversation whose first message is another one in each request, on %s',
  (...provider) => {
    const name = provider[0];
    const withClock = (
      of: string,
      minute: number,
      length: number,
      tokens?: number,
    ): ModelMessage[] =>
      chatOn(
        `${of} ${name}`,
        user(`It is 09:${minute}. ${words(minute, 30)}. Plan my day.`),
        length,
        tokens,
      );
    const history = { type: 'warning', code: 'changed-history' };

    it.each([undefined, `clock ${name}`])(
      'pays two summaries in 20 requests, id: %s',
      async (id) => {
        const { send, paid, events, store, sent, explain } = application(provider);
        for (let request = 0; request < 20; request += 1)
          await send(withClock(`moves ${id}`, request, 25 + 2 * request), id);
        expect(paid()).toBe(2);
        expect(events.filter(({ type }) => type === 'end')).toHaveLength(2);
        const [warning, ...others] = events.filter(({ type }) => type === 'warning');
        expect(others).toEqual([]);
        expect(warning).toMatchObject(history);
        expect(warning).toHaveProperty(
          'message',
          expect.stringContaining('Message 0 of a conversation (user,'),
        );
        expect(events).toContainEqual(
          expect.objectContaining({ type: 'skipped', reason: 'changed-history' }),
        );
        // One document for each opening that a summary was paid for, or for the id.
        expect(store.entries.size).toBeLessThanOrEqual(id === undefined ? 4 : 1);
        const before = paid();
        const { act, reason, changed, plan } = await explain(withClock(`moves ${id}`, 21, 65), id);
        expect({ act, reason, changed, plan }).toEqual({
          act: 'none',
          reason: 'changed-history',
          changed: { index: 0, role: 'user' },
          plan: undefined,
        });
        expect(paid()).toBe(before);
        expect(sent()).toBe(20);
      },
    );

    it('is summarized without a model where it does not fit', async () => {
      const { send, paid, events, lastBody } = application(provider, {
        contextLength: 4000,
        triggerTokenRatio: 0.7,
        resetTokenRatio: 0.5,
      });
      for (let request = 0; request < 4; request += 1)
        await send(withClock('large', request, 25 + 2 * request, 400));
      expect(paid()).toBe(2);
      expect(lastBody().includes('[summary-depth:0]')).toBe(true);
      const applied = events.findLast((event) => event.type === 'applied');
      expect(applied).toHaveProperty('record.strategy', 'rule-based');
    });

    it('pays again once it stands still', async () => {
      const { send, paid } = application(provider);
      for (const minute of [0, 1, 2, 3]) await send(withClock('rests', minute, 25 + 2 * minute));
      // Asked for anew, the answer is no sign that it rests.
      await send(withClock('rests', 3, 31));
      await send(withClock('rests', 4, 31));
      expect(paid()).toBe(2);
      await send(withClock('rests', 4, 33));
      await send(withClock('rests', 4, 35));
      expect(paid()).toBe(3);
    });

    it('is none of those that differ in the first message alone, and follow a pattern', async () => {
      const { send, paid } = application(provider);
      for (const person of [0, 1, 2, 3]) await send(withClock('pattern', person, 25));
      expect(paid()).toBe(4);
    });

    it('pays for edits and branches, however many there are', async () => {
      const { send, paid } = application(provider);
      const whole = withClock('branches', 0, 25);
      await send(whole);
      for (const way of [1, 2, 3, 4])
        await send([...whole.slice(0, 12), ...chatOn(`way ${way} ${name}`, user('Go on.'), 13)]);
      expect(paid()).toBe(5);
    });

    it('pays for what changes between requests that found their summary', async () => {
      const { send, paid, events } = application(provider);
      for (const day of [0, 1, 2, 3])
        for (const turn of [0, 1, 2]) await send(withClock('days', day, 25 + 6 * day + 2 * turn));
      expect(paid()).toBe(4);
      expect(events).not.toContainEqual(expect.objectContaining(history));
    });
  },
);
