import { expect, it } from 'vitest';
import { planCall, planSummary } from '../../../../src/call/run/plan-call.ts';
import type { Call } from '../../../../src/call/run/read-call.ts';
import { composePrompt } from '../../../../src/planning/composing/compose-prompt.ts';
import { llmStrategy, type SummarizationError } from '../../../../src/index.ts';
import { words } from '../../../support/messages.ts';
import { assistant, call, system, thought, user } from '../../../support/prompt-messages.ts';
import { untyped } from '../../../support/untyped.ts';
import { testRecord, testView } from '../../planning/composing/test-record.ts';
import { testMeasure } from '../fitting/test-measure.ts';

// What is decided, and that calls do so, is held by test/explain-summarization.test.ts. This is where it cuts, and
// for what it pays.

const measure = await testMeasure();

/** Turns of a chat, of about 50 tokens each unless said otherwise. */
function turns(count = 20, tokens = 45): Call['params']['prompt'] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? user(words(index, tokens)) : assistant(words(index, tokens)),
  );
}

interface Given {
  readonly prompt?: Call['params']['prompt'];
  readonly tokens?: number;
  readonly forced?: boolean;
  /** Whether it is prepared before it is due. */
  readonly ahead?: boolean;
  readonly policy?: Partial<Call['policy']>;
  /** Characters of the user's texts that stand beside a summary. */
  readonly userTextCharacters?: number;
  /** Messages that a stored record stands for, and what its summary takes. */
  readonly applied?: { readonly cut: number; readonly outputTokens?: number };
  readonly pinnedMessages?: readonly number[];
  readonly recall?: (key: string) => SummarizationError | undefined;
}

function composed(view: Call['view'], { cut, outputTokens }: Given['applied'] & object) {
  const style = { placement: 'system', userTextCharacters: 0 } as const;
  return composePrompt(view, style, { record: testRecord(cut, undefined, outputTokens), cut });
}

/** What is planned, in short: the step, its reason, and the messages that a summary is to stand for. */
async function planned(given: Given): Promise<string> {
  const { prompt = turns(), tokens = 850, applied, pinnedMessages = [] } = given;
  const { forced = false, ahead = false, recall = () => undefined } = given;
  const params = { prompt };
  const view = testView(prompt, undefined, { pinnedMessages });
  async function* sizes() {
    const figures = { least: tokens, most: tokens, tokens };
    yield { ...figures, measuredBy: 'count', tokenizer: 'exact', measure };
  }
  const composition = applied && composed(view, applied);
  const policy = {
    triggerTokenRatio: 0.8,
    resetTokenRatio: 0.7,
    minMessages: 0,
    cooldownMessages: 4,
    maxSummaryChainDepth: 3,
    atMaxDepth: 'rebase',
    limit: 1000,
    preserveRecent: 4,
    preserveRecentTokenRatio: 0.1,
    maxSummaryTokens: 100,
    ...given.policy,
    keptTo: given.policy?.limit ?? 1000,
  };
  const read: Partial<Record<keyof Call, unknown>> = {
    params,
    view,
    composition,
    policy,
    scan: { prompt: composition?.prompt ?? prompt },
    style: { userTextCharacters: given.userTextCharacters ?? 0 },
    sizes: sizes(),
    context: { strategy: llmStrategy(), failures: { recall }, toolResults: {}, options: {} },
    order: {},
    state: {
      keyOf: async (count: number) => `key of ${count}`,
      documents: { names: { hasId: true, of: async () => 'key' }, cache: {} },
    },
    snapshot: { forced, limit: policy.limit, messageCount: prompt.length, newUserTurns: 10 },
  };
  const size = { least: tokens, most: tokens, tokens, measuredBy: 'count' } as const;
  const reason = 'ahead';
  const figures = {
    size,
    tokens,
    measure,
    reason,
    decision: { act: 'summarize', reason },
  } as const;
  const plan = await (ahead ? planSummary(untyped(read), figures) : planCall(untyped(read)));
  const range = plan.step === 'summarize' ? ` ${plan.range.start} to ${plan.range.cut}` : '';
  return `${plan.step} ${plan.reason}${range}`;
}

const forced = true;
/** A summary would free some 700 tokens, less than a fiftieth. */
const large = { tokens: 90_000, policy: { limit: 100_000, preserveRecentTokenRatio: 0 } };
/** A summary would take the place of a few words. */
const short = { prompt: [...turns(4, 2), ...turns(4, 45)], forced };
const nothing = [...turns(4, 2), ...turns(16, 60)];
const next = { prompt: nothing, tokens: 2500, policy: { preserveRecent: 16, limit: 3000 } };
const ruled = (tokens: number) => ({ prompt: [system(words(1, tokens)), ...turns()] });
const pinned = { prompt: turns(6, 110), pinnedMessages: [0, 1, 2, 3, 4, 5], forced };
const crowded = { prompt: [user(words(1, 540)), ...turns(19)], pinnedMessages: [0] };
const few = (each: number) => ({ prompt: turns(6, each), policy: { preserveRecent: 10 } });
const anchored = [...turns(2), user(words(1, 400)), assistant('Yes.'), ...turns(4)];
const waiting = [...turns(12), assistant('', call('1')), ...turns(7)];
const thinking = turns().with(15, assistant('', thought()));
const share = (preserveRecentTokenRatio: number) => ({ preserveRecentTokenRatio });
const summary = (maxSummaryTokens: number) => ({ policy: { maxSummaryTokens } });
const roomy = { ...share(0.4), maxSummaryTokens: 300 };
const besideTexts = { ...summary(260), userTextCharacters: 1000 };
const lengthy = { cut: 100, outputTokens: 5000 };
const asLarge = { cut: 2, outputTokens: 400 };
const soon = { tokens: 700, ahead: true };
/** More than one call can read. */
const long = (policy: Partial<Call['policy']> = {}, count = 500): Given => ({
  prompt: turns(count),
  tokens: policy.limit ?? 29_000,
  policy: { limit: 30_000, ...share(0), ...policy },
});
const early = { tokens: 300, policy: { turnThreshold: 3, ...share(0.4) } };

it.each<[string, Given, string]>([
  ['up to the recent messages', {}, 'summarize token-ratio 0 to 16'],
  ['from a record on', { applied: { cut: 6 } }, 'summarize token-ratio 6 to 16'],
  ['keeping more that fit their share', { policy: share(0.4) }, 'summarize token-ratio 0 to 13'],
  ['of a prompt that is far from full', early, 'summarize turn-threshold 0 to 16'],
  ['more where pinned ones have no room', crowded, 'summarize token-ratio 0 to 18'],
  ['beside a larger summary', summary(520), 'summarize token-ratio 0 to 18'],
  ['and a large one that leaves room', summary(400), 'summarize token-ratio 0 to 16'],
  ['ahead by what will be there', { ...soon, policy: share(0.4) }, 'summarize ahead 0 to 15'],
  ['ahead with room to grow', { ...soon, policy: roomy }, 'summarize ahead 0 to 16'],
  ["beside the user's texts", besideTexts, 'summarize token-ratio 0 to 18'],
  ['beside a long system message', ruled(450), 'summarize token-ratio 0 to 18'],
  ['what one call can read', long(), 'summarize token-ratio 0 to 369'],
  ['less behind a long one', { ...long(), applied: lengthy }, 'summarize token-ratio 100 to 390'],
  ['all, not a few', long({ limit: 10_000 }, 230), 'summarize context-overflow 0 to 226'],
  ['all at once', long({ maxSummaryTokens: 23_000 }), 'summarize token-ratio 0 to 498'],
  ['not beside what must stay', { ...ruled(1100), tokens: 1200 }, 'fit nothing-to-cover'],
  ['not for next to nothing', next, 'fit nothing-to-cover'],
  ['not for less than a share of a large prompt', large, 'fit nothing-to-cover'],
  ['but to fit', { ...large, tokens: 100_000 }, 'summarize context-overflow 0 to 16'],
  ['or where it is forced', { ...large, forced }, 'summarize forced 0 to 16'],
  ['forced, not for one that is larger than what it stands for', short, 'fit nothing-to-cover'],
  ['but for one as large', { ...short, applied: asLarge }, 'summarize forced 2 to 4'],
  ['up to a call that waits', { prompt: waiting }, 'summarize token-ratio 0 to 12'],
  ['up to what identifies it', { prompt: thinking }, 'summarize token-ratio 0 to 15'],
  ['no fewer than are to stay', few(45), 'fit nothing-to-cover'],
  ['but where they do not fit', few(150), 'summarize token-ratio 0 to 4'],
  ['what may go', { prompt: anchored, applied: { cut: 3 } }, 'summarize token-ratio 3 to 4'],
  ['not for messages that stay', pinned, 'fit nothing-to-cover'],
])('planCall summarizes %s', async (_name, given, expected) => {
  expect(await planned(given)).toBe(expected);
});

it('planCall asks for failures of the very summary that it would make', async () => {
  const asked: string[] = [];
  await planned({ recall: (key) => void asked.push(key) });
  expect(asked).toEqual(['key of 16']);
});
