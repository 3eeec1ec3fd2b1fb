import type { ProposedSummary } from './plan.ts';

/** When to summarise. */
export interface TriggerOptions {
  /**
   * Master switch. When `false`, calls pass unchanged and stored summaries are not applied either.
   * @default true
   */
  readonly enabled?: boolean | undefined;
  /**
   * By default the package stands aside where a call turns on the provider's own compaction, or its history holds
   * one. `'never'` takes no notice of it: the package summarises as it would without, and the settings of the call
   * are sent as they are. It still stands aside where the history is at the provider alone.
   * @default undefined
   */
  readonly native?: 'never' | undefined;
  /**
   * Summarise at or above this share of the tokens the model accepts. Above 0, at most 1.
   * @default 0.8
   */
  readonly triggerTokenRatio?: number | undefined;
  /**
   * Aim at or below this share when summarising; by its size alone the prompt is summarised again when it has grown
   * by as much as the two are apart. Above 0, below `triggerTokenRatio`.
   * @default 0.7, or 0.875 of a lower `triggerTokenRatio`
   */
  readonly resetTokenRatio?: number | undefined;
  /**
   * Summarise at or above this many tokens too, whatever the ratio.
   * @default undefined (off)
   */
  readonly tokenThreshold?: number | undefined;
  /**
   * Summarise once this many user messages have come since the last summarisation.
   * @default undefined (off)
   */
  readonly turnThreshold?: number | undefined;
  /**
   * Summarise after this many new messages even below the trigger.
   * @default undefined (off)
   */
  readonly forceRefreshAfterMessages?: number | undefined;
  /**
   * Below this many messages, act only when the prompt does not fit.
   * @default 12
   */
  readonly minMessages?: number | undefined;
  /**
   * New messages before the next summarisation, unless the prompt does not fit.
   * @default 4
   */
  readonly cooldownMessages?: number | undefined;
  /**
   * Generations of narrative that may be written from a narrative.
   * @default 3
   */
  readonly maxSummaryChainDepth?: number | undefined;
  /**
   * At `maxSummaryChainDepth`: `'rebase'` writes the next narrative from the record's items and the new
   * messages, at depth 0 again; `'halt'` makes no more summaries, and a prompt that no longer fits is
   * trimmed without a model.
   * @default 'rebase'
   */
  readonly atMaxDepth?: 'rebase' | 'halt' | undefined;
  /**
   * Before paying for a summary, replace old tool outputs in front of the recent messages by a line of
   * facts each; if that alone brings the prompt to `resetTokenRatio`, nothing is summarised. With
   * `optimizeFor: 'cost'` it is done whenever it pays, in one step that then stays.
   * @default false, but true with optimizeFor 'cost'
   */
  readonly condenseToolResults?: boolean | undefined;
  /**
   * Asked before a summary is made: what would be covered, and what it would cost. `false`: not now, which holds
   * for this call and only while the prompt fits. `{ upTo }`: less of it, up to that index, counted after the
   * leading system messages, from 1 on; moved to the last place up to there at which the conversation may be
   * cut, else to the first one; held to only while the prompt fits. Anything else: as planned. Asked again by
   * each call that would make one, and by `explainSummarization`. One that throws, answers something else or
   * takes longer than 2,000 ms changes nothing, which a `failed` event says.
   * @default none
   */
  readonly onBeforeSummarize?:
    | ((plan: ProposedSummary) => SummaryVerdict | Promise<SummaryVerdict>)
    | undefined;
}

/** What `onBeforeSummarize` may answer. */
export type SummaryVerdict = boolean | { readonly upTo: number } | undefined | void;

/** What tokens of a model cost, in any unit that is the same for all of them, and how long its cache lasts. */
export interface TokenPrices {
  /** A token of input that no cache knows. Above 0. */
  readonly input: number;
  /** A token that is read from the cache; that of `input` where there is none. From 0 to `input`. */
  readonly cacheRead: number;
  /** A token of input that is written to the cache; that of `input` where writing costs nothing more. */
  readonly cacheWrite: number;
  /** A token of the answer. At least that of `input`. */
  readonly output: number;
  /** Minutes after which what was not read again is no longer in the cache. */
  readonly cacheMinutes: number;
}

/** What a conversation may cost. */
export interface CostOptions {
  /**
   * What decides when to summarise: `'memory'` keeps as much of the conversation as `triggerTokenRatio` lets it,
   * `'cost'` summarises as soon as that is cheaper than to go on sending what is old, and takes the outputs of old
   * tool calls out before. The other triggers stay, as the latest moment.
   * @default 'memory'
   */
  readonly optimizeFor?: 'memory' | 'cost' | undefined;
  /**
   * How the model is asked that summarises: `'transcript'` gives it the messages as data; `'conversation'`, which is
   * experimental, asks the model of the conversation at the end of its own prompt, which the provider has in its cache,
   * and falls back to the transcript where the answer is no record. Then the messages are no data but instructions too,
   * and no statement of a summary says where it comes from. Not with `summarizerModelPreference` or `redact`.
   * @default 'transcript'
   */
  readonly summarizerInput?: 'transcript' | 'conversation' | undefined;
  /**
   * Prices by provider or by `provider:model`, the most specific first, for `optimizeFor: 'cost'` and the figures
   * of `stats()`. Only their ratios count; where a cheaper model summarises, give both in the same unit.
   * @default ratios of the large providers
   */
  readonly prices?: Readonly<Record<string, TokenPrices>> | undefined;
}
