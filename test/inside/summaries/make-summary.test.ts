import { describe, expect, it } from 'vitest';
import { SummarizationError, memoryStore, type SummaryStore } from '../../../src/index.ts';
import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import type { Prompt } from '../../support/prompt-types.ts';
import type { StoredSummary } from '../../../src/record/stored-summary.ts';
import { storeKeys } from '../../../src/stores/store-keys.ts';
import { makeSummary, type SummaryOrder } from '../../../src/summaries/make-summary.ts';
import { boundedMap } from '../../../src/util/maps/bounded-map.ts';
import { openState, testSecret } from '../support/open-state.ts';
import {
  conversation,
  eventLog,
  failing,
  measure,
  scripted,
  writers,
  writing,
} from './record-requests.ts';

const reason = new Error('The user left.');

/** Messages of a prompt, of ten tokens each. */
function promptOf(length: number): Prompt {
  return conversation.slice(0, length).map((message) => ({ ...message }));
}

/** An order for the summary of the third and fourth message, and what came of it. */
function order(given: Partial<SummaryOrder> = {}, store: SummaryStore = memoryStore()) {
  const { emit, events } = eventLog();
  const failures: (readonly [string, SummarizationError])[] = [];
  const keys = storeKeys(testSecret, '');
  const identity = identifyConversation(conversation);
  const state = openState(conversation, store);
  const made: SummaryOrder = {
    writers: writers(writing('main')),
    view: { conversation, identity },
    range: { start: 0, cut: 4, count: 4 },
    joins: 'any',
    policy: {
      limit: 200,
      maxSummaryTokens: 500,
      maxSummaryChainDepth: 3,
      triggerTokenRatio: 0.8,
      resetTokenRatio: 0.5,
      minMessages: 0,
      cooldownMessages: 0,
      atMaxDepth: 'rebase',
      contextLength: 1000,
      contextLengthKnown: true,
    },
    measure,
    place: { tokens: 100, compose: async () => ({ prompt: promptOf(7) }) },
    warn: () => {},
    previous: undefined,
    reason: 'token-ratio',
    state,
    memory: { windows: boundedMap(100) },
    failures: { remember: (key, error) => void failures.push([key, error]) },
    tree: {
      store: undefined,
      conversationId: undefined,
      namespace: undefined,
      treeId: undefined,
      keys,
    },
    patience: {},
    patienceMs: 60_000,
    emit,
    ...given,
  };
  return { order: made, events, failures, state };
}

/** The place of a record in a prompt of so many tokens. */
function place(
  compose: SummaryOrder['place']['compose'] = async () => ({ prompt: promptOf(7) }),
  tokens: number = 100,
): SummaryOrder['place'] {
  return { tokens, compose };
}

/** Makes a summary for a call that waits for it. */
async function summaryOf(of: SummaryOrder): Promise<StoredSummary> {
  const summary = await makeSummary(of);
  if (summary === undefined || 'begun' in summary) throw new Error('expected a summary');
  return summary;
}

/** What became of an order. */
async function outcome(made: SummaryOrder) {
  const [result] = await Promise.allSettled([makeSummary(made)]);
  return result;
}

describe('makeSummary', () => {
  it('writes a summary, stores it and tells of it', async () => {
    const { order: made, events, failures, state } = order();
    const summary = await summaryOf(made);
    expect(summary).toMatchObject({
      record: { summary: 'By main.', depth: 0 },
      lastSummarization: { depth: 0, messageCount: 10, tokenRatio: 0.35 },
    });
    expect(await state.find()).toMatchObject({ record: { id: summary.record.id } });
    expect(events).toEqual([
      { type: 'start', reason: 'token-ratio', strategy: 'main', depth: 0, messages: 4 },
      {
        type: 'end',
        reason: 'token-ratio',
        strategy: 'main',
        record: summary.record,
        depth: 0,
        degraded: false,
        coveredMessages: 4,
        tokensBefore: 100,
        tokensAfter: 70,
        ratioBefore: 0.5,
        durationMs: expect.any(Number),
        calls: 0,
        usage: { inputTokens: 7, outputTokens: 3 },
      },
    ]);
    expect(failures).toEqual([]);
  });
});

describe('a failure', () => {
  it('is remembered under the key of its summary, and nothing is stored', async () => {
    const { order: made, failures, state } = order({ writers: writers(failing('main')) });
    const result = await outcome(made);
    const error = result?.status === 'rejected' ? result.reason : undefined;
    expect(SummarizationError.isInstance(error)).toBe(true);
    expect(failures).toEqual([[await state.keyOf(4), error]]);
    expect(await state.find()).toBeUndefined();
  });

  it('of what composes the prompt is one of the summary', async () => {
    const { order: made } = order({
      place: place(() => Promise.reject(new TypeError('no'))),
    });
    expect(await outcome(made)).toMatchObject({
      status: 'rejected',
      reason: { reason: 'strategy' },
    });
  });
});

describe('summarising models that fail', () => {
  const attempt = { model: 'vendor:one', outcome: 'transport-error', detail: 'HTTP 401' } as const;

  it.each([
    ['where the fallback writes', false, 1],
    ['also where the caller left', true, 1],
  ])('are told of, and warned of once it is over, %s', async (_name, leaves, warned) => {
    const controller = new AbortController();
    const strategy = scripted('main', async (input) => {
      input.onAttempt?.(attempt);
      if (leaves) controller.abort(reason);
      throw new Error('down');
    });
    const attempts: unknown[] = [];
    const warnings: string[] = [];
    const { order: made } = order({
      writers: {
        ...writers(strategy, writing('other'), { redact: (text) => text.replace('HTTP', '***') }),
        onAttempt: (told) => void attempts.push(told),
      },
      warn: ({ cause }) => void warnings.push(cause ?? ''),
      patience: { abortSignal: controller.signal },
    });
    expect((await outcome(made))?.status).toBe(leaves ? 'rejected' : 'fulfilled');
    await summaryOf({ ...made, patience: {} });
    expect(attempts).toEqual([attempt]);
    expect(warnings).toEqual(Array(warned).fill('vendor:one *** 401'));
  });
});

describe('a summary that takes too long', () => {
  it.each([
    ['gives way to that of the fallback', [writing('other')], 'other'],
    ['fails without a fallback, and is remembered as one that may work later', [], undefined],
  ])('%s', async (_name, fallback, written) => {
    const strategy = scripted('main', () => new Promise(() => {}));
    const {
      order: made,
      events,
      failures,
    } = order({ writers: writers(strategy, ...fallback), patience: { hurryAfterMs: 0 } });
    const result = await outcome(made);
    expect(result).toMatchObject(
      written === undefined
        ? { status: 'rejected', reason: { reason: 'timeout', retryable: true } }
        : { status: 'fulfilled', value: { record: { strategy: written, degraded: true } } },
    );
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', reason: 'timeout' }));
    expect(failures).toHaveLength(written === undefined ? 1 : 0);
  });

  it('is not thrown away once the strategy has written it', async () => {
    const composing = Promise.withResolvers<void>();
    const hurry = Promise.withResolvers<void>();
    const { order: made } = order({
      writers: writers(writing('main'), writing('other')),
      place: place(async () => {
        composing.resolve();
        await hurry.promise;
        return { prompt: promptOf(7) };
      }),
    });
    const waiting = summaryOf(made);
    await composing.promise;
    const hurried = summaryOf({ ...made, patience: { hurryAfterMs: 0 } });
    hurry.resolve();
    expect((await waiting).record.strategy).toBe('main');
    expect((await hurried).record.strategy).toBe('main');
  });
});

describe('an abort', () => {
  /** A store and a strategy that do something before each of their operations. */
  function stepping(onStep: (step: string) => void) {
    const inner = memoryStore();
    const writes: string[] = [];
    const store: SummaryStore = {
      get: (key) => {
        onStep('read');
        return inner.get(key);
      },
      compareAndSet: (key, entry) => {
        writes.push(key);
        return inner.compareAndSet(key, entry);
      },
      delete: inner.delete,
    };
    const strategy = scripted('main', async (input) => {
      onStep('write');
      return writing('main').summarize(input);
    });
    return { store, strategy, writes };
  }

  function aborting(at: string) {
    const controller = new AbortController();
    const abortAt = (step: string): void => {
      if (step === at) controller.abort(reason);
    };
    const { store, strategy, writes } = stepping(abortAt);
    abortAt('none');
    const compose = async () => {
      abortAt('compose');
      return { prompt: promptOf(7) };
    };
    const patience = { abortSignal: controller.signal };
    const { order: made, failures } = order(
      { writers: writers(strategy), patience, place: place(compose) },
      store,
    );
    return { made, failures, strategy, writes };
  }

  it.each([
    ['before anything', 'none'],
    ['while the store is read', 'read'],
  ])('%s stores nothing and is no failure', async (_name, at) => {
    const { made, failures, strategy, writes } = aborting(at);
    expect(await outcome(made)).toEqual({ status: 'rejected', reason });
    expect(strategy.inputs).toEqual([]);
    expect(writes).toEqual([]);
    expect(failures).toEqual([]);
  });

  it.each([
    ['while the strategy writes', 'write'],
    ['while the prompt is composed', 'compose'],
  ])('%s leaves the summary to the next call', async (_name, at) => {
    const { made, failures, strategy } = aborting(at);
    expect(await outcome(made)).toEqual({ status: 'rejected', reason });
    const { record } = await summaryOf({ ...made, patience: {} });
    expect(record.summary).toBe('By main.');
    expect(strategy.inputs).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('with an error of the package as its reason is remembered by nobody', async () => {
    const controller = new AbortController();
    const error = new SummarizationError({ reason: 'transport', message: 'stop' });
    const strategy = scripted('main', async (input) => {
      controller.abort(error);
      return writing('main').summarize(input);
    });
    const { order: made, failures } = order({
      writers: writers(strategy),
      patience: { abortSignal: controller.signal },
    });
    expect(await outcome(made)).toEqual({ status: 'rejected', reason: error });
    await summaryOf({ ...made, patience: {} });
    expect(failures).toEqual([]);
  });
});
