import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { condenseToolResults } from '../../fitting/condense-tool-results.ts';
import { pricesOf } from '../../options/prices-of.ts';
import type { Policy } from '../../options/resolve-policy.ts';
import {
  isAnswer,
  replayCalls,
  type ReplayedCalls,
  type ReplayedMessage,
} from '../../planning/replay-calls.ts';
import {
  outcomeOf,
  weighSummary,
  type CostFacts,
  type SummaryCost,
  type SummaryOutcome,
} from '../../planning/weigh-summary.ts';
import type { Prompt } from '../../prompt/prompt-types.ts';
import { openingMessages } from '../../selection/legal-cuts.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { CallContext } from './call-context.ts';
import { cacheUses, type CacheUse } from './cache-uses.ts';
import type { StateReading } from './read-state.ts';
import { firstCallOf, replayedMessages, shown, type ReplayedCall } from './replayed-messages.ts';

/** What a call costs, and what is done about it before a summary. */
export interface CallCost {
  readonly figures: SummaryCost;
  /** What came of the summary that stands in the prompt. */
  readonly outcome: SummaryOutcome | undefined;
  /** The prompt with its old tool outputs condensed; `undefined` where none are. */
  readonly prompt: Prompt | undefined;
  /** Whether more of them are than in the call before. */
  readonly isCondensedNow: boolean;
  /** Told the usage of the answer, from which the next call knows whether the cache works, and when it was used. */
  readonly noteUse: (usage: LanguageModelV4Usage) => void;
}

/** A call whose cost is asked for. */
interface CostQuestion extends ReplayedCall, Pick<StateReading, 'composition'> {
  readonly policy: Policy;
  readonly slices: TimeSlices;
}

/** Tokens of the instructions and the schema that a summarising model reads. */
const instructionTokens = 2500;
/** Tokens a model is asked for at most, whatever the summary may take. */
const mostWritten = 2500;
/** Share of what it stands for that a first summary takes, as long as that is less than it may. */
const summaryShare = 0.25;

/** Finds what going on with a call costs and what a summary would: from its messages and the stored record alone. */
export async function costOfCall(
  context: Pick<CallContext, 'options' | 'model' | 'modelKey' | 'toolResults'>,
  question: CostQuestion,
): Promise<CallCost> {
  const { options, model, modelKey, toolResults } = context;
  const { view, composition, policy, scan, slices } = question;
  const { conversation, identity, pinned } = view;
  await view.read(slices);
  const start = composition?.cut ?? 0;
  const messages = replayedMessages(question, start, options.condenseToolResults ?? true);
  const firstCall = firstCallOf(question, start);
  const priced = pricesOf(options, model);
  const sizes = summarySizes(question, messages);
  const summaryGrowth = sizes.summaryTokens - sizes.standing;
  const { prices } = priced;
  const replayed = replayCalls({ ...policy, messages, prices, firstCall, summaryGrowth });
  const useKey = `${modelKey} ${await identity.prefixDigest(openingMessages)}`;
  const calls = conversation.filter(isAnswer).length;
  const facts = { ...priced, calls, ...lastUse(cacheUses.get(useKey), prices.cacheMinutes) };
  const metrics = composition?.record.metrics;
  const callsSince = messages.slice(firstCall).filter(isAnswer).length;
  const old = conversation
    .slice(start, start + replayed.condensedUpTo)
    .filter((message, place) => message.role === 'tool' && !pinned.has(start + place));
  return {
    figures: weighSummary({
      ...facts,
      ...inConversation(options, facts, factsOf(messages, replayed, sizes)),
    }),
    outcome:
      metrics &&
      outcomeOf(priced, { ...metrics, written: writtenOf(metrics.outputTokens) }, callsSince),
    prompt:
      old.length === 0
        ? undefined
        : await condenseToolResults(scan.prompt, new Set(old), slices, toolResults),
    isCondensedNow: replayed.isNew,
    noteUse: (usage) => cacheUses.note(useKey, usage),
  };
}

/** Tokens of what stands in front of the messages that no record stands for. */
interface SummarySizes {
  readonly fixedTokens: number;
  /** Of the summary that stands in the prompt, and of the next one. */
  readonly standing: number;
  readonly summaryTokens: number;
}

function summarySizes(
  { composition, policy, scan }: CostQuestion,
  messages: readonly ReplayedMessage[],
): SummarySizes {
  const all = messages.reduce((total, { tokens }) => total + tokens, 0);
  const standing = composition?.record.metrics.outputTokens ?? 0;
  const expected = composition === undefined ? all * summaryShare : standing;
  return {
    fixedTokens: Math.max(0, Math.min(scan.estimate, scan.bound) - all - standing),
    standing,
    summaryTokens: Math.min(policy.maxSummaryTokens, expected),
  };
}

function factsOf(
  messages: readonly ReplayedMessage[],
  { stale, recent, excess, isNew }: ReplayedCalls,
  { fixedTokens, standing, summaryTokens }: SummarySizes,
): Omit<CostFacts, 'prices' | 'summarizerPrices' | 'calls' | 'cachedShare' | 'isCold'> {
  return {
    tokens: fixedTokens + standing + stale + recent,
    tokensAfter: fixedTokens + summaryTokens + recent,
    fixedTokens,
    resentTokens: isNew ? recent : 0,
    reading: { again: instructionTokens + standing, messages: shown(messages, recent) },
    written: writtenOf(summaryTokens),
    excess,
  };
}

/** Asked in the conversation, its model reads all of the prompt from the cache with each summary. */
function inConversation<Facts extends Pick<CostFacts, 'tokens' | 'reading'>>(
  { summarizerInput, summarizerModelPreference, redact }: CallContext['options'],
  { prices: { cacheRead, input } }: Pick<CostFacts, 'prices'>,
  facts: Facts,
): Facts {
  const isAskedThere = summarizerInput === 'conversation' && redact === undefined;
  if (!isAskedThere || summarizerModelPreference !== undefined) return facts;
  const again = instructionTokens + (facts.tokens * cacheRead) / input;
  return { ...facts, reading: { again, messages: 0 } };
}

function writtenOf(summaryTokens: number): number {
  return Math.min(mostWritten, summaryTokens);
}

/** What the last call of this process says of the cache. It may only bring a summary forward. */
function lastUse(
  use: CacheUse | undefined,
  cacheMinutes: number,
): { readonly cachedShare?: number; readonly isCold?: boolean } {
  if (use === undefined) return {};
  return {
    cachedShare: use.cachedShare,
    isCold: Date.now() - use.at > cacheMinutes * 60_000,
  };
}
