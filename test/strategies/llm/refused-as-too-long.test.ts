import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { llmStrategy, type SummaryAttempt } from '../../../src/index.ts';
import { countText as count } from '../../support/count-text.ts';
import { apiError } from '../../retry/refusing-model.ts';
import { assistant, promptText, summaryInput, user } from './fixtures.ts';
import { extractiveModel, kindsOf } from '../levels/extractive-model.ts';
import { errorOf, withTimers } from './watch.ts';

/** About 5,000 tokens, each message with an identifier of its own. */
const messages = Array.from({ length: 60 }, (_, index) => {
  const filler = 'The build of the service was looked at again, and nothing new came up. '.repeat(
    4,
  );
  const text = `Look at TICKET-${index}X next. ${filler}`;
  return index % 2 === 0 ? user(text) : assistant(text);
});

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

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a summarising model that refuses a transcript as too long', () => {
  it.each<[string, (tokens: number) => string]>([
    [
      'its limit and the size',
      (tokens) =>
        `This model's maximum context length is 4000 tokens. However, your messages resulted in ${tokens} tokens.`,
    ],
    ['its limit alone', () => "This model's maximum context length is 4000 tokens."],
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
    const { content } = await withTimers(
      llmStrategy({ models: [first, second] }).summarize(summaryInput(first, { messages })),
    );
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

  it('is not passed over for one message that was too long to be condensed', async () => {
    const first = extractiveModel((_call, { kind }) => {
      if (kind === 'whole') throw apiError('prompt is too long');
    }, 'first');
    const second = extractiveModel(() => {}, 'second');
    const strategy = llmStrategy({
      models: [first, second],
      messageFilter: { userMessages: 'summary' },
    });
    await withTimers(strategy.summarize(summaryInput(first, { messages: messages.slice(0, 4) })));
    expect(kindsOf(first).at(-1)).toBe('object');
    expect(kindsOf(second)).toEqual([]);
  });
});

describe('the model of the conversation, known to no table', () => {
  it('is sent no more than the conversation may hold', async () => {
    const model = extractiveModel();
    const limits = { maxSummaryTokens: 400, contextLength: 4000, tokenMultiplier: 1 };
    const input = summaryInput(model, { messages, ...limits });
    await withTimers(llmStrategy().summarize(input));
    expect(kindsOf(model).length).toBeGreaterThan(2);
    for (const call of model.doGenerateCalls) expect(requestTokens(call)).toBeLessThan(3700);
  });

  it('is asked once for what fits', async () => {
    const model = extractiveModel();
    const limits = { maxSummaryTokens: 800, contextLength: 8000, tokenMultiplier: 1 };
    const input = summaryInput(model, { messages, ...limits });
    await withTimers(llmStrategy().summarize(input));
    expect(kindsOf(model)).toEqual(['object']);
    expect(promptText(model.doGenerateCalls[0])).toContain('TICKET-59X');
  });

  it('says nothing about how much another model reads', async () => {
    const other = extractiveModel(() => {}, 'other');
    const input = summaryInput(extractiveModel(), { messages, contextLength: 4000 });
    await withTimers(llmStrategy({ models: [other] }).summarize(input));
    expect(kindsOf(other)).toEqual(['object']);
  });
});
