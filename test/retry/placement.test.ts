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
import { openaiChatApi, strictTemplateApi } from '../wire/apis/chat.ts';
import { jsonReply, sseReply, type WireApi, type WireRequest } from '../wire/apis/wire-api.ts';
import { type ProviderSettings, served } from '../wire/apis/served.ts';

const system = 'You are kind.';

/** A server that refuses what a rule does not like. */
function refusing(
  message: string,
  isRefused: (body: WireRequest['body']) => boolean,
  refuse: WireApi['refuse'] = strictTemplateApi.refuse,
): WireApi {
  const violation = { rule: 'ST4', severity: 'E', message } as const;
  const rules: WireApi['rules'] = ({ body }) => (isRefused(body) ? [violation] : []);
  return { ...openaiChatApi, rules, refuse };
}

/** A template that knows no system role. */
const templateWithoutSystem = refusing('System role not supported', ({ messages }) =>
  records(messages).some(({ role }) => role === 'system'),
);

const noAnswer = 0;
/** A server that refuses every prompt with a summary, in its words. */
const refusingSummaries = (status: number, error: object): WireApi =>
  refusing(
    'No.',
    ({ messages, response_format: format }) =>
      format === undefined && JSON.stringify(messages).includes('[summary-depth:'),
    () => {
      if (status === noAnswer) throw new TypeError('Connection lost.');
      return jsonReply(status, { error });
    },
  );

function chattingWith(
  api: WireApi,
  create: (settings: ProviderSettings) => LanguageModelV4,
  { options = {}, streams = false }: { options?: SummarizationOptions; streams?: boolean } = {},
) {
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
  const send = async (messages: readonly ModelMessage[], instructions?: string) => {
    const call = {
      model,
      messages: [...messages],
      maxRetries: 0,
      ...(instructions === undefined ? {} : { instructions }),
    };
    if (!streams) return (await generateText(call)).text;
    let failure: unknown;
    const onError = ({ error }: { error: unknown }): void => void (failure = error);
    const said = await streamText({ ...call, onError }).text.then(undefined, () => '');
    if (failure !== undefined) throw failure;
    return said;
  };
  const own = () => requests.filter(({ body }) => body.response_format === undefined);
  /** How the conversation's own requests begin: a letter for each role, a capital one where the summary stands. */
  const shapes = () =>
    own().map(({ body }) =>
      records(body.messages)
        .slice(0, 2)
        .map(({ role, content }) => {
          const letter = text(role).slice(0, 1);
          const holds = JSON.stringify(content).includes('[summary-depth:');
          return holds ? letter.toUpperCase() : letter;
        })
        .join(''),
    );
  const warnings = () =>
    events.filter((event) => event.type === 'warning' && event.code === 'placement-refused');
  return { events, send, own, shapes, warnings };
}

const qwen = (settings: ProviderSettings): LanguageModelV4 =>
  createOpenAI(settings).chat('qwen3-32b');
const groq = (settings: ProviderSettings): LanguageModelV4 => createGroq(settings)('qwen3-32b');

const wholeChats = [17, 19, 21, 23].map((count) => chat(count));

describe('a summary before a strict template', () => {
  it('behind the package of OpenAI stands in the one system message from the start', async () => {
    // With the summaries of the model itself: its own request is one of those that are refused.
    const options = { strategy: 'llm' } as const;
    const { send, own, shapes, events } = chattingWith(strictTemplateApi, qwen, { options });
    for (const messages of wholeChats) await send(messages, system);
    expect(own().flatMap(({ violations }) => violations)).toEqual([]);
    expect(shapes()).toEqual(['Su', 'Su', 'Su', 'Su']);
    expect(events.filter(({ type }) => type === 'failed' || type === 'warning')).toEqual([]);
  });

  describe.each([false, true])('streamed: %s', (streams) => {
    it.each([
      ['is merged where a second is refused', strictTemplateApi, groq, system, 'sS Su'],
      ['is the user’s where none is taken', templateWithoutSystem, qwen, undefined, 'Su Ua'],
    ])('%s, from then on at once', async (_what, api, create, instructions, tried) => {
      const { send, shapes, warnings } = chattingWith(api, create, { streams });
      for (const messages of wholeChats)
        expect(await send(messages, instructions)).toContain('order');
      const [first = '', taken = ''] = tried.split(' ');
      expect(shapes()).toEqual([first, taken, taken, taken, taken]);
      const placement = taken === 'Su' ? 'system-merged' : 'user';
      const message = expect.stringContaining(`accepted it as '${placement}'`);
      expect(warnings()).toMatchObject([{ message }]);
    });

    it('leaves the provider’s own error where every place is refused', async () => {
      const api = refusingSummaries(400, { message: 'Bad Request', type: 'an_error' });
      const { send, shapes, warnings } = chattingWith(api, groq, { streams });
      for (const messages of wholeChats.slice(0, 2))
        await expect(send(messages, system)).rejects.toThrow('Bad Request');
      expect(shapes()).toEqual(['sS', 'Su', 'sU', 'sS', 'Su', 'sU']);
      expect(warnings()).toEqual([]);
    });
  });

  it('is placed anew where the stream begins with the refusal', async () => {
    const api: WireApi = {
      ...strictTemplateApi,
      refuse: ({ message }) => sseReply([{ error: { message, type: 'BadRequestError' } }]),
    };
    const { send, shapes } = chattingWith(api, groq, { streams: true });
    expect(await send(chat(17), system)).toContain('order');
    expect(shapes()).toEqual(['sS', 'Su']);
  });

  it('is moved in a prompt that was shortened, too', async () => {
    const { send, shapes } = chattingWith(templateWithoutSystem, qwen);
    expect(await send([...chat(18), user(words(3, 700))])).toContain('order');
    expect(shapes().map((shape) => shape.slice(0, 1))).toEqual(['S', 'U']);
  });

  it.each([
    [400, 'The response was filtered: our content management policy.', 'content_filter'],
    [400, 'Your request was rejected as a result of our safety system.', null],
    [400, 'Invalid schema for a function: "type" is missing.', 'invalid_function_parameters'],
    [400, 'Your credit balance is too low.', null],
    [404, 'The model `qwen3-32b` does not exist', 'model_not_found'],
    [429, 'Rate limit reached', 'rate_limit_exceeded'],
    [500, 'Something went wrong.', null],
    [noAnswer, 'Connection lost.', null],
    [503, 'Overloaded', null],
  ])('is sent once where it is refused otherwise: %d %s', async (status, message, code) => {
    const api = refusingSummaries(status, { message, code, type: 'an_error' });
    const { send, own } = chattingWith(api, groq);
    await expect(send(chat(17), system)).rejects.toThrow(message);
    expect(own()).toHaveLength(1);
  });

  it.each([
    // Of its place, whatever else is named.
    ['template model|jinja model|roles alternate in a model|system’ prompt of a model', 3],
    ['the model has no developer role|no model: role \'system\'|"role": "developer" of a model', 3],
    ['No.', 3],
    ['contentfilter|content_policy|apikey|api-key|rate limit|rate_limit|not_found|not found', 1],
  ])('is tried in other places by the words of a refusal: %s', async (refusals, attempts) => {
    for (const message of refusals.split('|')) {
      const { send, own } = chattingWith(refusingSummaries(400, { message, type: 'one' }), groq);
      await expect(send(chat(17), system)).rejects.toThrow(message);
      expect([message, own().length]).toEqual([message, attempts]);
    }
  });

  it('leaves a prompt without a summary alone', async () => {
    const { send, own } = chattingWith(templateWithoutSystem, qwen);
    await expect(send(chat(3), system)).rejects.toThrow('System role not supported');
    expect(own()).toHaveLength(1);
  });
});
