import { createGroq } from '@ai-sdk/groq';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, type ModelMessage, streamText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  ruleBasedStrategy,
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { chat, user, words } from '../support/messages.ts';
import { records, text } from '../wire/json-view.ts';
import type { RuleViolation } from '../wire/apis/rule.ts';
import { openaiChatApi, strictTemplateApi } from '../wire/apis/chat.ts';
import { jsonReply, sseReply, type WireApi, type WireRequest } from '../wire/apis/wire-api.ts';
import { type CapturedRequest, type ProviderSettings, served } from '../wire/apis/served.ts';

const system = 'You are kind.';

const broken = (rule: string, message: string): RuleViolation => ({
  rule,
  severity: 'E',
  message,
});

/** A template that knows no system role. */
const templateWithoutSystem: WireApi = {
  ...strictTemplateApi,
  rules: ({ body }) =>
    records(body.messages).some(({ role }) => role === 'system')
      ? [broken('ST4', 'System role not supported')]
      : [],
};

const holdsSummary = ({ body }: Pick<WireRequest, 'body'>): boolean =>
  JSON.stringify(body.messages).includes('[summary-depth:');

/** A server that refuses every prompt with a summary, in its words. */
function refusingSummaries(refuse: WireApi['refuse']): WireApi {
  return {
    ...openaiChatApi,
    rules: (request): RuleViolation[] =>
      holdsSummary(request) && request.body.response_format === undefined
        ? [broken('ST5', 'No.')]
        : [],
    refuse,
  };
}

interface Chatting {
  readonly events: SummarizationEvent[];
  readonly send: (messages: readonly ModelMessage[], ownSystem?: string) => Promise<string>;
  /** The conversation's own requests. */
  readonly requests: () => readonly CapturedRequest[];
}

function chattingWith(
  api: WireApi,
  create: (settings: ProviderSettings) => LanguageModelV4,
  { options = {}, streams = false }: { options?: SummarizationOptions; streams?: boolean } = {},
): Chatting {
  const { settings, requests } = served(api);
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 1050,
    minMessages: 1,
    strategy: ruleBasedStrategy(),
    onEvent: (event) => events.push(event),
    ...options,
  });
  const model = wrapLanguageModel({ model: create(settings), middleware });
  return {
    events,
    send: async (messages, instructions) => {
      const call = {
        model,
        messages: [...messages],
        maxRetries: 0,
        ...(instructions === undefined ? {} : { instructions }),
      };
      if (!streams) return (await generateText(call)).text;
      let failure: unknown;
      const onError = ({ error }: { error: unknown }): void => void (failure = error);
      const { text: streamed } = streamText({ ...call, onError });
      const said = await streamed.then(undefined, () => '');
      if (failure !== undefined) throw failure;
      return said;
    },
    requests: () => requests.filter(({ body }) => body.response_format === undefined),
  };
}

const shapeOf = ({ body }: CapturedRequest): string =>
  records(body.messages)
    .map(({ role, content }) => {
      const letter = text(role).slice(0, 1);
      return JSON.stringify(content).includes('[summary-depth:') ? letter.toUpperCase() : letter;
    })
    .join('');

const warningsIn = (events: readonly SummarizationEvent[]) =>
  events.filter((event) => event.type === 'warning' && event.code === 'placement-refused');

const qwen = (settings: ProviderSettings): LanguageModelV4 =>
  createOpenAI(settings).chat('qwen3-32b');
const groq = (settings: ProviderSettings): LanguageModelV4 => createGroq(settings)('qwen3-32b');

const wholeChats = [17, 19, 21, 23].map((count) => chat(count));

describe('a summary before a strict template', () => {
  it('behind the package of OpenAI stands in the one system message from the start', async () => {
    // With the summaries of the model itself: its own request is one of those that are refused.
    const { send, requests, events } = chattingWith(strictTemplateApi, qwen, {
      options: { strategy: 'llm' },
    });
    for (const messages of wholeChats) await send(messages, system);
    expect(requests()).toHaveLength(4);
    expect(requests().flatMap(({ violations }) => violations)).toEqual([]);
    expect(requests().map((request) => shapeOf(request).slice(0, 2))).toEqual(
      Array.from({ length: 4 }, () => 'Su'),
    );
    expect(events.filter(({ type }) => type === 'failed' || type === 'warning')).toEqual([]);
  });

  describe.each([
    ['at once', false],
    ['as a stream', true],
  ])('%s', (_how, streams) => {
    it('is merged where a second system message is refused, from then on at once', async () => {
      const { send, requests, events } = chattingWith(strictTemplateApi, groq, { streams });
      for (const messages of wholeChats) expect(await send(messages, system)).toContain('order');
      const shapes = requests().map((request) => shapeOf(request).slice(0, 2));
      expect(shapes).toEqual(['sS', 'Su', 'Su', 'Su', 'Su']);
      expect(warningsIn(events)).toHaveLength(1);
      expect(warningsIn(events)[0]).toMatchObject({
        message: expect.stringContaining("took it as 'system-merged'"),
      });
    });

    it('is the user’s where no system message is taken', async () => {
      const { send, requests, events } = chattingWith(templateWithoutSystem, qwen, {
        streams,
      });
      for (const messages of wholeChats) expect(await send(messages)).toContain('order');
      const shapes = requests().map((request) => shapeOf(request).slice(0, 2));
      expect(shapes).toEqual(['Su', 'Ua', 'Ua', 'Ua', 'Ua']);
      expect(warningsIn(events)).toHaveLength(1);
    });

    it('leaves the provider’s own error where every place is refused', async () => {
      const api = refusingSummaries(() =>
        jsonReply(400, { error: { message: 'Bad Request', type: 'an_error' } }),
      );
      const { send, requests, events } = chattingWith(api, groq, { streams });
      const [first = [], second = []] = wholeChats;
      await expect(send(first, system)).rejects.toThrow('Bad Request');
      await expect(send(second, system)).rejects.toThrow('Bad Request');
      const shapes = requests().map((request) => shapeOf(request).slice(0, 2));
      expect(shapes).toEqual(['sS', 'Su', 'sU', 'sS', 'Su', 'sU']);
      expect(warningsIn(events)).toEqual([]);
    });
  });

  it('is placed anew where the stream begins with the refusal', async () => {
    const api: WireApi = {
      ...strictTemplateApi,
      refuse: ({ message }) => sseReply([{ error: { message, type: 'BadRequestError' } }]),
    };
    const { send, requests } = chattingWith(api, groq, { streams: true });
    expect(await send(chat(17), system)).toContain('order');
    expect(requests().map((request) => shapeOf(request).slice(0, 2))).toEqual(['sS', 'Su']);
  });

  it('is moved in a prompt that was shortened, too', async () => {
    const { send, requests } = chattingWith(templateWithoutSystem, qwen);
    const messages = [...chat(18), user(words(3, 900))];
    expect(await send(messages)).toContain('order');
    expect(requests().map((request) => shapeOf(request).slice(0, 1))).toEqual(['S', 'U']);
  });

  it.each([
    [400, 'The response was filtered: our content management policy.', 'content_filter'],
    [400, 'Your request was rejected as a result of our safety system.', null],
    [400, 'Invalid schema for a function: "type" is missing.', 'invalid_function_parameters'],
    [400, 'Your credit balance is too low.', null],
    [403, 'Forbidden', null],
    [404, 'The model `qwen3-32b` does not exist', 'model_not_found'],
    [429, 'Rate limit reached', 'rate_limit_exceeded'],
    [503, 'Overloaded', null],
  ])(
    'is sent once where it is refused for something else: %d %s',
    async (status, message, code) => {
      const api = refusingSummaries(() =>
        jsonReply(status, { error: { message, code, type: 'an_error' } }),
      );
      const { send, requests } = chattingWith(api, groq);
      await expect(send(chat(17), system)).rejects.toThrow(message);
      expect(requests()).toHaveLength(1);
    },
  );

  it('leaves a prompt without a summary alone', async () => {
    const { send, requests } = chattingWith(templateWithoutSystem, qwen);
    await expect(send(chat(3), system)).rejects.toThrow('System role not supported');
    expect(requests()).toHaveLength(1);
  });
});
