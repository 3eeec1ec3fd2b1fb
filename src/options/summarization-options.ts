import type { ComposingOptions } from '../composing/composing-options.ts';
import type { CostOptions, TriggerOptions } from '../planning/trigger-options.ts';
import type { ReportOptions } from '../report/report-options.ts';
import type { VerbatimOptions } from '../selection/verbatim-options.ts';
import type { ModelSizeOptions, SizeOptions } from '../sizing/size-options.ts';
import type { StoreOptions } from '../stores/store-options.ts';
import type { SummaryOptions } from '../summaries/summary-options.ts';
import type { StrategyOptions } from './strategy-options.ts';

/**
 * Options of `summarizationMiddleware`.
 *
 * ### How much the model accepts
 * `contextLength`, `providers`
 *
 * ### When to summarise
 * `enabled`, `triggerTokenRatio`, `resetTokenRatio`, `tokenThreshold`, `turnThreshold`,
 * `forceRefreshAfterMessages`, `minMessages`, `cooldownMessages`, `maxSummaryChainDepth`, `atMaxDepth`,
 * `condenseToolResults`, `onBeforeSummarize`, `native`
 *
 * ### What a conversation may cost
 * `optimizeFor`, `prices`, `summarizerInput`
 *
 * ### What stays verbatim
 * `preserveRecent`, `preserveRecentTokenRatio`, `pin`, `priority`
 *
 * ### Who writes summaries
 * `strategy`, `fallbackStrategy`, `maxTranscriptTokens`; for strategies that are named also
 * `summarizerModelPreference`, `prompts`, `messageFilter`, `minUserTurns`, `preserveErrorDetails`
 *
 * ### What summaries may take and show
 * `maxSummaryTokens`, `redact`, `telemetry`, `abortOnFailure`
 *
 * ### How long calls wait
 * `maxWaitMs`, `summaryTimeoutMs`, `background`, `abortSignal`
 *
 * ### How the summary stands in the prompt
 * `placement`, `preserveUserTurns`
 *
 * ### Where summaries are kept
 * `store`, `namespace`, `secret`, `encrypt`, `storeTimeoutMs`, `retentionMs`, `supersededTtlMs`,
 * `archive`, `maxSummaryCallsPerHour`, `summaryTreeStore`
 *
 * ### Who is told
 * `onEvent`, `debug`
 */
export interface SummarizationOptions
  extends
    SizeOptions,
    TriggerOptions,
    CostOptions,
    VerbatimOptions,
    StrategyOptions,
    SummaryOptions,
    ComposingOptions,
    StoreOptions,
    ReportOptions {
  /**
   * Overrides by provider or by `provider:model`, the most specific first: `openai` covers
   * `openai.responses`. Keys compare without regard to case. One that is no known provider is warned of
   * when a call of another provider passes.
   * @default {}
   */
  readonly providers?: Readonly<Record<string, ProviderOverrides>> | undefined;
}

/** What may differ between the models of one middleware. */
export interface ProviderOverrides
  extends
    ModelSizeOptions,
    Pick<TriggerOptions, 'triggerTokenRatio' | 'resetTokenRatio'>,
    Pick<VerbatimOptions, 'preserveRecent' | 'preserveRecentTokenRatio'>,
    Pick<ComposingOptions, 'placement'> {}
