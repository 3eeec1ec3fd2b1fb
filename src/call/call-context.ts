import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { CallReporter } from '../report/call-reporter.ts';
import type { EventSink } from '../report/event-sink.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { GuardedStore } from '../stores/guard-store.ts';
import type { SingleFlight } from '../summaries/single-flight.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import type { BoundedMap } from '../util/bounded-map.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import type { FailureMemory } from '../summaries/failure-memory.ts';
import type { ProcessMemory } from './process-memory.ts';

/** What all calls of one middleware share. */
export interface MiddlewareContext {
  readonly sink: EventSink;
  readonly options: SummarizationOptions;
  readonly guardedStore: GuardedStore;
  readonly keys: StoreKeys;
  readonly flights: SingleFlight<StoredSummary>;
  readonly failures: FailureMemory;
  readonly memory: ProcessMemory;
  /** What this middleware's knowledge is filed under in the memory. */
  readonly scope: string;
  /** Models of which one prompt has been counted again after a suspiciously small usage. */
  readonly countedModels: BoundedMap<true>;
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
  readonly store: SummaryStore;
  /** The model under the middleware. */
  readonly model: LanguageModelV4;
  /** What is known of the model is filed under it: scope, provider and model. */
  readonly modelKey: string;
  readonly emit: CallReporter['emit'];
  readonly warn: CallReporter['warn'];
}
