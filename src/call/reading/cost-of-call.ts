import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { condenseToolResults } from '../../fitting/condense-tool-results.ts';
import { pricesOf } from '../../options/prices-of.ts';
import type { Policy } from '../../options/resolve-policy.ts';
import { replayCalls, type ReplayedMessage } from '../../planning/replay-calls.ts';
import { weighSummary, type SummaryCost } from '../../planning/weigh-summary.ts';
import type { Message, Prompt } from '../../prompt/prompt-types.ts';
import { isRecalled } from '../../prompt/recalled-output.ts';
import { openingMessages } from '../../selection/legal-cuts.ts';
import type { PromptScan } from '../../tokens/scan-prompt.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { CallContext } from './call-context.ts';
import { cacheUses, type CacheUse } from './cache-uses.ts';
import type { StateReading } from './read-state.ts';

/** What a call costs, and what is done about it before a summary. */
export interface CallCost {
  readonly figures: SummaryCost;
  /** The prompt with its old tool outputs condensed; `undefined` where none are. */
  readonly prompt: Prompt | undefined;
  /** Whether more of them are than in the call before. */
  readonly isCondensedNow: boolean;
  /** Told the usage of the answer, from which the next call knows whether the cache works, and when it was used. */
  readonly noteUse: (usage: LanguageModelV4Usage) => void;
}

/** A call whose cost is asked for. */
interface CostQuestion extends Pick<StateReading, 'view' | 'composition' | 'last'> {
  readonly policy: Policy;
  /** Of the prompt as it stands. */
  readonly scan: PromptScan;
  readonly slices: TimeSlices;
}

/** Tokens of the instructions and the schema that a summarising model reads. */
const instructionTokens = 2500;
/** Tokens a model is asked for at most, whatever the summary may take. */
const mostWritten = 2500;
/** Share of what it stands for that a first summary takes, as long as that is less than it may. */
const summaryShare = 0.25;
/** Tokens of the line of facts that a tool output gives way to. */
const lineTokens = 50;
/** Tokens of a message, and of a tool call or result in it, beside its texts: providers add 3 to 20. */
const frameTokens = 8;
/** Characters a token holds in common text. */
const charactersPerToken = 4;
/** Tokens of a tool output that a summarising model is shown. */
const shownTokens = 500;

/** Finds what going on with a call costs and what a summary would: from its messages and the stored record alone. */
export async function costOfCall(
  context: Pick<CallContext, 'options' | 'model' | 'modelKey' | 'toolResults'>,
  { view, composition, last, policy, scan, slices }: CostQuestion,
): Promise<CallCost> {
  const { options, model, modelKey, toolResults } = context;
  const { conversation, identity, pinned } = view;
  await view.read(slices);
  const start = composition?.cut ?? 0;
  const since = last === undefined ? start : (identity.indexAfter(last.messageCount) ?? start);
  const condenses = options.condenseToolResults ?? true;
  // Recent messages are the end of a prompt, whatever stands in front of them.
  const offset = scan.messages.length - conversation.length;
  const messages = conversation.slice(start).map((message, place): ReplayedMessage => {
    const index = start + place;
    const tokens = tokensAt(scan, index + offset) + partFrames(message);
    const mayGo = condenses && !pinned.has(index);
    return { role: message.role, tokens, freed: mayGo ? freedOf(message, tokens) : 0 };
  });
  const { prices, summarizerPrices } = pricesOf(options, model);
  const all = messages.reduce((total, { tokens }) => total + tokens, 0);
  const standing = composition?.record.metrics.outputTokens ?? 0;
  const expected = composition === undefined ? all * summaryShare : standing;
  const summaryTokens = Math.min(policy.maxSummaryTokens, expected);
  const replayed = replayCalls({
    ...policy,
    messages,
    prices,
    firstCall: Math.max(0, since - start),
    summaryGrowth: summaryTokens - standing,
  });
  const { stale, recent, excess, condensedUpTo } = replayed;
  const fixedTokens = Math.max(0, Math.min(scan.estimate, scan.bound) - all - standing);
  const useKey = `${modelKey} ${await identity.prefixDigest(openingMessages)}`;
  const figures = weighSummary({
    prices,
    summarizerPrices,
    tokens: fixedTokens + standing + stale + recent,
    tokensAfter: fixedTokens + summaryTokens + recent,
    fixedTokens,
    reading: { again: instructionTokens + standing, messages: shown(messages, recent) },
    written: Math.min(mostWritten, summaryTokens),
    excess,
    calls: conversation.filter(({ role }) => role === 'assistant').length,
    ...lastUse(cacheUses.get(useKey), prices.cacheMinutes),
  });
  const stales = conversation
    .slice(start, start + condensedUpTo)
    .filter((message, place) => message.role === 'tool' && !pinned.has(start + place));
  return {
    figures,
    prompt:
      stales.length === 0
        ? undefined
        : await condenseToolResults(scan.prompt, new Set(stales), slices, toolResults),
    isCondensedNow: replayed.isNew,
    noteUse: (usage) => cacheUses.note(useKey, usage),
  };
}

function tokensAt({ lengths, files }: PromptScan, index: number): number {
  return (lengths[index] ?? 0) / charactersPerToken + (files[index] ?? 0);
}

/** Tokens of the frames of a message. */
function partFrames({ content }: Message): number {
  if (typeof content === 'string') return frameTokens;
  const calls = content.filter(({ type }) => type === 'tool-call' || type === 'tool-result').length;
  return frameTokens * (1 + calls);
}

/** Tokens that go when the tool outputs of a message are condensed. */
function freedOf(message: Message, tokens: number): number {
  if (message.role !== 'tool') return 0;
  const outputs = message.content.filter(
    (part) => part.type === 'tool-result' && !isRecalled(part.output),
  ).length;
  return outputs === 0 ? 0 : Math.max(0, tokens - outputs * lineTokens - partFrames(message));
}

/** Tokens of what is no longer recent, as a summarising model reads it. */
function shown(messages: readonly ReplayedMessage[], recent: number): number {
  const read = messages.reduce(
    (total, { role, tokens }) => total + (role === 'tool' ? Math.min(tokens, shownTokens) : tokens),
    0,
  );
  return Math.max(0, read - recent);
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
