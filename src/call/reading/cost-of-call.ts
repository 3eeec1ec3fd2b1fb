import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { condenseToolResults } from '../../fitting/condense-tool-results.ts';
import { pricesOf } from '../../options/prices-of.ts';
import type { Policy } from '../../options/resolve-policy.ts';
import {
  isAnswer,
  outcomeOf,
  replayCalls,
  weighSummary,
  type CountedMessage,
  type SummaryCost,
  type SummaryOutcome,
} from '../../planning/cost-trigger.ts';
import type { Message, Prompt } from '../../prompt/prompt-types.ts';
import { isRecalled } from '../../prompt/recalled-output.ts';
import { openingMessages } from '../../selection/legal-cuts.ts';
import { readUsage } from '../../sizing/read-usage.ts';
import type { PromptScan } from '../../tokens/scan-prompt.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';
import { sumOf } from '../../util/numbers.ts';
import type { CallContext } from './call-context.ts';
import type { StateReading } from './read-state.ts';

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
interface CostQuestion extends Pick<StateReading, 'view' | 'last' | 'composition'> {
  readonly policy: Policy;
  /** Of the prompt as it stands. */
  readonly scan: PromptScan;
  readonly slices: TimeSlices;
}

/** Share of what it stands for that a first summary takes, as long as that is less than it may. */
const summaryShare = 0.25;

/** Finds what going on with a call costs and what a summary would: from its messages and the stored record alone. */
// oxlint-disable-next-line max-lines-per-function -- one fact after another, each from those before
export async function costOfCall(
  { options, model, modelKey, toolResults }: CallContext,
  { view, last, composition, policy, scan, slices }: CostQuestion,
): Promise<CallCost> {
  const { conversation, identity, pinned } = view;
  await view.read(slices);
  const start = composition?.cut ?? 0;
  const since = Math.max(start, (last && identity.indexAfter(last.messageCount)) ?? start);
  const priced = pricesOf(options, model);
  const mayGo = (index: number): boolean =>
    options.condenseToolResults !== false && !pinned.has(index);
  const counts = conversation.map((message, index) =>
    counted(message, scan, index - conversation.length, mayGo(index)),
  );
  const messages = counts.slice(start);
  const replay = replayCalls({ ...policy, ...priced, messages, firstCall: since - start });
  const all = sumOf(messages, ({ tokens }) => tokens);
  const { metrics } = composition?.record ?? {};
  const standing = metrics?.outputTokens ?? 0;
  const expected = metrics === undefined ? all * summaryShare : standing;
  const calls = counts.slice(since).filter(isAnswer).length;
  const useKey = `${modelKey} ${await identity.prefixDigest(openingMessages)}`;
  const facts = {
    ...priced,
    ...replay,
    ...lastUse(useKey, priced.prices.cacheMinutes),
    calls,
    callsBefore: counts.slice(0, since).filter(isAnswer).length,
    standing,
    summaryTokens: Math.min(policy.maxSummaryTokens, expected),
    tokens: scan.estimate - all + replay.stale + replay.recent,
    isAskedThere:
      options.summarizerInput === 'conversation' &&
      options.summarizerModelPreference === undefined &&
      options.redact === undefined,
  };
  const end = start + replay.condensedUpTo;
  const old = conversation.slice(start, end).filter((_, place) => mayGo(start + place));
  return {
    figures: weighSummary(facts),
    outcome: metrics && outcomeOf(priced, metrics, calls),
    prompt:
      replay.condensedUpTo === 0
        ? undefined
        : await condenseToolResults(scan.prompt, new Set(old), slices, toolResults),
    isCondensedNow: replay.isNew,
    noteUse: (usage) => noteUse(useKey, usage),
  };
}

/** Tokens of a message, and of a call or result in it, beside its texts: providers add 3 to 20. */
const frameTokens = 8;
/** Tokens of the line of facts that an output gives way to. */
const lineTokens = 50;
/** Characters a token holds in common text. */
const charactersPerToken = 4;

/** @param fromEnd - Recent messages are the end of a prompt, whatever stands in front of them. */
function counted(
  { role, content }: Message,
  { sizes }: PromptScan,
  fromEnd: number,
  mayGo: boolean,
): CountedMessage {
  const parts = typeof content === 'string' ? [] : content;
  const outputs = parts.filter((part) => part.type === 'tool-result' && !isRecalled(part.output));
  const calls = parts.filter(({ type }) => type === 'tool-call' || type === 'tool-result');
  const frames = frameTokens * (1 + calls.length);
  const { characters = 0, files = 0 } = sizes.at(fromEnd) ?? {};
  const texts = characters / charactersPerToken + files;
  const isFreed = mayGo && role === 'tool' && outputs.length > 0;
  const freed = isFreed ? Math.max(0, texts - outputs.length * lineTokens) : 0;
  return { role, tokens: texts + frames, freed };
}

/** What the last call of a conversation says of the provider's cache. */
interface CacheUse {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Share of its prompt that was in the cache, and calls in a row of which next to nothing was. */
  readonly cachedShare: number;
  readonly misses: number;
}

const maxConversations = 5000;
const uses = boundedMap<CacheUse>(maxConversations);
/** Prompts that are shorter are seldom cached at all. */
const leastCachedTokens = 4096;
/** Behind a summary, and where a cache is spread over machines, single calls miss it. */
const believedMisses = 3;

/** It may only bring a summary forward. */
function lastUse(key: string, cacheMinutes: number) {
  const { at, cachedShare, misses } = uses.get(key) ?? {
    at: Date.now(),
    cachedShare: 1,
    misses: 0,
  };
  return {
    cachedShare: misses >= believedMisses ? cachedShare : 1,
    isCold: Date.now() - at > cacheMinutes * 60_000,
  };
}

function noteUse(key: string, usage: LanguageModelV4Usage): void {
  const { inputTokens = 0, cacheReadTokens } = readUsage(usage) ?? {};
  const says = cacheReadTokens !== undefined && inputTokens >= leastCachedTokens;
  const cachedShare = says ? cacheReadTokens / inputTokens : 1;
  const misses = cachedShare < 0.1 ? (uses.get(key)?.misses ?? 0) + 1 : 0;
  uses.set(key, { at: Date.now(), cachedShare, misses });
}
