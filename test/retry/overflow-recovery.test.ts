import { generateText, streamText, wrapLanguageModel } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SummarizationEvent, summarizationMiddleware } from '../../src/index.ts';
import { type OverflowError, overflowErrors, type StatedSizes } from '../overflow/errors.ts';
import { chat } from '../support/messages.ts';
import { eventFrame } from '../wire/apis/bedrock.ts';
import {
  jsonReply,
  namedSseReply,
  plainAnswer,
  sseReply,
  type WireApi,
  type WireReply,
} from '../wire/apis/wire-api.ts';
import { type CapturedRequest, caseHeader, startWireServer } from '../wire/apis/wire-server.ts';
import { isRecord, record } from '../wire/json-view.ts';
import { wireProviders } from '../wire/providers.ts';

/** How a server says that a prompt is too long: as a response, or within a stream that began well. */
type Refusal = 'response' | 'event';

/**
 * A provider's API whose model accepts a prompt only up to a share of the first one it is sent: of the
 * tokens the error states, the limit it states. Longer prompts get the error.
 */
function overflowingApi(api: WireApi, error: OverflowError, refusal: Refusal): WireApi {
  const accepted = acceptedShare(statedAs(error, refusal));
  let first: number | undefined;
  return {
    ...api,
    answer: (request) => {
      const size = JSON.stringify(request.body).length;
      first ??= size;
      return size <= first * accepted ? api.answer(request) : refuse(error, refusal);
    },
  };
}

/** What of an error's numbers comes through: of events, the SDK drops the fields of llama.cpp. */
function statedAs({ id, stated }: OverflowError, refusal: Refusal): StatedSizes {
  return id === 'llamacpp-overflow' && refusal === 'event' ? {} : stated;
}

function acceptedShare({ limit, tokens, answerTokens = 0 }: StatedSizes): number {
  // An error without numbers: the model takes a little less than what was sent.
  return limit === undefined || tokens === undefined ? 0.85 : (limit - answerTokens) / tokens;
}

function refuse({ client, status, body }: OverflowError, refusal: Refusal): WireReply {
  if (refusal === 'response') return jsonReply(status, body);
  if (client === 'amazon-bedrock') return bedrockException(body);
  if (client === 'anthropic') return namedSseReply([record(body)]);
  const type = record(body).type;
  if (client === 'openai' && type === 'error') {
    const response = { id: 'resp_0', created_at: 1_760_000_000, model: 'gpt-5-mini' };
    return namedSseReply([
      { type: 'response.created', sequence_number: 0, response },
      { type: 'response.in_progress', sequence_number: 1, response },
      record(body),
    ]);
  }
  return sseReply([isRecord(body) ? body : record(Reflect.get(body, 0))]);
}

function bedrockException(body: object): WireReply {
  const exception = Object.entries(body).find(([key]) => key.endsWith('Exception'));
  const [type, payload] = exception ?? ['validationException', body];
  return {
    status: 200,
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    chunks: [eventFrame(type, payload, 'exception')],
  };
}

/** The provider under which `test/wire` knows a package. */
const names: Readonly<Record<OverflowError['client'], string>> = {
  openai: 'openai.chat',
  anthropic: 'anthropic',
  google: 'google gemini',
  'amazon-bedrock': 'amazon-bedrock with Claude',
  mistral: 'mistral',
  'openai-compatible': 'openai-compatible with a strict template',
};

interface Case {
  readonly error: OverflowError;
  readonly mode: 'generate' | 'stream';
  readonly refusal: Refusal;
}

// The error of vLLM is about the answer, not the prompt: it has a test of its own.
const prompts = overflowErrors.filter(({ id }) => id !== 'vllm-overflow');
const responses = prompts.filter(({ status }) => status !== 200);
const cases: readonly Case[] = [
  ...responses.map((error): Case => ({ error, mode: 'generate', refusal: 'response' })),
  // How a stream is refused by a response depends on the package, not on the words.
  ...Object.values(Object.groupBy(responses, ({ client }) => client)).flatMap((errors) =>
    errors.slice(0, 1).map((error): Case => ({ error, mode: 'stream', refusal: 'response' })),
  ),
  ...prompts.map((error): Case => ({ error, mode: 'stream', refusal: 'event' })),
];

/** A conversation that the middleware counts at about as many tokens as the error does. */
function conversation({ stated }: OverflowError) {
  const tokens = stated.tokens ?? 8000;
  // A model with a coarse tokenizer: the test need not send a million words.
  const tokenMultiplier = Math.min(10, Math.max(1, tokens / 4000));
  const perMessage = 210 * tokenMultiplier;
  const count = Math.round(tokens / perMessage);
  return { messages: chat(count + 1 - (count % 2), 200), tokenMultiplier };
}

async function run({ error, mode, refusal }: Case, calls: number) {
  const name = error.id.includes('responses') ? 'openai.responses' : names[error.client];
  const provider = wireProviders.find((candidate) => candidate.name === name);
  if (provider === undefined) throw new Error(`No provider ${name}.`);
  const server = await startWireServer(overflowingApi(provider.api, error, refusal));
  onTestFinished(server.close);
  const inner = provider.createModel(server.baseURL);
  const { messages, tokenMultiplier } = conversation(error);
  const events: SummarizationEvent[] = [];
  const middleware = summarizationMiddleware({
    // Wrong, as after a change of the deployment.
    contextLength: 4_000_000,
    providers: { [inner.provider]: { tokenMultiplier } },
    strategy: 'none',
    onEvent: (event) => events.push(event),
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  const texts: string[] = [];
  for (let call = 0; call < calls; call += 1) {
    const options = { model, messages, maxRetries: 0, headers: { [caseHeader]: 'the call' } };
    const answer = mode === 'generate' ? await generateText(options) : streamText(options);
    texts.push(await answer.text);
  }
  return { events, texts, requests: server.requestsOf('the call') };
}

const sizeOf = (request: CapturedRequest | undefined): number =>
  JSON.stringify(request?.body ?? {}).length;

describe('a call that the provider refuses as too long', () => {
  it.each(cases.map((entry) => [entry.error.id, entry.mode, entry.refusal, entry] as const))(
    'is sent once more and shorter: %s, %s, as %s',
    async (_id, _mode, _refusal, entry) => {
      const { limit = expect.any(Number) } = statedAs(entry.error, entry.refusal);
      const { events, texts, requests } = await run(entry, 2);
      expect(texts).toEqual([plainAnswer, plainAnswer]);
      // The second call goes out under the limit at once.
      expect(requests).toHaveLength(3);
      expect(requests.map(({ violations }) => violations)).toEqual([[], [], []]);
      expect(sizeOf(requests[1])).toBeLessThan(sizeOf(requests[0]));
      expect(sizeOf(requests[2])).toBeLessThan(sizeOf(requests[0]));

      const recovered = events.filter(({ type }) => type === 'recovered');
      expect(recovered).toMatchObject([
        { reason: 'provider-overflow', learnedContextLength: limit },
        { reason: 'too-long' },
      ]);
      expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
      const checks = events.filter((event) => event.type === 'check');
      expect(checks.map(({ contextLength }) => contextLength)).toEqual([4_000_000, limit]);
    },
  );

  it('gets less room for the answer where that took the context: vllm-overflow', async () => {
    const error = overflowErrors.find(({ id }) => id === 'vllm-overflow');
    const provider = wireProviders.find(({ name }) => name === names['openai-compatible']);
    if (error === undefined || provider === undefined) throw new Error('Nothing to test.');
    const server = await startWireServer({
      ...provider.api,
      answer: (request) =>
        Number(request.body['max_tokens']) + 54 > 8192
          ? jsonReply(error.status, error.body)
          : provider.api.answer(request),
    });
    onTestFinished(server.close);
    const model = wrapLanguageModel({
      model: provider.createModel(server.baseURL),
      middleware: summarizationMiddleware({ strategy: 'none' }),
    });
    const messages = chat(1, 40);
    const headers = { [caseHeader]: 'the call' };
    const { text } = await generateText({ model, messages, headers, maxOutputTokens: 8192 });
    expect(text).toBe(plainAnswer);
    const [first, second, ...more] = server.requestsOf('the call').map(({ body }) => body);
    expect(first).toMatchObject({ max_tokens: 8192 });
    expect(second).toEqual({ ...first, max_tokens: 4096 });
    expect(more).toEqual([]);
  });
});
