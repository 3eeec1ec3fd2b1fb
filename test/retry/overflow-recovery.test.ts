import { generateText, streamText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { type SummarizationEvent, summarizationMiddleware } from '../../src/index.ts';
import { type OverflowError, overflowErrors } from '../overflow/errors.ts';
import { chat } from '../support/messages.ts';
import { eventFrame } from '../wire/apis/bedrock.ts';
import { type CapturedRequest, served } from '../wire/apis/served.ts';
import {
  jsonReply,
  namedSseReply,
  plainAnswer,
  sseReply,
  type WireApi,
  type WireReply,
} from '../wire/apis/wire-api.ts';
import { isRecord, record } from '../wire/json-view.ts';
import { providerOf, providersOf, type WireProvider } from '../wire/providers.ts';

/** A call, and how it is refused: by a response, or by an event of a stream that began well. */
interface Case {
  readonly error: OverflowError;
  readonly mode: 'generate' | 'stream';
  readonly refusal: 'response' | 'event';
}

/**
 * A provider's API whose model accepts a prompt only up to a share of the first one it is sent: of the
 * tokens the error states, the limit it states. Longer prompts get the error.
 */
function overflowingApi(api: WireApi, { error, refusal }: Case): WireApi {
  const { limit, tokens, answerTokens = 0 } = error.stated;
  // An error without numbers: the model takes a little less than what was sent.
  const share =
    limit === undefined || tokens === undefined ? 0.85 : (limit - answerTokens) / tokens;
  let first: number | undefined;
  return {
    ...api,
    answer: (request) => {
      const size = JSON.stringify(request.body).length;
      first ??= size;
      if (size <= first * share) return api.answer(request);
      return refusal === 'response' ? jsonReply(error.status, error.body) : eventOf(error);
    },
  };
}

function eventOf({ client, body }: OverflowError): WireReply {
  if (client === 'amazon-bedrock') {
    const entry = Object.entries(body).find(([key]) => key.endsWith('Exception'));
    const [type, payload] = entry ?? ['validationException', body];
    const headers = { 'content-type': 'application/vnd.amazon.eventstream' };
    return { status: 200, headers, chunks: [eventFrame(type, payload, 'exception')] };
  }
  if (client === 'anthropic') return namedSseReply([record(body)]);
  if (client !== 'openai' || record(body).type !== 'error')
    return sseReply([isRecord(body) ? body : record(Reflect.get(body, 0))]);
  const response = { id: 'resp_0', created_at: 1_760_000_000, model: 'gpt-5-mini' };
  return namedSseReply([
    { type: 'response.created', sequence_number: 0, response },
    { type: 'response.in_progress', sequence_number: 1, response },
    record(body),
  ]);
}

/** Of OpenAI's two APIs an error is of the one that it names. */
function refusedProvider({ id, client }: OverflowError): WireProvider {
  if (client === 'openai')
    return providerOf(id.includes('responses') ? 'openai.responses' : 'openai.chat');
  const [provider] = providersOf(client);
  return provider ?? providerOf(client);
}

// The error of vLLM is about the answer, not the prompt: it has a test of its own.
const prompts = overflowErrors.filter(({ id }) => id !== 'vllm-overflow');
const responses = prompts.filter(({ status }) => status !== 200);
const cases: readonly Case[] = [
  ...responses.map((error): Case => ({ error, mode: 'generate', refusal: 'response' })),
  // How a stream is refused depends on the package, not on the words.
  ...Object.values(Object.groupBy(responses, ({ client }) => client)).flatMap(([error]) =>
    (['response', 'event'] as const).flatMap((refusal): Case[] =>
      error === undefined ? [] : [{ error, mode: 'stream', refusal }],
    ),
  ),
  ...prompts
    .filter(({ status }) => status === 200)
    .map((error): Case => ({ error, mode: 'stream', refusal: 'event' })),
];

const sizeOf = (request: CapturedRequest | undefined): number =>
  JSON.stringify(request?.body ?? {}).length;

describe('a call that the provider refuses as too long', () => {
  it.each(cases)('is sent once more and shorter: $error.id, $mode, as $refusal', async (given) => {
    const { error, mode } = given;
    const { limit = expect.any(Number), tokens = 8000 } = error.stated;
    const { api, create } = refusedProvider(error);
    const { settings, requests } = served(overflowingApi(api, given));
    const inner = create(settings);
    // A model with a coarse tokenizer: the test need not send a million words.
    const tokenMultiplier = Math.min(10, Math.max(1, tokens / 4000));
    const events: SummarizationEvent[] = [];
    const middleware = summarizationMiddleware({
      // Wrong, as after a change of the deployment.
      contextLength: 4_000_000,
      providers: { [inner.provider]: { tokenMultiplier } },
      strategy: 'none',
      onEvent: (event) => events.push(event),
    });
    const model = wrapLanguageModel({ model: inner, middleware });
    const count = Math.round(tokens / (210 * tokenMultiplier));
    const call = { model, messages: chat(count + 1 - (count % 2), 200), maxRetries: 0 };
    for (let made = 0; made < 2; made += 1) {
      const answer = mode === 'generate' ? await generateText(call) : streamText(call);
      expect(await answer.text).toBe(plainAnswer);
    }
    // The second call goes out under the limit at once.
    expect(requests.map(({ violations }) => violations)).toEqual([[], [], []]);
    expect(sizeOf(requests[1])).toBeLessThan(sizeOf(requests[0]));
    expect(sizeOf(requests[2])).toBeLessThan(sizeOf(requests[0]));
    expect(events.filter(({ type }) => type === 'recovered')).toMatchObject([
      { reason: 'provider-overflow', learnedContextLength: limit },
      { reason: 'too-long' },
    ]);
    expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
    const checks = events.filter((event) => event.type === 'check');
    expect(checks.map(({ contextLength }) => contextLength)).toEqual([4_000_000, limit]);
  });

  it('gets less room for the answer where that took the context: vllm-overflow', async () => {
    const error = overflowErrors.find(({ id }) => id === 'vllm-overflow');
    const { api, create } = providerOf('openai-compatible with a strict template');
    const { settings, requests } = served({
      ...api,
      answer: (request) =>
        Number(request.body['max_tokens']) + 54 > 8192
          ? jsonReply(400, error?.body)
          : api.answer(request),
    });
    const middleware = summarizationMiddleware({ strategy: 'none' });
    const model = wrapLanguageModel({ model: create(settings), middleware });
    const { text } = await generateText({ model, messages: chat(1, 40), maxOutputTokens: 8192 });
    expect(text).toBe(plainAnswer);
    const [first, second, ...more] = requests.map(({ body }) => body);
    expect(first).toMatchObject({ max_tokens: 8192 });
    expect(second).toEqual({ ...first, max_tokens: 4096 });
    expect(more).toEqual([]);
  });
});
