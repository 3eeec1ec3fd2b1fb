import { afterEach, describe, expect, it, vi } from 'vitest';
import { SummarizationError } from '../../../src/index.ts';
import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { writeRecord, type RecordRequest } from '../../../src/summaries/write-record.ts';
import { chatModel } from '../../support/models.ts';
import {
  conversation,
  failing,
  key,
  measure,
  recordBefore,
  request,
  scripted,
  writers,
  writing,
} from './record-requests.ts';

const down = new Error('down');
const unusable = new SummarizationError({
  reason: 'invalid-output',
  message: 'no JSON',
  usage: { inputTokens: 5, outputTokens: 1 },
});

/** What came of a request. */
async function outcome(given: Partial<RecordRequest>) {
  const made = request(given);
  const [result] = await Promise.allSettled([writeRecord(made.request)]);
  return { result, events: made.events };
}

/** The record that comes of it. */
async function recordFrom(given: Partial<RecordRequest>) {
  return (await writeRecord(request(given).request)).record;
}

describe('writeRecord', () => {
  it('adds to what the strategy wrote what code knows', async () => {
    const { events, request: given } = request({});
    const { record, usage, strategy, hierarchical, durationMs } = await writeRecord(given);
    const identity = identifyConversation(conversation);
    expect(record).toMatchObject({
      id: key.slice(16, 32),
      summary: 'By main.',
      depth: 0,
      strategy: 'main',
      degraded: false,
      coveredMessages: 4,
      prefixDigest: await identity.prefixDigest(4),
      metrics: { inputTokens: 40 },
    });
    expect(record.parentId).toBeUndefined();
    expect(record.metrics.outputTokens).toBeGreaterThan(10);
    expect({ usage, strategy, hierarchical }).toEqual({
      usage: { inputTokens: 7, outputTokens: 3 },
      strategy: 'main',
      hierarchical: undefined,
    });
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(events).toEqual([
      { type: 'start', reason: 'token-ratio', strategy: 'main', depth: 0, messages: 4 },
    ]);
  });

  it('gives the strategy what it needs of the options, and no more', async () => {
    const strategy = writing('main');
    const options = { maxTranscriptTokens: 9, namespace: 'tenant', telemetry: {}, enabled: true };
    const model = chatModel();
    const onAttempt = (): void => {};
    const log = (): void => {};
    const declaredContextLength = (): number => 5000;
    const given = {
      ...writers(strategy, undefined, options),
      model,
      onAttempt,
      log,
      declaredContextLength,
    };
    await writeRecord(request({ writers: given }).request);
    expect(strategy.inputs).toEqual([
      {
        messages: conversation.slice(0, 4),
        previous: undefined,
        usePreviousNarrative: false,
        model,
        recordId: expect.stringMatching(/^[\da-f]{16}$/),
        maxSummaryTokens: 500,
        contextLength: 1000,
        declaredContextLength,
        tokenMultiplier: measure.multiplier,
        maxTranscriptTokens: 9,
        namespace: 'tenant',
        redact: expect.any(Function),
        telemetry: {},
        onAttempt,
        onProgress: expect.any(Function),
        log,
        abortSignal: expect.any(AbortSignal),
      },
    ]);
  });

  it('does not pass a context length on that was only assumed', async () => {
    const strategy = writing('main');
    const { policy } = request({}).request;
    await recordFrom({
      writers: writers(strategy),
      policy: { ...policy, contextLengthKnown: false },
    });
    expect(strategy.inputs[0]?.contextLength).toBeUndefined();
  });
});

describe('a record that is continued', () => {
  it.each([
    ['below the depth cap: its narrative is read', 0, 1, true],
    ['one below the cap', 2, 3, true],
    ['at the cap: it is not, and the new one begins at 0', 3, 0, false],
    ['beyond it', 4, 0, false],
  ])('%s', async (_name, before, expected, usePreviousNarrative) => {
    const strategy = writing('main');
    const previous = await recordBefore({ depth: before });
    const messages = conversation.slice(2, 4);
    const { request: given, events } = request({
      writers: writers(strategy),
      previous,
      messages,
    });
    const { record } = await writeRecord(given);
    expect(strategy.inputs[0]).toMatchObject({ usePreviousNarrative, previous });
    expect(events[0]).toMatchObject({ type: 'start', depth: expected, messages: 2 });
    expect(record).toMatchObject({
      depth: expected,
      parentId: 'before',
      // Its own tokens, and those of the messages after it.
      metrics: { inputTokens: 28 },
    });
    const identity = identifyConversation(conversation);
    expect(record.prefixDigest).toBe(await identity.prefixDigest(4));
    expect(record.coveredMessages).toBe(4);
  });
});

describe('the fallback', () => {
  it.each([
    ['throws', down, 'strategy'],
    ['fails as the package does', unusable, 'invalid-output'],
  ])('writes when the strategy %s', async (_name, error, reason) => {
    const fallback = writing('other');
    const { result, events } = await outcome({
      writers: writers(failing('main', error), fallback),
    });
    expect(result).toMatchObject({
      status: 'fulfilled',
      value: { strategy: 'other', record: { summary: 'By other.', degraded: true } },
    });
    expect(events).toMatchObject([
      { type: 'start', strategy: 'main' },
      { type: 'failed', stage: 'summarize', reason },
      { type: 'fallback', from: 'main', to: 'other', reason },
      { type: 'start', strategy: 'other' },
    ]);
  });

  it('fails with an error of its own, and both failures are told', async () => {
    const { result, events } = await outcome({
      writers: writers(failing('main', unusable), failing('other', down)),
    });
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { reason: 'strategy', message: 'The strategy other threw.', retryable: true },
    });
    expect(events.filter(({ type }) => type === 'failed')).toMatchObject([
      { reason: 'invalid-output', usage: { inputTokens: 5, outputTokens: 1 }, error: unusable },
      { reason: 'strategy', usage: undefined },
    ]);
    expect(events.filter(({ type }) => type === 'fallback')).toHaveLength(1);
  });

  it('may be missing', async () => {
    const { result, events } = await outcome({ writers: writers(failing('main', unusable)) });
    expect(result).toEqual({ status: 'rejected', reason: unusable });
    expect(events.map(({ type }) => type)).toEqual(['start', 'failed']);
  });

  it('writes when what the strategy wrote makes the prompt no smaller', async () => {
    const placed: string[] = [];
    const { result, events } = await outcome({
      writers: writers(writing('main'), writing('other')),
      place: {
        tokens: 100,
        compose: async ({ strategy, summary }) => {
          placed.push(`${strategy}: ${summary}`);
          return { prompt: conversation.slice(0, summary === 'By main.' ? 10 : 6) };
        },
      },
    });
    // First what an empty one frees is counted.
    const empty = '[Summary omitted - insufficient budget]';
    expect(placed).toEqual([
      `main: ${empty}`,
      'main: By main.',
      `other: ${empty}`,
      'other: By other.',
    ]);
    expect(events[1]).toMatchObject({ reason: 'not-smaller', usage: { inputTokens: 7 } });
    expect(result).toMatchObject({
      status: 'fulfilled',
      value: { strategy: 'other', tokensAfter: 60 },
    });
    expect(events.map(({ type }) => type)).toEqual(['start', 'failed', 'fallback', 'start']);
  });
});

describe('an unusable summary', () => {
  const usage = { inputTokens: 7, outputTokens: 3 };
  it.each([
    ['nothing', undefined, 'content'],
    ['a text', 'Sorry.', 'content'],
    ['an object without lists', { summary: 'They spoke.' }, 'keyPoints'],
    ['a blank narrative', emptyContent(' \n'), 'summary'],
    ['one of invisible characters', emptyContent('\u200B\u00AD'), 'summary'],
  ])('is refused: %s', async (_name, written, path) => {
    const strategy = scripted('main', async () =>
      JSON.parse(JSON.stringify({ content: written, usage })),
    );
    const { result } = await outcome({ writers: writers(strategy) });
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { reason: 'invalid-output', usage, message: expect.stringContaining(path) },
    });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
  ])('is refused where a strategy returns %s', async (_name, output) => {
    const strategy = scripted('main', async () => JSON.parse(JSON.stringify({ output })).output);
    const { result } = await outcome({ writers: writers(strategy) });
    expect(result).toMatchObject({ status: 'rejected', reason: { reason: 'strategy' } });
  });
});

describe('a budget', () => {
  const policy = { maxSummaryTokens: 49, maxSummaryChainDepth: 3, contextLength: 1000 };
  it('below which a summary says nothing gets the placeholder, and no strategy is asked', async () => {
    const strategy = writing('main');
    const given = request({
      writers: writers(strategy),
      policy: { ...policy, contextLengthKnown: true },
    });
    const { record, usage } = await writeRecord(given.request);
    expect(record).toMatchObject({
      summary: '[Summary omitted - insufficient budget]',
      degraded: true,
      keyPoints: [],
    });
    expect(usage).toEqual({ inputTokens: 0, outputTokens: 0 });
    expect(strategy.inputs).toEqual([]);
  });

  it('is kept by what a strategy writes too much of', async () => {
    const strategy = writing('main', 'A sentence of six words more. '.repeat(200));
    const record = await recordFrom({
      writers: writers(strategy),
      policy: { ...policy, maxSummaryTokens: 100, contextLengthKnown: true },
    });
    expect(record.metrics.outputTokens).toBeLessThanOrEqual(100);
    expect(record.summary).toContain('A sentence');
    expect(record.degraded).toBe(false);
  });

  it('that the envelope alone exceeds leaves the placeholder', async () => {
    const record = await recordFrom({
      writers: writers(writing('main', 'They spoke.')),
      policy: { ...policy, maxSummaryTokens: 60, contextLengthKnown: true },
      measure: { ...measure, message: () => 1000 },
    });
    expect(record).toMatchObject({
      summary: '[Summary omitted - insufficient budget]',
      degraded: true,
    });
  });
});

describe('redact', () => {
  const redact = (text: string): string => text.replaceAll('SECRET', '***');
  const throwing = (text: string): string => {
    if (text.includes('SECRET')) throw new Error(text);
    return text;
  };

  it('is applied to what is written and to the record that is continued', async () => {
    const strategy = writing('main', 'A SECRET.');
    const previous = await recordBefore({ summary: 'The SECRET of before.' });
    const record = await recordFrom({
      writers: writers(strategy, undefined, { redact }),
      previous,
      messages: conversation.slice(2, 4),
    });
    expect(record.summary).toBe('A ***.');
    expect(strategy.inputs[0]?.previous?.summary).toBe('The *** of before.');
    expect(strategy.inputs[0]?.redact?.('SECRET')).toBe('***');
  });

  it('that fails for a narrative refuses it, and says once that texts were left out', async () => {
    const strategy = writing('main', 'A SECRET.');
    const fallback = writing('other', 'A SECRET too.');
    const { result, events } = await outcome({
      writers: writers(strategy, fallback, { redact: throwing }),
    });
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { reason: 'redact', usage: { inputTokens: 7, outputTokens: 3 } },
    });
    expect(events.filter((event) => event.type === 'failed').map(({ stage }) => stage)).toEqual([
      'redact',
      'summarize',
      'summarize',
    ]);
  });
});

describe('an abort', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const reason = new Error('The user left.');

  it.each([
    ['before anything', (controller: AbortController) => controller.abort(reason), false],
    ['while the strategy writes', undefined, true],
  ])('%s is no failure, and the fallback is not asked', async (_name, before, isAsked) => {
    const controller = new AbortController();
    before?.(controller);
    const strategy = scripted('main', async () => {
      controller.abort(reason);
      throw down;
    });
    const fallback = writing('other');
    const { result, events } = await outcome({
      writers: writers(strategy, fallback),
      abortSignal: controller.signal,
    });
    expect(result).toEqual({ status: 'rejected', reason });
    expect(strategy.inputs).toHaveLength(isAsked ? 1 : 0);
    expect(fallback.inputs).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['start']);
  });

  it('reaches a strategy that is deaf, and ends the wait for it', async () => {
    const controller = new AbortController();
    const strategy = scripted('main', () => {
      queueMicrotask(() => controller.abort(reason));
      return new Promise(() => {});
    });
    const { result } = await outcome({
      writers: writers(strategy),
      abortSignal: controller.signal,
    });
    expect(result).toEqual({ status: 'rejected', reason });
    expect(strategy.inputs[0]?.abortSignal?.reason).toBe(reason);
  });

  it('comes of itself for a strategy that takes more than five minutes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const strategy = scripted('main', () => new Promise(() => {}));
    const made = request({ writers: writers(strategy, writing('other')) });
    const writingIt = writeRecord(made.request);
    await vi.advanceTimersByTimeAsync(300_000 - 1);
    expect(made.events.map(({ type }) => type)).toEqual(['start']);
    await vi.advanceTimersByTimeAsync(1);
    expect((await writingIt).strategy).toBe('other');
    expect(strategy.inputs[0]?.abortSignal?.aborted).toBe(true);
    expect(made.events[1]).toMatchObject({
      type: 'failed',
      reason: 'strategy',
      error: { cause: { name: 'TimeoutError' } },
    });
  });
});
