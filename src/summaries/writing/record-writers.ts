import type { Message } from '../../prompt/prompt-types.ts';
import type { SummaryInput, SummaryStrategy } from '../../strategies/summary-strategy.ts';
import type { SummaryOptions } from './summary-options.ts';

/** Who writes summaries, and what all of them are given. */
export interface RecordWriters extends Pick<
  SummaryInput,
  | 'model'
  | 'termsFor'
  | 'declaredContextLength'
  | 'maxCalls'
  | 'onAttempt'
  | 'onRest'
  | 'onAlive'
  | 'log'
> {
  /** `undefined` for the strategy `'none'`. */
  readonly strategy: SummaryStrategy | undefined;
  /** Writes when `strategy` fails. */
  readonly fallbackStrategy: SummaryStrategy | undefined;
  /** The call at whose end the model is asked, and messages of it that stay, where that is wanted. */
  readonly asked?: Pick<SummaryInput, 'conversation' | 'recentMessages'> | undefined;
  /** Says what tools answered in a line of facts each: what a model reads where cost decides. */
  readonly factsOf?: ((messages: readonly Message[]) => Promise<readonly Message[]>) | undefined;
  readonly options: Pick<
    SummaryInput,
    | 'maxTranscriptTokens'
    | 'priority'
    | 'namespace'
    | 'redact'
    | 'telemetry'
    | 'summaryTimeoutMs'
    | 'maxWaitMs'
  > &
    Pick<SummaryOptions, 'details' | 'streamSummary'>;
}
