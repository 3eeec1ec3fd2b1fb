import { type LanguageModelV4CallOptions, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { llmStrategy, type SummaryAttempt } from '../../../src/index.ts';
import { countText as count } from '../../support/count-text.ts';
import { apiError, textResult } from '../../support/models.ts';
import { extractiveModel, kindsOf } from '../levels/extractive-model.ts';
import { shapeOf, textOf } from '../../support/prompts.ts';
import { answer, modelResult, promptText, summaryInput, ticketTalk } from './fixtures.ts';
import { user } from '../../support/prompt-messages.ts';
import { errorOf, withFakeTimers, withTimers, written } from './watch.ts';

const good = JSON.stringify(answer({ summary: 'Short.' }));

type Ask = LanguageModelV4CallOptions;

const asksForJson = ({ responseFormat }: Ask): boolean => responseFormat?.type === 'json';
const hasSystem = ({ prompt }: Ask): boolean => prompt.some(({ role }) => role === 'system');
const hasLimits = ({ maxOutputTokens, reasoning }: Ask): boolean =>
  maxOutputTokens !== undefined || reasoning !== undefined;

/** A model that refuses what it is asked for. */
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
    expect((await strategy.summarize(input)).content.summary, `time ${time}`).toBe('Short.');
  return attempts;
}

/** Refuses what asks for something, in the words of a provider. */
const refusing =
  (isWhy: (asked: Ask) => boolean, message: string, status?: number) =>
  (asked: Ask): Error | undefined =>
    isWhy(asked) ? apiError(message, status) : undefined;
const noSchema = 'This model does not support response format `json_schema`.';
const noInstructions = 'Developer instruction is not enabled for models/gemma-3-27b-it';
const noSystem = 'System role not supported';
const tooMany = 'max_tokens is too large: 8000. This model supports at most 4096.';
const inPackage = new UnsupportedFunctionalityError({ functionality: 'JSON response format' });

describe('a model that refuses the form of a request', () => {
  it.each<[string, (asked: Ask) => Error | undefined, readonly string[][]]>([
    ['Groq', refusing(asksForJson, noSchema), [['json']]],
    ['one without a system role', refusing(hasSystem, noInstructions), [['system']]],
    ['a template that fails in the server', refusing(hasSystem, noSystem, 500), [['system']]],
    [
      'one that says nothing',
      refusing((asked) => asksForJson(asked) || hasSystem(asked), 'Bad Request'),
      [['json', 'limits'], ['system']],
    ],
    ['one that cannot write so much', refusing(hasLimits, tooMany), [['limits']]],
    ['a provider package', (asked) => (asksForJson(asked) ? inPackage : undefined), [['json']]],
  ])('is asked in another one, and from then on: %s', async (_, refuses, parts) => {
    const model = modelThat(refuses, 'gpt-5-nano');
    const attempts = await summarizeTwice(model);
    const outcomes = attempts.map(({ outcome, refused }) => refused ?? outcome);
    expect(outcomes).toEqual([...parts, 'ok', 'ok']);
    expect(model.doGenerateCalls[0]).toMatchObject({ maxOutputTokens: 8000, reasoning: 'low' });
    const { prompt = [] } = model.doGenerateCalls.at(-1) ?? {};
    expect(shapeOf(prompt)).toBe(parts.flat().includes('system') ? 'u' : 'su');
    expect(textOf(prompt[0])).toMatch(/^You keep the record of a conversation\./);
  });

  it.each([
    ['what comes as a stream holds nothing', true],
    ['it has no means to stream', false],
  ])('is asked for all at once, and for a stream never again, where %s', async (_, isEmpty) => {
    const model = modelThat(() => undefined);
    const finishReason = { unified: 'other', raw: undefined } as const;
    const finish = { type: 'finish', finishReason, usage: textResult('').usage } as const;
    let streams = 0;
    model.doStream = async () => {
      streams += 1;
      if (!isEmpty) throw new Error('Streaming is not supported.');
      return { stream: simulateReadableStream({ chunks: [finish] }) };
    };
    const attempts = await summarizeTwice(model);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    expect(streams).toBe(1);
  });

  it('is asked in all forms once, where none is why', async () => {
    const model = modelThat(() => apiError('Bad Request'));
    const strategy = llmStrategy();
    for (const calls of [3, 4]) {
      await expect(strategy.summarize(summaryInput(model))).rejects.toThrow('HTTP 400');
      expect(model.doGenerateCalls).toHaveLength(calls);
    }
  });
});

describe('limits of a request', () => {
  it.each([
    ['gpt-4o-mini', { maxOutputTokens: 8000 }],
    ['o3', { maxOutputTokens: 8000, reasoning: 'low' }],
    ['gpt-5-chat-latest', { maxOutputTokens: 8000 }],
    ['gpt-4-turbo', { maxOutputTokens: 4000 }],
    ['vendor/gpt-11', { reasoning: 'low' }],
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
});

/** About 5,000 tokens. */
const messages = ticketTalk(60);

/** Tokens of a request as a provider counts them, schema included. */
function requestTokens({ prompt, responseFormat }: LanguageModelV4CallOptions): number {
  return count(JSON.stringify([prompt, responseFormat]));
}

/** A model that refuses what is longer than it reads, in the words of a provider. */
function modelReading(
  limit: number,
  refusal: (tokens: number) => string,
  modelId = 'extractive',
): ReturnType<typeof extractiveModel> {
  return extractiveModel((_call, _asked, options) => {
    const tokens = requestTokens(options);
    if (tokens > limit) throw apiError(refusal(tokens));
  }, modelId);
}

describe('a summarizing model that refuses a transcript as too long', () => {
  withFakeTimers();

  it.each<[string, (tokens: number) => string]>([
    [
      'its limit and the size',
      (tokens) =>
        `This model's maximum context length is 4000 tokens. However, your messages resulted in ${tokens} tokens.`,
    ],
    ['nothing', () => 'prompt is too long'],
  ])(
    'is given smaller pieces when it states %s, and has not to refuse again',
    async (_, refusal) => {
      const model = modelReading(4000, refusal);
      const attempts: SummaryAttempt[] = [];
      const strategy = llmStrategy();
      const onAttempt = (attempt: SummaryAttempt): void => void attempts.push(attempt);
      const input = summaryInput(model, { messages, maxSummaryTokens: 400, onAttempt });
      await withTimers(strategy.summarize(input));
      const refused = attempts.filter(({ outcome }) => outcome !== 'ok');
      expect(refused.length).toBeLessThanOrEqual(2);
      expect(refused[0]?.detail).toBe('HTTP 400, too long for the model');
      const read = model.doGenerateCalls.slice(refused.length).map(promptText).join(' ');
      for (const index of messages.keys()) expect(read).toContain(`TICKET-${index}X`);
      expect(model.doGenerateCalls.length - refused.length).toBeLessThanOrEqual(4);

      const more = [...messages, user('Look at TICKET-60X next.')];
      await withTimers(strategy.summarize({ ...input, messages: more }));
      expect(attempts.filter(({ outcome }) => outcome !== 'ok')).toEqual(refused);
    },
  );

  it('reads what another namespace sends at once: its tokens may be other ones', async () => {
    let limit = 4000;
    const model = extractiveModel((_call, _asked, options) => {
      if (requestTokens(options) > limit) throw apiError('prompt is too long');
    });
    const strategy = llmStrategy();
    const input = summaryInput(model, { messages, maxSummaryTokens: 400 });
    await withTimers(strategy.summarize({ ...input, namespace: 'one' }));
    limit = Infinity;
    const before = model.doGenerateCalls.length;
    await withTimers(strategy.summarize({ ...input, namespace: 'other' }));
    expect(kindsOf(model, before)).toEqual(['object']);
  });

  it('leaves the transcript to the next model when it refuses whatever it is sent', async () => {
    const first = modelReading(0, () => 'prompt is too long', 'first');
    const second = extractiveModel(() => {}, 'second');
    const { content } = await written(first, { messages }, { models: [first, second] });
    expect(first.doGenerateCalls.length).toBeLessThan(3);
    expect(kindsOf(second)).toContain('object');
    expect(content.summary).toContain('TICKET-59X');
  });

  it('ends after three refusals, and is asked again for the next summary', async () => {
    const model = modelReading(0, () => 'prompt is too long');
    const strategy = llmStrategy();
    for (const attempt of [1, 2, 3]) {
      const error = await errorOf(strategy.summarize(summaryInput(model, { messages })));
      expect(model.doGenerateCalls.length).toBeLessThanOrEqual(3 * attempt);
      expect(error).toMatchObject({ reason: 'transport', retryable: false });
    }
  });
});

describe('the model of the conversation, known to no table', () => {
  withFakeTimers();

  it('is sent no more than the conversation may hold', async () => {
    const model = extractiveModel();
    const limits = { maxSummaryTokens: 400, contextLength: 4000, tokenMultiplier: 1 };
    const input = summaryInput(model, { messages, ...limits });
    await withTimers(llmStrategy().summarize(input));
    expect(kindsOf(model).length).toBeGreaterThan(2);
    for (const call of model.doGenerateCalls) expect(requestTokens(call)).toBeLessThan(3700);
  });
});
