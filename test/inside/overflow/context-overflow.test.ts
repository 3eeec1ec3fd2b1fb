import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { RetryError } from 'ai';
import { anything, assert, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOverflowOf } from '../../../src/overflow/context-overflow.ts';
import { assistant, call, result, system, user } from '../../support/prompt-messages.ts';
import {
  anthropic,
  bedrock,
  google,
  openai,
  otherErrors,
  overflowErrors,
} from '../../overflow/errors.ts';

/** The error that the SDK throws when it does not know the body's form, and so has no message. */
function apiCallError(
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

/** A text that is one of an overflow only by words that stand in what was sent. */
const quoted = (words: string): string => `Bad value '${words}': prompt too long.`;

describe('contextOverflowOf with what was sent', () => {
  const sent = { messages: ['I read: maximum context length is 256 tokens'] };

  it('passes over what is quoted, and reads what is not', () => {
    const text = "Bad value 'maximum context length is 256 tokens'.";
    expect(contextOverflowOf(text, sent)).toEqual({ isQuoted: true });
    expect(contextOverflowOf(`${text} The maximum context length is 8192.`, sent)).toEqual({
      limit: 8192,
    });
    expect(contextOverflowOf({ code: 'context_length_exceeded', message: text }, sent)).toEqual({});
  });

  it.each([
    ['of two texts', { message: 'prompt is too long', detail: 'The maximum context length.' }],
    ['of two phrases of a text', 'The prompt is too long for the maximum context length.'],
    ['of the words of a phrase', 'The prompt is too long: input token count exceeds the maximum.'],
  ])('is the word of the provider where only one %s is quoted', (_what, error) => {
    expect(contextOverflowOf(error, ['prompt is too long', 'input token count'])).toEqual({});
  });

  it.each([
    ['a system message, whatever its spaces', system('The prompt\n\t too long.')],
    ['a message of the user, whatever its letters', user('Prompt Too Long?')],
    ['the input of a tool', assistant('', call('1', { input: { at: ['prompt too long'] } }))],
    ['the name of a field', assistant('', call('1', { input: { 'prompt too long': 1 } }))],
    ['a result', { role: 'tool', content: [result('1', 'prompt too long')] }],
    ['a long text', user(`${'x \n'.repeat(500_000)}prompt  too long`)],
  ])('finds words in a prompt: %s', (_what, message) => {
    expect(contextOverflowOf(quoted('Prompt  too long'), [message])).toEqual({ isQuoted: true });
  });

  it('finds no words of more than one message, nor a number that is no text', () => {
    const apart = [user('The prompt'), user('too long'), { limit: 256 }];
    expect(contextOverflowOf(quoted('256'), apart)).toEqual({});
  });

  it('takes everything for quoted after 64 lookups', () => {
    const repeated = Array.from({ length: 80 }, (_, index) => `too long: ${index + 1000}`);
    const numbers = repeated.map((words) => `${words} `).join('');
    const sentNumbers = [...repeated.slice(0, 70), 'prompt too long'];
    const error = `prompt too long ${numbers}`;
    expect(contextOverflowOf(error, sentNumbers)).toEqual({ isQuoted: true });
  });

  it.each([',', '.', '_', "'", '\u00a0', '\u202f', ".'", ",,'"])(
    'passes over a quotation that ends before %j',
    (end) => {
      const quotation = 'maximum context length is 256';
      const text = `${quotation}${end} and of the model: maximum context length is 5000${end}`;
      expect(contextOverflowOf(text, [quotation])).toEqual({ limit: 5000 });
    },
  );
});

describe('contextOverflowOf', () => {
  it.each(overflowErrors)(
    'recognises $id in a response body',
    ({ status, body, stated: numbers }) => {
      expect(contextOverflowOf(apiCallError(status, body))).toEqual(numbers);
    },
  );

  it.each(overflowErrors)('recognises $id as an error part of a stream', (error) => {
    expect(contextOverflowOf(error.body)).toEqual(error.stated);
  });

  it.each([
    'context_length_exceeded',
    'context_window_exceeded',
    'ContextWindowExceededError',
    'exceed_context_size_error',
    'model_context_window_exceeded',
    'model_max_prompt_tokens_exceeded',
  ])('recognises %s as a code, a type and a name, whatever the text says', (code) => {
    for (const key of ['code', 'type', 'name'])
      expect(contextOverflowOf({ [key]: code, message: 'Sorry: 12 pages.' })).toEqual({});
  });

  it.each([
    'Your prompt is too long.',
    'Prompt too long.',
    'The prompt exceeds max length.',
    'Input and answer exceed context limit.',
    'This exceeds the context window.',
    'Both exceed the context window.',
    'Beyond the maximum context length.',
    'The input token count exceeds the maximum.',
    'Input is too long for requested model.',
    'The maximum prompt length is lower.',
    'Reduce the length of the messages.',
    'Reduce the length of either one.',
    'A token count of some more exceeds the limit of the model.',
    'It exceeds the available context size.',
    'Loaded with a context length of only a little.',
    'That is greater than the context length.',
    'The context window exceeds limit.',
    'The request exceeded model token limit.',
    'Input tokens exceed the configured limit.',
    'litellm.ContextWindowExceededError',
    'error: context_length_exceeded',
  ])('recognises the text: %s', (text) => {
    expect(contextOverflowOf(text)).toEqual({});
    expect(contextOverflowOf(openai(text, null))).toEqual({});
  });

  it.each([
    'There is an input token count.',
    'It exceeds the maximum.',
    'A token count of some.',
    'It exceeds the limit of the model.',
  ])('takes one half of a phrase for nothing: %s', (text) => {
    expect(contextOverflowOf(text)).toBeUndefined();
  });

  it.each([
    [
      'a text beside a code',
      { code: 'context_length_exceeded', message: 'Your request has 900 tokens.' },
      { tokens: 900 },
    ],
    [
      'the text that speaks of an overflow, not of one beside it',
      { message: 'It resulted in 77 tokens.', error: { message: classic } },
      stated,
    ],
    [
      'the first text with a limit, and the first with a count',
      { message: 'The prompt is too long.', error: { message: classic } },
      stated,
    ],
    [
      'the first text with an answer',
      {
        detail: 'The maximum context length is 5000.',
        message: 'Of the maximum context length, 1000 in the completion.',
      },
      { limit: 5000, answerTokens: 1000 },
    ],
    [
      'fields before those of a text',
      { n_ctx: 8192, n_prompt_tokens: 9000, message: classic },
      { limit: 8192, tokens: 9000 },
    ],
    [
      'no fields that are not numbers',
      { n_ctx: '8192', n_prompt_tokens: NaN, message: classic },
      stated,
    ],
  ])('reads the numbers of %s', (_what, error, numbers) => {
    expect(contextOverflowOf(error)).toEqual(numbers);
  });

  it.each(otherErrors)('takes %s for what it is', (_id, status, body) => {
    expect(contextOverflowOf(apiCallError(status, body))).toBeUndefined();
    expect(contextOverflowOf(body)).toBeUndefined();
  });

  it.each([
    ['the message of an error', apiCallError(400, 'oops', { message: classic })],
    ['the data of an error', apiCallError(400, '', { data: anthropic(classic) })],
    ['a body that is plain text', apiCallError(400, `Error: ${classic}`)],
    ['a text', classic],
    [
      'an error with a cause',
      new Error('It failed.', { cause: apiCallError(400, bedrock(classic)) }),
    ],
    [
      'the error that a gateway wraps',
      apiCallError(500, { error: { message: JSON.stringify(anthropic(classic)), code: 500 } }),
    ],
    [
      "OpenRouter's raw body of the upstream",
      apiCallError(400, {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: JSON.stringify(anthropic(classic)), provider_name: 'Anthropic' },
        },
      }),
    ],
    [
      'the last of several attempts',
      new RetryError({
        message: `Failed after 2 attempts. Last error: ${classic}`,
        reason: 'maxRetriesExceeded',
        errors: [apiCallError(429, 'rate limit'), apiCallError(400, anthropic(classic))],
      }),
    ],
    ['an error whose last attempt is not known', { lastError: null, message: classic }],
    [
      'an event that the SDK could not validate',
      new TypeValidationError({ value: { error: { message: classic } }, cause: new Error('no') }),
    ],
  ])('finds it in %s', (_where, error) => {
    expect(contextOverflowOf(error)).toEqual(stated);
  });

  it.each([
    ['an Anthropic rate limit of tokens', apiCallError(429, anthropic(classic))],
    ['an error that repeats a 429', apiCallError(400, { error: { code: 429, message: classic } })],
    [
      "OpenAI's tokens per minute",
      apiCallError(
        400,
        openai(
          'Rate limit reached: tokens per min (TPM): Limit 1. Please reduce the length of the messages.',
          null,
        ),
      ),
    ],
    ['a code of a rate limit', apiCallError(400, openai(classic, 'rate_limit_exceeded'))],
    [
      'a throttled stream',
      { throttlingException: { message: 'Too many tokens' }, type: 'throttlingException' },
    ],
    [
      'an exhausted quota',
      apiCallError(400, { error: { status: 'RESOURCE_EXHAUSTED', message: classic } }),
    ],
    ['an overloaded server', apiCallError(529, anthropic('Overloaded', 'overloaded_error'))],
    ['a server error', apiCallError(500, openai('The server had an error.', 'server_error'))],
    ['a gateway without an upstream', apiCallError(502, '<html>502 Bad Gateway</html>')],
    ['a wrong key', apiCallError(401, openai('Incorrect API key provided', 'invalid_api_key'))],
    [
      'a cache that is too small',
      apiCallError(
        400,
        google(
          'The cached content is of 1022 tokens. The minimum token count to start caching is 1024.',
        ),
      ),
    ],
    [
      'an answer that may not be so long',
      apiCallError(
        400,
        openai(
          'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
          null,
        ),
      ),
    ],
    [
      'a body that is large in bytes',
      apiCallError(
        413,
        anthropic('Request exceeds the maximum allowed number of bytes.', 'request_too_large'),
      ),
    ],
    [
      'an answer that speaks of it',
      new TypeValidationError({
        value: { choices: [{ delta: { content: classic } }] },
        cause: new Error('no'),
      }),
    ],
    ['an answer that is no JSON', new JSONParseError({ text: classic, cause: new Error('no') })],
    ['a request that speaks of it', apiCallError(400, openai('Invalid value.', null))],
    ['a broken connection', new TypeError('fetch failed', { cause: new Error('ECONNRESET') })],
    ['nothing', undefined],
    ['null', null],
    ['a number', 400],
  ])('does not take %s for one', (_what, error) => {
    expect(contextOverflowOf(error)).toBeUndefined();
  });

  it('takes a 413 without a body for one, as Cerebras answers', () => {
    expect(contextOverflowOf(apiCallError(413, ''))).toEqual({ isUnexplained: true });
    expect(contextOverflowOf(apiCallError(400, ''))).toBeUndefined();
  });

  it.each([
    [
      "This model's maximum context length is 128,000 tokens. However, your messages resulted in 130,512 tokens.",
      { limit: 128_000, tokens: 130_512 },
    ],
    ["This model's maximum context length is 128_000 tokens.", { limit: 128_000 }],
    [
      "'max_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 54 input tokens.",
      { limit: 8192, tokens: 54 },
    ],
    [
      "This model's maximum context length is 4097 tokens. However, you requested 4927 tokens (3000 in the messages, 120 in the functions, and 1807 in the completion).",
      { limit: 4097, tokens: 3120, answerTokens: 1807 },
    ],
    [
      'Your request exceeded model token limit: 8192 (requested: 9000)',
      { limit: 8192, tokens: 9000 },
    ],
    [
      'The prompt is too long: 12000, model maximum context length: 8191',
      { limit: 8191, tokens: 12_000 },
    ],
    ['The maximum context length is 8 pages.', {}],
  ])('reads the numbers of: %s', (message, numbers) => {
    expect(contextOverflowOf(apiCallError(400, openai(message, null)))).toEqual(numbers);
  });

  it('does not look past the first 20,000 characters', () => {
    const filler = 'x'.repeat(20_000);
    expect(
      contextOverflowOf(apiCallError(400, `${filler} ${classic}`, { message: '' })),
    ).toBeUndefined();
    expect(contextOverflowOf(apiCallError(400, `${classic} ${filler}`, { message: '' }))).toEqual(
      stated,
    );
  });

  it('reads no more than 20,000 characters of all texts together', () => {
    const filled = (length: number): object => ({ detail: 'x'.repeat(length), message: classic });
    expect(contextOverflowOf(filled(20_000 - classic.length))).toEqual(stated);
    expect(contextOverflowOf(filled(19_990))).toBeUndefined();
    expect(contextOverflowOf(filled(20_000))).toBeUndefined();
  });

  it.each(['statusCode', 'status', 'code', 'status_code'])('reads a status out of %s', (key) => {
    for (const status of [429, '429'])
      expect(contextOverflowOf({ [key]: status, message: classic })).toBeUndefined();
    for (const status of [400, 4290, 'so'])
      expect(contextOverflowOf({ [key]: status, message: classic })).toEqual(stated);
  });

  it.each([
    ['an object', '{"code":"throttling","message":"prompt is too long"}'],
    ['an object after spaces', ' \n {"code":"throttling","message":"prompt is too long"}'],
    ['a list', '[{"code":"throttling","message":"prompt is too long"}]'],
  ])('reads %s in a text as what it says', (_what, text) => {
    expect(contextOverflowOf(text)).toBeUndefined();
    expect(contextOverflowOf(text.slice(0, -1))).toEqual({});
  });

  it('reads the first 200 characters of a code', () => {
    const long = (length: number): object => ({
      code: `${'x'.repeat(length)}quota`,
      message: classic,
    });
    expect(contextOverflowOf(long(195))).toBeUndefined();
    expect(contextOverflowOf(long(200))).toEqual(stated);
  });

  it('looks into 63 objects, one in the other', () => {
    const nested = (count: number): object =>
      count === 1 ? { message: classic } : { error: nested(count - 1) };
    expect(contextOverflowOf(nested(63))).toEqual(stated);
    expect(contextOverflowOf(nested(64))).toBeUndefined();
  });

  it('looks at the first 64 entries of a list', () => {
    const entries = (count: number): unknown[] => [...Array(count).fill('Sorry.'), classic];
    expect(contextOverflowOf(entries(63))).toEqual(stated);
    expect(contextOverflowOf(entries(64))).toBeUndefined();
  });

  it('reads hostile errors as quickly as any other, and throws at none', () => {
    const hostile: unknown[] = [
      `maximum context length is ${'9'.repeat(19_000)}`,
      `${'1,'.repeat(9000)} in the completion maximum context length`,
      '('.repeat(20_000),
      '['.repeat(20_000),
      Array.from({ length: 100_000 }, () => ({ error: { error: classic } })),
    ];
    const circular: { cause?: unknown } = {};
    circular.cause = circular;
    const throwing = {
      get message(): string {
        throw new Error('No.');
      },
      error: { message: classic },
    };
    for (const error of [...hostile, circular])
      expect(() => contextOverflowOf(error)).not.toThrow();
    expect(contextOverflowOf(throwing)).toEqual(stated);
    assert(
      property(anything(), (error) => {
        contextOverflowOf(error);
      }),
    );
  });

  it.each<[string, object]>([
    ['maximum context length is 5000', { limit: 5000 }],
    ['maximum context length of 5000', { limit: 5000 }],
    ['maximum context length: 5000', { limit: 5000 }],
    ['5000 maximum context length', { limit: 5000 }],
    ['while limit is 5000', { limit: 5000 }],
    ['context length of only 5000', { limit: 5000 }],
    ['model token limit: 5000', { limit: 5000 }],
    ['configured limit of 5000', { limit: 5000, isInputLimit: true }],
    ['maximum number of tokens allowed (5000)', { limit: 5000, isInputLimit: true }],
    ['maximum prompt length is 5000', { limit: 5000, isInputLimit: true }],
    ['exceeds the limit of 5000', { limit: 5000, isInputLimit: true }],
    ['> 5000 maximum', { limit: 5000, isInputLimit: true }],
    ['exceeds the limit of 4000, maximum context length: 5000', { limit: 5000 }],
    ['maximum context length: 255', {}],
    ['maximum context length: 256', { limit: 256 }],
    ['maximum prompt length is 255', {}],
    ['maximum prompt length is 256', { limit: 256, isInputLimit: true }],
    ['resulted in 5000', { tokens: 5000 }],
    ['too long: 5000', { tokens: 5000 }],
    ['input token count (5000)', { tokens: 5000 }],
    ['token count of 5000', { tokens: 5000 }],
    ['request contains 5000', { tokens: 5000 }],
    ['prompt contains 5000', { tokens: 5000 }],
    ['your request has 5000', { tokens: 5000 }],
    ['current length is 5000', { tokens: 5000 }],
    ['keep the first 5000', { tokens: 5000 }],
    ['resulted in 0', {}],
    ['resulted in 1', { tokens: 1 }],
    ['requested about 5000', { tokens: 5000 }],
    ['requested 5000', { tokens: 5000 }],
    ['requested: 5000', { tokens: 5000 }],
    ['requested 5000 (of which 1000 in the completion)', { tokens: 4000, answerTokens: 1000 }],
    ['requested 5000 (of which 1000 in the output)', { tokens: 4000, answerTokens: 1000 }],
    ['requested 1000 (of which 1000 in the completion)', { answerTokens: 1000 }],
    ['requested 900 (of which 1000 in the completion)', { answerTokens: 1000 }],
    ['resulted in 3000, requested 5000, 1000 in the output', { tokens: 3000, answerTokens: 1000 }],
    ["resulted in 1,234.567_890'1\u00a02\u202f3", { tokens: 1_234_567_890_123 }],
  ])('reads: %s', (words, figures) => {
    const code = 'context_length_exceeded';
    expect(contextOverflowOf({ code, message: words })).toEqual(figures);
  });

  it('reads the sum of a prompt and an answer, and no other number beside it', () => {
    const code = 'context_length_exceeded';
    const message =
      'resulted in 7000. limit: 143,653 + 64,000 > 200,000, maximum context length: 9000';
    expect(contextOverflowOf({ code, message })).toEqual({
      limit: 200_000,
      tokens: 143_653,
      answerTokens: 64_000,
    });
    expect(contextOverflowOf({ code, message: '1 + 2 > 255' })?.limit).toBeUndefined();
    expect(contextOverflowOf({ code, message: '1 + 2 > 256' })?.limit).toBe(256);
  });
});
