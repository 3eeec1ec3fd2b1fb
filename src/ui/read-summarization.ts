import type { UIMessage } from 'ai';
import { sumOf } from '../util/numbers.ts';
import { callsOf, type ContextReading } from './context-reading.ts';
import { numberMessages, type MessageNumbers } from './message-numbers.ts';
import { placedSummaries, wholeMessages, type PlacedSummary } from './placed-summaries.ts';
import type { BilledTokens, FinishedSummary, RunningSummary } from './summary-part.ts';
import { costOf, type TokenPrices } from './token-prices.ts';

export type { PlacedSummary } from './placed-summaries.ts';

/** Options of `readSummarization` and `useSummarization`. */
export interface ReadSummarizationOptions {
  /**
   * Whether the latest message is still being written: `status` of `useChat` is `submitted` or `streaming`.
   * @default false
   */
  readonly isStreaming?: boolean | undefined;
  /**
   * The middleware's `resetTokenRatio`.
   * @default 0.7
   */
  readonly resetTokenRatio?: number | undefined;
  /**
   * What the chat's model costs.
   * @default none: no cost is computed
   */
  readonly prices?: TokenPrices | undefined;
  /**
   * What the summarising model costs.
   * @default prices
   */
  readonly summarizerPrices?: TokenPrices | undefined;
}

/** How full the context was with the latest call. */
export interface ContextUsage extends ContextReading {
  /** `tokens` over `contextLength`. */
  readonly ratio: number;
  /** Tokens of the answer, as far as the provider said. */
  readonly answer: number;
  /** Tokens that the call would have at most if its messages were summarised. */
  readonly afterSummary: number;
}

/** What a page can show of a conversation's summaries. */
export interface Summarization {
  /** Every model call, in order. */
  readonly calls: readonly ContextReading[];
  /** The latest call; `undefined` before the first. */
  readonly usage: ContextUsage | undefined;
  /** The summary that is being written. */
  readonly running: RunningSummary | undefined;
  /** The summaries, with their places and what each stands for. */
  readonly summaries: readonly PlacedSummary[];
  /** Ids of the messages that the latest call was not sent, because a summary stood for them. */
  readonly coveredIds: ReadonlySet<string>;
  /** Ids of messages by their numbers: where an item of a record comes from. */
  readonly numbers: MessageNumbers;
  /** Tokens of all calls, and what their whole histories would have come to, where that was counted. */
  readonly sentTokens: number;
  readonly fullTokens: number;
  /** What summarising models billed. */
  readonly summarizer: BilledTokens;
  /** What calls and summaries cost; `undefined` without `prices`. */
  readonly cost: { readonly calls: number; readonly summaries: number } | undefined;
}

/** Reads what a page can show of summaries from its messages, which `summaryDataParts` and `summarizationMetadata` wrote. */
export function readSummarization(
  messages: readonly Pick<UIMessage, 'id' | 'role' | 'parts' | 'metadata'>[],
  { isStreaming = false, resetTokenRatio = 0.7, ...prices }: ReadSummarizationOptions = {},
): Summarization {
  const calls = messages.flatMap(callsOf);
  const latest = calls.at(-1);
  const numbers = numberMessages(messages);
  const summaries = placedSummaries(messages, numbers, isStreaming);
  const finished = summaries.flatMap(({ part }) => (part?.state === 'done' ? part : []));
  const live = summaries.at(-1);
  return {
    calls,
    usage: latest && usageOf(latest, resetTokenRatio),
    running: live?.part?.state === 'running' && !live.isInterrupted ? live.part : undefined,
    summaries,
    coveredIds: new Set(wholeMessages(numbers, latest?.coveredMessages ?? 0)),
    numbers,
    sentTokens: sumOf(calls, ({ tokens }) => tokens),
    fullTokens: sumOf(calls, ({ tokens, fullTokens = tokens }) => fullTokens),
    summarizer: {
      inputTokens: sumOf(finished, ({ usage }) => usage.inputTokens),
      outputTokens: sumOf(finished, ({ usage }) => usage.outputTokens),
    },
    cost: costs(calls, finished, prices),
  };
}

function usageOf(call: ContextReading, resetTokenRatio: number): ContextUsage {
  const { tokens, contextLength, usage } = call;
  return {
    ...call,
    ratio: tokens / contextLength,
    answer: usage?.outputTokens ?? 0,
    afterSummary: Math.min(tokens, Math.floor(contextLength * resetTokenRatio)),
  };
}

function costs(
  calls: readonly ContextReading[],
  finished: readonly FinishedSummary[],
  { prices, summarizerPrices = prices }: ReadSummarizationOptions,
): Summarization['cost'] {
  if (prices === undefined || summarizerPrices === undefined) return undefined;
  return {
    calls: costOf(
      calls.flatMap(({ usage }) => usage ?? []),
      prices,
    ),
    summaries: costOf(
      finished.map(({ usage }) => usage),
      summarizerPrices,
    ),
  };
}
