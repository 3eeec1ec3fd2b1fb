import { APICallError, TypeValidationError } from '@ai-sdk/provider';
import { RetryError } from 'ai';
import { anything, assert, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOverflowOf } from '../../../../src/sizes/overflow/context-overflow.ts';
import {
  anthropic,
  bedrock,
  openai,
  otherErrors,
  overflowErrors,
} from '../../../overflow/errors.ts';
import { assistant, call, system, user } from '../../../support/prompt-messages.ts';

/** The error that the SDK throws when it does not know the body's form, and so has no message. */
function failed(
  statusCode: number,
  body: unknown,
  rest: { message?: string; data?: unknown } = {},
): APICallError {
  return new APICallError({
    message: 'Bad Request',
    url: 'https://api.example.com/v1/chat/completions',
    requestBodyValues: { messages: [{ role: 'user', content: 'Why is my prompt is too long?' }] },
    statusCode,
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
    ...rest,
  });
}

const classic = 'prompt is too long: 200251 tokens > 200000 maximum';
const stated = { limit: 200_000, isInputLimit: true, tokens: 200_251 };
const code = 'context_length_exceeded';

describe('contextOverflowOf with what was sent', () => {
  const quoted = (words: string): string => `Bad value '${words}': prompt too long.`;
  const length = 'maximum context length is 256';
  const text = `Bad value '${length} tokens'.`;
  const [one, two] = ['prompt is too long', 'input token count'];

  it.each<[string, unknown, unknown, object]>([
    ['is what is quoted', text, [`I read: ${length} tokens`], { isQuoted: true }],
    ['has its own', `${text} The maximum context length is 8192.`, [length], { limit: 8192 }],
    ['has another text', { message: one, detail: 'The maximum context length.' }, [one, two], {}],
    ['has more words of one', `The ${one}: ${two} exceeds the maximum.`, [one, two], {}],
  ])('%s', (_what, error, sent, expected) => {
    expect(contextOverflowOf(error, sent)).toEqual(expected);
  });

  it.each([
    ['a system message, whatever its spaces', system('The prompt\n\t too long.')],
    ['the input of a tool', assistant('', call('1', { input: { at: ['prompt too long'] } }))],
    ['a long text', user(`${'x \n'.repeat(500_000)}prompt  too long`)],
  ])('finds words in a prompt: %s', (_what, message) => {
    expect(contextOverflowOf(quoted('Prompt  too long'), [message])).toEqual({ isQuoted: true });
  });

  it('takes everything for quoted after 64 lookups', () => {
    const repeated = Array.from({ length: 80 }, (_, index) => `too long: ${index + 1000}`);
    const sent = [...repeated.slice(0, 70), 'prompt too long'];
    const error = `prompt too long ${repeated.join(' ')} `;
    expect(contextOverflowOf(error, sent)).toEqual({ isQuoted: true });
  });
});

const detail = 'The maximum context length is 5000.';
const answered = 'Of the maximum context length, 1000 in the completion.';
const raw = JSON.stringify(anthropic(classic));
const limited =
  'Rate limit reached: tokens per min (TPM): Limit 1. Reduce the length of the messages.';
const answer =
  'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.';
const retried = new RetryError({
  message: `Failed after 2 attempts. Last error: ${classic}`,
  reason: 'maxRetriesExceeded',
  errors: [failed(429, 'rate limit'), failed(400, anthropic(classic))],
});
const cause = new Error('no');
const chunk = { choices: [{ delta: { content: classic } }] };

describe('contextOverflowOf', () => {
  const codes =
    'context_window_exceeded exceed_context_size_error model_max_prompt_tokens_exceeded';
  it.each(codes.split(' '))('knows the code %s, whatever is said', (type) => {
    expect(contextOverflowOf(failed(400, { error: { type, message: 'No.' } }))).toEqual({});
  });

  it.each(overflowErrors)('recognizes $id', ({ status, body, stated: numbers }) => {
    expect(contextOverflowOf(failed(status, body))).toEqual(numbers);
    expect(contextOverflowOf(body)).toEqual(numbers);
  });

  it.each([
    code,
    'context_window_exceeded',
    'ContextWindowExceededError',
    'exceed_context_size_error',
    'model_context_window_exceeded',
    'model_max_prompt_tokens_exceeded',
  ])('recognizes %s as a code, a type and a name, whatever the text says', (name) => {
    for (const key of ['code', 'type', 'name'])
      expect(contextOverflowOf({ [key]: name, message: 'Sorry: 12 pages.' })).toEqual({});
  });

  it.each([
    'The prompt exceeds max length.',
    'This exceeds the context window.',
    'Reduce the length of the messages.',
    'A token count of some more exceeds the limit of the model.',
    'It exceeds the available context size.',
    'That is greater than the context length.',
    'The request exceeded model token limit.',
    'Input tokens exceed the configured limit.',
    'litellm.ContextWindowExceededError',
    // And those that stand in the errors of providers above.
  ])('recognizes the text: %s', (text) => {
    expect(contextOverflowOf(text)).toEqual({});
  });

  const inner = { message: classic };
  it.each<[string, unknown]>([
    ['the text that speaks of it', { message: 'It resulted in 77 tokens.', error: inner }],
    ['the first text with a limit', { message: 'The prompt is too long.', error: inner }],
    ['texts beside what is no number', { n_ctx: '8192', n_prompt_tokens: NaN, ...inner }],
    ['a cause', new Error('It failed.', { cause: failed(400, bedrock(classic)) })],
    ['the error that a gateway wraps', failed(500, { error: { message: raw, code: 500 } })],
    ['the last of several attempts', retried],
    ['attempts of which none is known', { lastError: null, ...inner }],
    ['an event that is not valid', new TypeValidationError({ value: { error: inner }, cause })],
  ])('finds it in %s', (_what, error) => {
    expect(contextOverflowOf(error)).toEqual(stated);
  });

  it.each<[string, unknown]>([
    ['a rate limit', failed(429, anthropic(classic))],
    ['tokens per minute', failed(400, openai(limited, null))],
    ['a code of a rate limit', failed(400, openai(classic, 'rate_limit_exceeded'))],
    ['an answer that may not be so long', failed(400, openai(answer, null))],
    ['an answer that speaks of it', new TypeValidationError({ value: chunk, cause })],
  ])('does not take for one %s', (_what, error) => {
    expect(contextOverflowOf(error)).toBeUndefined();
  });

  const counted = { code, message: 'Your request has 900 tokens.' };
  it.each<[string, unknown, object]>([
    ['a code beside a text', counted, { tokens: 900 }],
    ['the first answer', { detail, message: answered }, { limit: 5000, answerTokens: 1000 }],
    ['fields first', { n_ctx: 8192, n_prompt_tokens: 9, ...inner }, { limit: 8192, tokens: 9 }],
    ['a 413 without a body, as Cerebras answers', failed(413, ''), { isUnexplained: true }],
    [
      'a large body',
      failed(413, anthropic('Request exceeds the maximum number of bytes.')),
      { unit: 'bytes' },
    ],
  ])('reads %s', (_what, error, expected) => {
    expect(contextOverflowOf(error)).toEqual(expected);
  });

  it.each(otherErrors)('takes %s for what it is', (_id, status, body) => {
    expect(contextOverflowOf(failed(status, body))).toBeUndefined();
    expect(contextOverflowOf(body)).toBeUndefined();
  });

  const long = 'x'.repeat(20_000);
  const filled = (length: number) => ({ detail: long.slice(-length), message: classic });
  const coded = (length: number) => ({ code: `${'x'.repeat(length)}quota`, message: classic });
  const entries = (count: number): unknown[] => [...Array<string>(count).fill('Sorry.'), classic];

  it.each([
    ['20,000 characters', `${classic} ${long}`, `${long} ${classic}`],
    ['as many of all texts', filled(20_000 - classic.length), filled(19_990)],
    ['200 characters of a code', coded(200), coded(195)],
    ['64 entries of a list', entries(63), entries(64)],
  ])('reads %s', (_what, read, unread) => {
    expect([contextOverflowOf(read), contextOverflowOf(unread)]).toEqual([stated, undefined]);
  });

  it.each(['', ' \n '])('reads JSON in a text as what it says: %j', (space) => {
    const text = `${space}{"code":"throttling","message":"prompt is too long"}`;
    expect(contextOverflowOf(text)).toBeUndefined();
    expect(contextOverflowOf(text.slice(0, -1))).toEqual({});
  });

  it('reads hostile errors as quickly as any other, and throws at none', () => {
    const circular: { cause?: unknown } = {};
    circular.cause = circular;
    const hostile: unknown[] = [
      `maximum context length is ${'9'.repeat(19_000)}`,
      `${'1,'.repeat(9000)} in the completion maximum context length`,
      '('.repeat(20_000),
      '['.repeat(20_000),
      Array.from({ length: 100_000 }, () => ({ error: { error: classic } })),
      circular,
    ];
    const throwing = {
      get message(): string {
        throw new Error('No.');
      },
      error: { message: classic },
    };
    for (const error of hostile) expect(() => contextOverflowOf(error)).not.toThrow();
    expect(contextOverflowOf(throwing)).toEqual(stated);
    assert(property(anything(), (error) => void contextOverflowOf(error)));
  });

  it.each<[string, object]>([
    ['maximum context length: 128_000', { limit: 128_000 }],
    ['model token limit: 5000', { limit: 5000 }],
    ['exceeds the limit of 4000, maximum context length: 5000', { limit: 5000 }],
    ['maximum context length: 256', { limit: 256 }],
    ['maximum prompt length is 256', { limit: 256, isInputLimit: true }],
    ['too long: 12000, model maximum context length: 8191', { limit: 8191, tokens: 12_000 }],
    ['your request has 5000', { tokens: 5000 }],
    ['resulted in 0', {}],
    ['resulted in 1', { tokens: 1 }],
    ['requested 5000 (of which 1000 in the completion)', { tokens: 4000, answerTokens: 1000 }],
    ['resulted in 3000, requested 5000, 1000 in the output', { tokens: 3000, answerTokens: 1000 }],
    ["resulted in 1,234.567_890'1\u00a02\u202f3", { tokens: 1_234_567_890_123 }],
    ['1 + 2 > 255', { tokens: 1, answerTokens: 2 }],
    [
      'resulted in 7000. limit: 143,653 + 64,000 > 200,000, maximum context length: 9000',
      { limit: 200_000, tokens: 143_653, answerTokens: 64_000 },
    ],
  ])('reads the numbers of: %s', (message, figures) => {
    expect(contextOverflowOf({ code, message })).toEqual(figures);
  });
});
