import { describe, expect, it } from 'vitest';
import { composePrompt, type Composition } from '../../../src/composing/compose-prompt.ts';
import { llmStrategy, SummarizationError } from '../../../src/index.ts';
import { type Plan, planCall } from '../../../src/call/plan-call.ts';
import type { Call } from '../../../src/call/read-call.ts';
import { buildRecord } from '../../../src/record/build-record.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { viewConversation } from '../../../src/selection/conversation-view.ts';
import type { SizeInterval } from '../../../src/sizing/size-call.ts';
import { testMeasure } from '../fitting/growing-history.ts';
import * as sent from '../../support/prompt-messages.ts';
import { words } from '../../support/messages.ts';
import { untyped } from '../../support/untyped.ts';
import { policy as triggerPolicy } from '../planning/decision-cases.ts';

const measure = await testMeasure();
const model = { provider: 'openai.responses', modelId: 'gpt-test' };
const policy = {
  ...triggerPolicy,
  limit: 1000,
  preserveRecent: 4,
  preserveRecentTokenRatio: 0.1,
  maxSummaryTokens: 100,
};

/** Twenty turns of a chat, of about 50 tokens each unless said otherwise. */
function turns(count = 20, tokens = 45): Call['params']['prompt'] {
  return Array.from({ length: count }, (_, index) => {
    const text = words(index, tokens);
    return index % 2 === 0 ? sent.user(text) : sent.assistant(text);
  });
}

function size(tokens: number): SizeInterval {
  const figures = { least: tokens, most: tokens, tokens, fixedTokens: 0 };
  return { ...figures, measuredBy: 'count', tokenizer: 'exact', measure };
}

interface Applied {
  readonly cut: number;
  readonly depth: number;
  readonly outputTokens?: number;
}

interface Given {
  readonly prompt?: Call['params']['prompt'];
  readonly tokens?: number;
  readonly abortSignal?: AbortSignal;
  readonly policy?: Partial<Call['policy']>;
  readonly snapshot?: Partial<Call['snapshot']>;
  readonly options?: Partial<Call['options']>;
  /** Whether there is a strategy. */
  readonly canSummarize?: boolean;
  /** Characters of the user's texts that stand beside a summary. */
  readonly userTextCharacters?: number;
  readonly recentFailure?: (key: string) => SummarizationError | undefined;
  /** Messages that a stored record stands for, its depth, and what its summary takes. */
  readonly applied?: Applied;
  readonly pinnedMessages?: readonly number[];
}

async function plan(given: Given = {}): Promise<Plan> {
  const { prompt = turns(), tokens = 850, applied, pinnedMessages = [], abortSignal } = given;
  const params = { prompt, abortSignal };
  const view = viewConversation({
    params,
    model,
    pinnedMessages,
    callOptions: {},
    pin: undefined,
    onPinError: () => {},
  });
  async function* sizes(): AsyncGenerator<SizeInterval, void, void> {
    yield size(tokens);
  }
  const composition = applied && (await composed(applied, view));
  const call: Partial<Record<keyof Call, unknown>> = {
    params,
    view,
    prompt: composition?.prompt ?? prompt,
    composition,
    style: { userTextCharacters: given.userTextCharacters ?? 0 },
    sizes: sizes(),
    strategy: given.canSummarize === false ? undefined : llmStrategy(),
    conversationId: 'one',
    memory: {},
    isToOrder: false,
    canPutInPlace: false,
    failures: { recall: given.recentFailure ?? (() => undefined) },
    state: { keyOf: async (count: number) => `key of ${count}` },
    toolResults: {},
    options: { condenseToolResults: false, ...given.options },
    policy: { ...policy, ...given.policy },
    snapshot: {
      forced: false,
      limit: 1000,
      messageCount: prompt.length,
      newUserTurns: 10,
      ...given.snapshot,
    },
  };
  return planCall(untyped(call));
}

async function composed(
  { cut, depth, outputTokens = 30 }: Applied,
  view: Call['view'],
): Promise<Composition> {
  const record = buildRecord(
    {
      key: 'a'.repeat(64),
      depth,
      parent: undefined,
      coveredMessages: cut,
      prefixDigest: 'digest',
      strategy: 'llm',
      degraded: false,
      inputTokens: 100,
    },
    emptyContent('They spoke of rivers.'),
    outputTokens,
  );
  const style = { placement: 'system', userTextCharacters: 0 } as const;
  return composePrompt(view, style, { record, cut });
}

const failure = new SummarizationError({ reason: 'transport', message: 'It was down.' });
const toolTurns = turns().flatMap((message, index) =>
  index % 2 === 0
    ? [message]
    : [
        sent.assistant('', sent.call(`call_${index}`)),
        {
          role: 'tool' as const,
          content: [sent.result(`call_${index}`, words(index, 60).repeat(4))],
        },
      ],
);

/** A call of which a summary would free some 700 tokens, less than a fiftieth. */
const large: Given = {
  tokens: 90_000,
  policy: { limit: 100_000, preserveRecentTokenRatio: 0 },
  snapshot: { limit: 100_000 },
};
/** A call of which a summary would take the place of a few words. */
const short: Given = { prompt: [...turns(4, 2), ...turns(4, 45)] };

describe('planCall', () => {
  it.each<{ name: string; given: Given; expected: object }>([
    {
      name: 'sends what is below the trigger',
      given: { tokens: 799 },
      expected: { step: 'send', reason: 'below-trigger', tokens: 799 },
    },
    {
      name: 'sends it with its record',
      given: { tokens: 500, applied: { cut: 4, depth: 0 } },
      expected: { step: 'apply', reason: 'below-trigger' },
    },
    {
      name: 'stands aside where it is disabled',
      given: { tokens: 2000, snapshot: { standAside: 'disabled' } },
      expected: { step: 'stand-aside', reason: 'disabled' },
    },
    {
      name: 'stands aside where the provider holds the history',
      given: { tokens: 2000, snapshot: { standAside: 'server-managed' } },
      expected: { step: 'stand-aside', reason: 'server-managed' },
    },
    {
      name: 'does not act on a size that is not counted',
      given: { snapshot: { messageCount: 3 } },
      expected: { step: 'send', reason: 'min-messages' },
    },
    {
      name: 'summarises up to the recent messages',
      given: {},
      expected: {
        step: 'summarize',
        reason: 'token-ratio',
        range: { start: 0, cut: 16, count: 16 },
      },
    },
    {
      name: 'goes on from the record that applies',
      given: { applied: { cut: 6, depth: 0 } },
      expected: { step: 'summarize', range: { start: 6, cut: 16, count: 16 } },
    },
    {
      name: 'keeps more recent messages where they fit their share',
      given: { policy: { preserveRecentTokenRatio: 0.4 } },
      expected: { step: 'summarize', range: { start: 0, cut: 13 } },
    },
    {
      name: 'keeps fewer where the summary is to be larger',
      given: { policy: { maxSummaryTokens: 520 } },
      expected: { step: 'summarize', range: { start: 0, cut: 18 } },
    },
    {
      name: 'leaves as much room again for the texts of the user beside a summary',
      given: { policy: { maxSummaryTokens: 260 }, userTextCharacters: 1000 },
      expected: { step: 'summarize', range: { start: 0, cut: 18 } },
    },
    {
      name: 'makes it fit where there is no strategy',
      given: { canSummarize: false },
      expected: { step: 'fit', reason: 'no-strategy' },
    },
    {
      name: 'makes it fit at the last depth, in an emergency too',
      given: {
        tokens: 1200,
        applied: { cut: 6, depth: 3 },
        policy: { atMaxDepth: 'halt' },
        snapshot: { last: { depth: 3, messageCount: 6, tokenRatio: 0.4 } },
      },
      expected: { step: 'fit', reason: 'max-depth', decision: { act: 'emergency' } },
    },
    {
      name: 'summarises beyond the last depth where that begins anew',
      given: { tokens: 1200, applied: { cut: 6, depth: 3 } },
      expected: { step: 'summarize' },
    },
    {
      name: 'summarises at the last depth but one where that halts',
      given: { tokens: 1200, applied: { cut: 6, depth: 2 }, policy: { atMaxDepth: 'halt' } },
      expected: { step: 'summarize' },
    },
    {
      name: 'does not pay for a summary where what must stay takes all',
      given: { tokens: 1200, prompt: [sent.system(words(1, 1100)), ...turns()] },
      expected: { step: 'fit', reason: 'nothing-to-cover' },
    },
    {
      name: 'does not pay for one where the last message of the user takes all',
      given: {
        tokens: 1200,
        prompt: [...turns(), sent.user(words(1, 1100)), sent.assistant('Yes.')],
      },
      expected: { step: 'fit', reason: 'nothing-to-cover' },
    },
    {
      name: 'does not pay for one that would free next to nothing',
      given: {
        prompt: [...turns(4, 2), ...turns(16, 60)],
        policy: { preserveRecent: 16, limit: 3000 },
      },
      expected: { step: 'fit', reason: 'nothing-to-cover' },
    },
    {
      name: 'does not pay for one that frees less than a share of a large prompt',
      given: large,
      expected: { step: 'fit', reason: 'nothing-to-cover' },
    },
    {
      name: 'pays for it where the prompt does not fit',
      given: { ...large, tokens: 100_000 },
      expected: { step: 'summarize', reason: 'context-overflow' },
    },
    {
      name: 'pays for it where it is forced',
      given: { ...large, snapshot: { limit: 100_000, forced: true } },
      expected: { step: 'summarize', reason: 'forced' },
    },
    {
      name: 'does not pay for one that is larger than what it stands for, though forced',
      given: { ...short, snapshot: { forced: true } },
      expected: { step: 'fit', reason: 'nothing-to-cover' },
    },
    {
      name: 'pays for one that takes the place of a summary as large',
      given: {
        ...short,
        applied: { cut: 2, depth: 0, outputTokens: 400 },
        snapshot: { forced: true },
      },
      expected: { step: 'summarize', range: { start: 2, cut: 4 } },
    },
    {
      name: 'does not pay for one of messages that stay',
      given: {
        prompt: turns(6, 110),
        pinnedMessages: [0, 1, 2, 3, 4, 5],
        snapshot: { forced: true },
      },
      expected: { step: 'fit', reason: 'nothing-to-cover' },
    },
    {
      name: 'reckons what stays of a record as what stayed before',
      given: {
        prompt: [...turns(2, 150), ...turns(8, 45)],
        pinnedMessages: [0, 1],
        applied: { cut: 2, depth: 0 },
        snapshot: { forced: true },
      },
      expected: { step: 'summarize', range: { start: 2, cut: 6 } },
    },
    {
      name: 'has nothing to summarise in a single message',
      given: { prompt: turns(1, 300), snapshot: { forced: true } },
      expected: { step: 'fit', reason: 'nothing-to-cover' },
    },
    {
      name: 'leaves room for one summary where no texts of the user stand beside it',
      given: { policy: { maxSummaryTokens: 260 } },
      expected: { step: 'summarize', range: { start: 0, cut: 16 } },
    },
    {
      name: 'keeps fewer recent messages beside a long system message',
      given: { prompt: [sent.system(words(1, 450)), ...turns()] },
      expected: { step: 'summarize', range: { start: 0, cut: 18 } },
    },
    {
      name: 'keeps recent messages for their share of a prompt that is far from full',
      given: { tokens: 300, policy: { turnThreshold: 3, preserveRecentTokenRatio: 0.4 } },
      expected: { step: 'summarize', reason: 'turn-threshold', range: { start: 0, cut: 16 } },
    },
    {
      name: 'does not ask again for what failed a short while ago',
      given: { recentFailure: () => failure },
      expected: { step: 'fit', reason: 'recent-failure', failure },
    },
    {
      name: 'asks again when it is forced',
      given: { recentFailure: () => failure, snapshot: { forced: true } },
      expected: { step: 'summarize', reason: 'forced' },
    },
    {
      name: 'condenses tool results where that is enough',
      given: { prompt: toolTurns, options: { condenseToolResults: true }, policy: { limit: 2600 } },
      expected: { step: 'condense', reason: 'token-ratio' },
    },
    {
      name: 'summarises where condensing is not enough',
      given: { prompt: toolTurns, options: { condenseToolResults: true }, policy: { limit: 900 } },
      expected: { step: 'summarize', reason: 'token-ratio' },
    },
    {
      name: 'does not condense instead of a summary that is forced',
      given: {
        prompt: toolTurns,
        options: { condenseToolResults: true },
        policy: { limit: 2600 },
        snapshot: { forced: true },
      },
      expected: { step: 'summarize', reason: 'forced' },
    },
  ])('$name', async ({ given, expected }) => {
    expect(await plan(given)).toMatchObject(expected);
  });

  it('asks for failures of the very summary that it would make', async () => {
    const asked: string[] = [];
    const recentFailure = (key: string): undefined => void asked.push(key);
    await plan({ recentFailure });
    expect(asked).toEqual(['key of 16']);
  });

  it.each([{}, { options: { condenseToolResults: true } }])(
    'stops when the call is aborted: %j',
    async (given) => {
      const abortSignal = AbortSignal.abort(new Error('Enough.'));
      await expect(plan({ ...given, abortSignal })).rejects.toThrow('Enough.');
    },
  );
});
