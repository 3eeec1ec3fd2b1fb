import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ArchivePolicy } from '../../archive/stored-archive.ts';
import type { CallFigures } from '../../report/call-figures.ts';
import type { CallReporter } from '../../report/call-reporter.ts';
import type { EventSink } from '../../report/event-sink.ts';
import type { SummarizationOptions } from '../../options/summarization-options.ts';
import type { GuardedStore, SealedStore } from '../../stores/sealed-store.ts';
import type { StandingUsage } from '../../sizing/watch-usage.ts';
import type { StoreKeyring } from '../../stores/store-keys.ts';
import type { SummaryStore } from '../../stores/summary-store.ts';
import type { ToolResultOptions } from '../../strategies/tool-summary.ts';
import type { BoundedMap } from '../../util/maps/bounded-map.ts';
import type { SummaryStrategy } from '../../strategies/summary-strategy.ts';
import type { FailureMemory } from '../../summaries/failure-memory.ts';
import type { Epochs, StateTimes } from '../../state/known-conversation.ts';
import type { ProcessCopy } from '../../state/process-copy.ts';
import type { ProcessMemory } from './process-memory.ts';

/** What all calls of one middleware share. */
export interface MiddlewareContext {
  readonly sink: EventSink;
  /** What `stats()` says. */
  readonly figures: CallFigures;
  readonly options: SummarizationOptions;
  /** Where state is kept; the calls see it guarded. */
  readonly givenStore: SummaryStore;
  readonly secret: string | readonly string[];
  readonly times: StateTimes;
  /** How originals are kept, if they are. */
  readonly archive: ArchivePolicy | undefined;
  readonly failures: FailureMemory;
  readonly memory: ProcessMemory;
  /** Whether the usage of conversations stands still, by which a server that cuts prompts is noticed. */
  readonly standing: BoundedMap<StandingUsage>;
  /** `undefined` for the strategy `'none'`. */
  readonly strategy: SummaryStrategy | undefined;
  readonly fallbackStrategy: SummaryStrategy | undefined;
  readonly toolResults: ToolResultOptions;
  /** What is to be mended in the prompts. */
  readonly promptWarnings: readonly string[];
}

/** One call as the stages see it. */
export interface CallContext extends MiddlewareContext {
  /** Never throws, never hangs: faults are reported as events of this call. */
  readonly store: GuardedStore;
  readonly copy: ProcessCopy;
  /** Of this call: its own, or that of the middleware. */
  readonly namespace: string;
  readonly keyring: StoreKeyring;
  /** Where processes tell each other what they have learned of models; waited for shortly. */
  readonly learned: SealedStore;
  /** The model under the middleware. */
  readonly model: LanguageModelV4;
  /** What is known of the model is filed under it: store, secret, namespace, provider and model. */
  readonly modelKey: string;
  /** Epochs of the conversation at an earlier time, where the call was sent then. */
  readonly epochs?: Epochs | undefined;
  /** What the summaries have taken that the call has made so far. */
  readonly bill: { calls: number; inputTokens: number; outputTokens: number };
  readonly emit: CallReporter['emit'];
  readonly warn: CallReporter['warn'];
}
