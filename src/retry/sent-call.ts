import type { LanguageModelV4, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Composition } from '../composing/compose-prompt.ts';
import type { Placement } from '../composing/resolve-placement.ts';
import type { CallToFit, FittingPolicy } from '../fitting/fit-prompt.ts';
import type { LearnedLimit } from '../overflow/learned-limit.ts';
import type { LearnedLimits, LimitNews } from '../overflow/learned-limits.ts';
import type { CallReporter } from '../report/call-reporter.ts';
import type { WarningPlace } from '../report/warning-memory.ts';
import type { ReportedCall, SummarizationMetadata } from '../report/report-call.ts';
import type { LearningCall } from '../sizing/learn-usage.ts';
import type { BoundedMap } from '../util/maps/bounded-map.ts';
import type { WatchedCall } from '../sizing/watch-usage.ts';

/** A call as it went out: what is needed when the provider answers, or refuses. */
export interface SentCall
  extends
    LearningCall,
    WatchedCall,
    Pick<CallToFit, 'view' | 'style' | 'toolResults' | 'keyOf'>,
    Pick<ReportedCall, 'emit'> {
  readonly model: LanguageModelV4;
  readonly memory: LearningCall['memory'] &
    WarningPlace['memory'] & {
      readonly limits: LearnedLimits;
      readonly placements: BoundedMap<Placement>;
    };
  readonly policy: FittingPolicy;
  /** What holds for the call when so much more is known of its model. */
  readonly policyAfter: (learned: LearnedLimit) => FittingPolicy;
  readonly warn: CallReporter['warn'];
  /** The record that stands in the prompt. */
  readonly composition: Composition | undefined;
  readonly report: SummarizationMetadata;
  readonly bill: ReportedCall['bill'];
  /**
   * Whether the provider holds the history, or compacts it: nothing is learned from such a call, nor
   * is it shortened after a refusal.
   */
  readonly isServerManaged: boolean;
  /** Told the usage of each answer. Does not throw. */
  readonly onUsage?: ((usage: LanguageModelV4Usage) => void) | undefined;
  /** Begins what is done beside the answer. */
  readonly onAnswering?: (() => void) | undefined;
  /** Whether its summary stands elsewhere than in a prompt that was refused. */
  readonly isPlacedAnew?: boolean | undefined;
  /** Whether one of the next calls may have to be counted, and none has been. */
  readonly isNearCounting: boolean;
}

/** Keeps what a call taught about what its model takes, and says so when it is news. */
export function rememberLimit(
  { memory, modelKey, emit }: SentCall,
  learned: LearnedLimit,
  source: Pick<LimitNews, 'evidence' | 'refusedTokens'>,
): void {
  const news = memory.limits.remember(modelKey, learned, source);
  if (news !== undefined) emit({ type: 'limit-learned', ...news });
}
