import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { APICallError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { llmStrategy, type SummaryAttempt } from '../../../src/index.ts';
import { answer, modelResult, summaryInput } from './fixtures.ts';

const good = JSON.stringify(answer({ summary: 'Short.' }));

type Ask = LanguageModelV4CallOptions;

const asksForJson = ({ responseFormat }: Ask): boolean => responseFormat?.type === 'json';
const hasSystem = ({ prompt }: Ask): boolean => prompt.some(({ role }) => role === 'system');
const hasLimits = ({ maxOutputTokens, reasoning }: Ask): boolean =>
  maxOutputTokens !== undefined || reasoning !== undefined;

function refusal(message: string, statusCode = 400): APICallError {
  return new APICallError({ message, url: '', requestBodyValues: {}, statusCode });
}

/** A model that refuses what it is asked for, in the words of a provider. */
function modelThat(refuses: (asked: Ask) => Error | undefined, modelId = 'm'): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'vendor',
    modelId,
    doGenerate: async (asked) => {
      const error = refuses(asked);
      if (error !== undefined) throw error;
      return modelResult(good);
    },
  });
}

async function summarizeTwice(model: MockLanguageModelV4): Promise<readonly SummaryAttempt[]> {
  const attempts: SummaryAttempt[] = [];
  const strategy = llmStrategy();
  const input = summaryInput(model, { onAttempt: (attempt) => attempts.push(attempt) });
  for (const time of [1, 2])
    // oxlint-disable-next-line no-await-in-loop -- the second time it is known
    expect((await strategy.summarize(input)).content.summary, `time ${time}`).toBe('Short.');
  return attempts;
}

describe('a model that refuses the form of a request', () => {
  it.each<[string, (asked: Ask) => Error | undefined, readonly string[][]]>([
    [
      'Groq',
      (asked) =>
        asksForJson(asked)
          ? refusal('This model does not support response format `json_schema`.')
          : undefined,
      [['json']],
    ],
    [
      'LM Studio',
      (asked) =>
        asksForJson(asked)
          ? refusal("'response_format.type' must be 'json_schema' or 'text'")
          : undefined,
      [['json']],
    ],
    [
      'a model without a system role',
      (asked) =>
        hasSystem(asked)
          ? refusal('Developer instruction is not enabled for models/gemma-3-27b-it')
          : undefined,
      [['system']],
    ],
    [
      'a template that fails in the server',
      (asked) => (hasSystem(asked) ? refusal('System role not supported', 500) : undefined),
      [['system']],
    ],
    [
      'one that takes neither',
      (asked) => {
        if (asksForJson(asked)) return refusal('JSON mode is not enabled for this model');
        return hasSystem(asked) ? refusal('System role not supported') : undefined;
      },
      [['json'], ['system']],
    ],
    [
      'one that says nothing',
      (asked) => (asksForJson(asked) || hasSystem(asked) ? refusal('Bad Request') : undefined),
      [['json', 'limits'], ['system']],
    ],
    [
      'a provider package',
      (asked) =>
        asksForJson(asked)
          ? new UnsupportedFunctionalityError({ functionality: 'JSON response format' })
          : undefined,
      [['json']],
    ],
  ])('is asked in another one, and from then on: %s', async (_, refuses, parts) => {
    const model = modelThat(refuses);
    const attempts = await summarizeTwice(model);
    expect(attempts.map(({ outcome, refused }) => refused ?? outcome)).toEqual([
      ...parts,
      'ok',
      'ok',
    ]);
    const last = model.doGenerateCalls.at(-1);
    expect(JSON.stringify(last?.prompt)).toContain('You keep the record of a conversation.');
  });

  it('is asked for fewer tokens where it cannot write so many', async () => {
    const model = modelThat(
      (asked) =>
        hasLimits(asked)
          ? refusal('max_tokens is too large: 8000. This model supports at most 4096.')
          : undefined,
      'gpt-5-nano',
    );
    const attempts = await summarizeTwice(model);
    expect(attempts.map(({ outcome, refused }) => refused ?? outcome)).toEqual([
      ['limits'],
      'ok',
      'ok',
    ]);
    expect(model.doGenerateCalls[0]).toMatchObject({ maxOutputTokens: 8000, reasoning: 'low' });
  });

  it.each([
    ['a filter', 'Your request was flagged by the content filter.'],
    ['a wrong key', 'API key not valid. Please pass a valid API key.'],
  ])('is not taken for one that refuses what it says: %s', async (_, message) => {
    const model = modelThat(() => refusal(message));
    await expect(llmStrategy().summarize(summaryInput(model))).rejects.toThrow('HTTP 400');
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('is asked for all at once, where what comes as a stream holds nothing', async () => {
    const model = modelThat(() => undefined);
    const nothing = { total: undefined, noCache: undefined, cacheRead: undefined };
    const usage = {
      inputTokens: { ...nothing, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
    const finishReason = { unified: 'other', raw: undefined } as const;
    model.doStream = async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'finish', finishReason, usage },
        ],
      }),
    });
    const attempts = await summarizeTwice(model);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  });

  it('is not asked for a stream again, where it has no means to', async () => {
    const model = modelThat(() => undefined);
    let streams = 0;
    model.doStream = async () => {
      streams += 1;
      throw new Error('Streaming is not supported.');
    };
    const attempts = await summarizeTwice(model);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    expect(streams).toBe(1);
  });

  it('is asked in all forms once, where none is why', async () => {
    const model = modelThat(() => refusal('Bad Request'));
    const strategy = llmStrategy();
    for (const calls of [3, 4]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another is the point
      await expect(strategy.summarize(summaryInput(model))).rejects.toThrow('HTTP 400');
      expect(model.doGenerateCalls).toHaveLength(calls);
    }
  });
});

describe('limits of a request', () => {
  it.each([
    ['gpt-4o-mini', { maxOutputTokens: 8000 }],
    ['gpt-4-turbo', { maxOutputTokens: 4000 }],
    ['o3', { maxOutputTokens: 8000, reasoning: 'low' }],
    ['openai/gpt-5', { maxOutputTokens: 8000, reasoning: 'low' }],
    ['gpt-5-chat-latest', { maxOutputTokens: 8000 }],
    ['gemini-2.5-flash', { maxOutputTokens: 8000, reasoning: 'low' }],
    ['claude-sonnet-4-5', { maxOutputTokens: 8000 }],
    // What nobody knows may hold little: its server says what is left.
    ['something-of-mine', {}],
  ])('%s: %j', async (modelId, limits) => {
    const model = modelThat(() => undefined, modelId);
    await llmStrategy().summarize(summaryInput(model));
    const { maxOutputTokens, reasoning } = model.doGenerateCalls[0] ?? {};
    expect({ maxOutputTokens, reasoning }).toEqual({ reasoning: undefined, ...limits });
  });

  it('ask a model that is seen to reason for little of it', async () => {
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        const { usage, ...result } = modelResult(good);
        const outputTokens = { ...usage.outputTokens, reasoning: 900 };
        return { ...result, usage: { ...usage, outputTokens } };
      },
    });
    const strategy = llmStrategy();
    await strategy.summarize(summaryInput(model));
    await strategy.summarize(summaryInput(model));
    expect(model.doGenerateCalls.map(({ reasoning }) => reasoning)).toEqual([undefined, 'low']);
  });
});
