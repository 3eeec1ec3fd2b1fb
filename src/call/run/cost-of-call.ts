import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Composition } from '../../planning/composing/compose-prompt.ts';
import { condenseToolResults } from '../fitting/condensed-messages.ts';
import { pricesOf } from '../options/prices-of.ts';
import type { UnitPrices } from '../options/provider-overrides.ts';
import type { TriggerSnapshot } from '../../planning/plan/decide.ts';
import type { Policy, SummaryCost } from '../../planning/plan/plan.ts';
import { replayCalls } from '../../planning/plan/replay-calls.ts';
import type { Prompt } from '../../prompt/messages/prompt-types.ts';
import { isRecalled } from '../../prompt/messages/message-parts.ts';
import type { ConversationView } from '../../planning/selection/conversation-view.ts';
import { openingMessages } from '../../planning/selection/cuts.ts';
import { cacheUse } from '../../planning/sizing/cache-use.ts';
import { charactersPerToken, type PromptScan } from '../../sizes/tokens/scan-prompt.ts';
import { sumOf } from '../../foundations/util/numbers.ts';
import type { CallContext } from './call-context.ts';

/** Costs of a call, and the step before a summary that they suggest. */
export interface CallCost {
  readonly figures: SummaryCost;
  /** The prompt with its old tool outputs condensed; `undefined` if none are. */
  readonly prompt: Prompt | undefined;
  /** Whether more tool outputs are condensed than in the call before. */
  readonly isCondensedNow: boolean;
  /** Receives the usage of the answer, from which the next call knows whether the cache works, and when it was used. */
  readonly noteUse: (usage: LanguageModelV4Usage) => void;
}

/** A call, as far as its cost depends on it. */
interface WeighedCall {
  readonly view: ConversationView;
  readonly composition: Composition | undefined;
  readonly policy: Policy;
  readonly last: TriggerSnapshot['last'];
}

/** Tokens of a first summary as a share of its messages, up to the maximum. */
const summaryShare = 0.25;
/** Tokens of a message, and of a call or result in it, beside its texts: providers add 3 to 20. */
const frameTokens = 8;
/** Tokens of the line of facts that replaces an output. */
const lineTokens = 50;
/** Tokens of the instructions and the schema that a summarizing model reads. */
const instructionTokens = 2500;
/** Tokens a model is asked for at most, whatever the summary may take. */
const mostWritten = 2500;

/**
 * Weighs a summary now against going on without one: from the messages and the stored record alone, in tokens at the
 * price of uncached input.
 *
 * Between two summaries a prompt grows by g tokens a call, which are read again with each: after n calls that has cost
 * r·g·n²/2 at the price r of a cached token. A summary costs K. The cost of a cycle for each call, K/n + r·g·n/2, is
 * least if both halves are equal, n = √(2K/(r·g)): when the amount paid has come to K (the economic order quantity,
 * F. W. Harris, 1913). Twice or half the true K costs 6 % more. The savings over the calls to come, of which as many
 * are assumed as there were (J. R. Gott, 1993), have to cover the summary, the reading of the messages included. A
 * prompt above a price step does not wait until the amount paid has come to K: each call costs a multiple.
 */
export async function costOfCall(
  { options, model, modelKey, toolResults }: CallContext,
  { view, composition, policy, last }: WeighedCall,
  scan: PromptScan,
): Promise<CallCost> {
  const { conversation, identity, pinned } = view;
  const start = composition?.cut ?? 0;
  const since = Math.max(start, (last && identity.indexAfter(last.messageCount)) ?? start);
  const { prices, summarizerPrices } = pricesOf(options, model);
  const { cacheMinutes, above } = prices;
  // A summary by code costs nothing.
  const { input, output } = summarizerPrices ?? { input: 0, output: 0 };
  const mayGo = (index: number): boolean =>
    options.condenseToolResults !== false && !pinned.has(index);
  const counts = conversation.map(({ role, content }, index) => {
    const parts = role === 'system' ? [] : content;
    const calls = parts.filter(({ type }) => type === 'tool-call' || type === 'tool-result');
    const outputs = parts.filter((part) => part.type === 'tool-result' && !isRecalled(part.output));
    // Recent messages are the end of a prompt, whatever precedes them.
    const { characters = 0, files = 0 } = scan.sizes.at(index - conversation.length) ?? {};
    const texts = characters / charactersPerToken + files;
    const isFreed = mayGo(index) && role === 'tool' && outputs.length > 0;
    const freed = isFreed ? Math.max(0, texts - outputs.length * lineTokens) : 0;
    return { role, tokens: texts + frameTokens * (1 + calls.length), freed };
  });
  const messages = counts.slice(start);
  const all = sumOf(messages, ({ tokens }) => tokens);
  const replay = replayCalls(messages, since - start, prices, policy);
  const { stale, recent, isNew } = replay;
  // Each answer was one of the calls.
  const callsSince = (index: number): number =>
    counts.slice(index).filter(({ role }) => role === 'assistant').length;
  const [calls, callsAssumed] = [callsSince(since), callsSince(0)];
  const standing = composition?.record.metrics.outputTokens ?? 0;
  const first = composition === undefined ? all * summaryShare : standing;
  const summaryTokens = Math.min(policy.maxSummaryTokens, first);
  const written = output * Math.min(mostWritten, summaryTokens);
  const useKey = `${modelKey} ${await identity.prefixDigest(openingMessages)}`;
  const { at, cached, note } = cacheUse(useKey);
  const isCold = Date.now() - at > cacheMinutes * 60_000;

  const freed = Math.max(0, standing + stale - summaryTokens);
  const rest = scan.estimate - freed;
  const pricesAt = (tokens: number): UnitPrices =>
    above !== undefined && tokens * policy.tokenMultiplier > above.tokens ? above : prices;
  const [now, after] = [pricesAt(scan.estimate), pricesAt(rest)];
  const readAt = ({ cacheRead, cacheWrite }: UnitPrices): number =>
    cacheRead * cached + cacheWrite * (1 - cached);
  const [read, readAfter] = [readAt(now), readAt(after)];
  // Recent messages after condensed outputs are sent anew in any case; if all outputs are condensed, less is sent.
  const resent = summaryTokens + (isNew ? 0 : recent);
  const sending = isCold ? -after.cacheWrite * freed : (after.cacheWrite - readAfter) * resent;
  // A model that is asked at the end of its own prompt reads that from the cache.
  const there = (scan.estimate - all + stale + recent) * now.cacheRead;
  const { summarizerInput } = options;
  const isCheaperThere = summarizerInput === 'auto' && there < standing + stale;
  const isAskedThere = summarizerInput === 'conversation' || isCheaperThere;
  const again = input * (instructionTokens + (isAskedThere ? there : standing)) + written + sending;
  const once = isAskedThere ? 0 : input * stale;
  // Above a price step, all of a prompt costs more.
  const savingPerCall = read * freed + (read - readAfter) * rest;
  // The part of an evenly grown sum beyond the cost of a summary.
  const paidMore = (((readAfter * freed * calls) / 2) * freed) / Math.max(1, stale);
  const isDue = paidMore >= Math.max(0, again) || now !== after;
  const pays = freed > 0 && isDue && savingPerCall * callsAssumed >= again + once;
  const end = start + replay.condensedUpTo;
  const old = conversation.filter((_, index) => index >= start && index < end && mayGo(index));
  return {
    figures: { pays, cost: Math.max(0, again) + once, savingPerCall, callsAssumed, paidMore },
    prompt: end === start ? undefined : condenseToolResults(scan.prompt, new Set(old), toolResults),
    isCondensedNow: isNew,
    noteUse: note,
  };
}
