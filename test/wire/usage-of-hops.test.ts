import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, wrapLanguageModel } from 'ai';
import { expect, it } from 'vitest';
import { summarizationMiddleware, type SummarizationEvent } from '../../src/index.ts';
import { assistant, user, words } from '../support/messages.ts';

// What providers report of a call that they answered with several requests is no size of its prompt.

type Serve = (fetch: typeof globalThis.fetch) => LanguageModelV4;
const apiKey = 'none';
const google: Serve = (fetch) => createGoogle({ apiKey, fetch })('gemini-3-pro-preview');
const anthropic: Serve = (fetch) => createAnthropic({ apiKey, fetch })('claude-sonnet-4-5');
const compatible: Serve = (fetch) =>
  createOpenAICompatible({ name: 'local', baseURL: 'http://x.test', fetch })('own');

const gemini = (finish: object, usage: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text: 'Once.' }] }, ...finish }],
  usageMetadata: { promptTokenCount: 4000, candidatesTokenCount: 2, ...usage },
});
const claude = (usage: object): object => ({
  type: 'message',
  id: 'msg_1',
  model: 'claude-sonnet-4-5',
  role: 'assistant',
  content: [{ type: 'text', text: 'Once.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 4000, output_tokens: 2, ...usage },
});
const message = { type: 'message', input_tokens: 4000, output_tokens: 1 };
const cached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 3000 };
const own = (usage: object): object => ({
  id: '1',
  created: 1,
  model: 'own',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Once.' } }],
  usage: { completion_tokens: 2, ...usage },
});

it.each<[string, Serve, readonly object[], number | undefined]>([
  ['one request', google, [gemini({ finishReason: 'STOP' })], 4000],
  [
    'a continuation',
    google,
    [
      gemini({ finishReason: 'CONTINUATION', continuationToken: 'more' }),
      gemini({ finishReason: 'STOP' }),
    ],
    4000,
  ],
  [
    'results of its own tools',
    google,
    [gemini({ finishReason: 'STOP' }, { toolUsePromptTokenCount: 5000 })],
    4000,
  ],
  ['one iteration', anthropic, [claude({ iterations: [message] })], 4000],
  ['two iterations', anthropic, [claude({ iterations: [message, message] })], 4000],
  [
    'iterations with a cache',
    anthropic,
    [
      claude({
        ...cached,
        iterations: [
          { ...message, ...cached, input_tokens: 1000 },
          { ...message, ...cached },
        ],
      }),
    ],
    4000,
  ],
  [
    'a compaction of the provider',
    anthropic,
    [claude({ iterations: [{ ...message, type: 'compaction' }, message] })],
    undefined,
  ],
  [
    'cached tokens beside the others',
    compatible,
    [own({ prompt_tokens: 1000, prompt_tokens_details: { cached_tokens: 3000 } })],
    4000,
  ],
])('reads the size of the prompt from %s', async (_what, serve, answers, expected) => {
  let requests = 0;
  const model = serve(async () => Response.json(answers[Math.min(requests++, answers.length - 1)]));
  const checks: Extract<SummarizationEvent, { type: 'check' }>[] = [];
  const middleware = summarizationMiddleware({
    contextLength: 12_000,
    minMessages: 100,
    onEvent: (event) => {
      if (event.type === 'check') checks.push(event);
    },
  });
  const first = [user(words(1, 3500))];
  const wrapped = wrapLanguageModel({ model, middleware });
  await generateText({ model: wrapped, messages: first });
  requests = 0;
  const next = [...first, assistant('Once.'), user('And then?')];
  await generateText({ model: wrapped, messages: next });
  const [, check] = checks;
  const tokens = check?.tokens ?? Number.NaN;
  expect(check?.measuredBy === 'usage').toBe(expected !== undefined);
  expect(tokens).toBeGreaterThanOrEqual(expected ?? 3500);
  expect(tokens).toBeLessThan((expected ?? 4800) + 200);
});
