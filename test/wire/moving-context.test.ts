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
  const { settings } = served(api);
  // A model of its own: all that it is asked for are summaries.
  const summarizer = served({
    ...api,
    answer: (request) => api.answer(request, { text: answer(), input: 0 }),
  });
  const events: SummarizationEvent[] = [];
  const store = sharedStore();
  const options: SummarizationOptions = {
    contextLength: 8000,
    triggerTokenRatio: 0.5,
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
  const explain = async (messages: readonly ModelMessage[]) =>
    explainSummarization({ model: inner, options, messages: [...messages] });
  return { send, explain, events, store, paid: () => summarizer.requests.length };
}

/** A chat whose first message an application makes anew with each request. */
function chatOn(name: string, first: ModelMessage, length: number): ModelMessage[] {
  const rest = Array.from({ length: length - 1 }, (_, index) => {
    const text = `${name} ${index + 1}: ${words(index, index < 24 ? 120 : 20)}`;
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
  it.each(Object.entries(signed))(
    'an address that is signed anew is paid for once: %s',
    async (name, address) => {
      const { send, paid } = application(provider);
      for (let request = 0; request < 12; request += 1)
        await send(chatOn(`${name} ${provider[0]}`, picture(address(request)), 25 + 2 * request));
      expect(paid()).toBe(1);
    },
  );

  it('addresses are whatever the option fileIdentity makes of them, in each function that reads messages', async () => {
    const fileIdentity = (url: string): string => url.replace(/\/s\/\d+\//, '/');
    const { send, paid, store, events } = application(provider, { fileIdentity });
    const messagesOf = (request: number): ModelMessage[] =>
      chatOn(`by path ${provider[0]}`, picture(`https://x.example/s/${request}/7.png`), 25);
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
    for (const address of ['8.png?page=1&token=a', '8.png?page=1&token=b', '8.png?page=2&token=b'])
      await send(
        chatOn(`apart ${provider[0]}`, picture(`https://x.example/${address}&se=${paid()}`), 25),
      );
    // The last two differ in `se` alone, which signs nothing without `sig`.
    expect(paid()).toBe(3);
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
  ])('%s is the same conversation', async (name, once, later) => {
    const { send, paid } = application(provider);
    const rest = chatOn(`${name} ${provider[0]}`, user('Go on.'), 49);
    await send([...once, ...rest]);
    await send([...later, ...rest]);
    expect(paid()).toBe(1);
  });
});
