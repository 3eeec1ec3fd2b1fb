import type { LanguageModelV4 } from '@ai-sdk/provider';
import { callReporter } from '../report/call-reporter.ts';
import { eventSink } from '../report/event-sink.ts';
import { checkOptions } from '../options/check-options.ts';
import { providerOptionsKey } from '../prompt/provider-options-key.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { guardStore } from '../stores/guard-store.ts';
import { singleFlight, type SingleFlight } from '../summaries/single-flight.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryStore } from '../stores/summary-store.ts';
import { storeKeys } from '../stores/store-keys.ts';
import { boundedMap } from '../util/bounded-map.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { CallContext, MiddlewareContext } from './call-context.ts';
import { failureMemory } from '../summaries/failure-memory.ts';
import { makeStrategies } from '../options/make-strategies.ts';
import { memoryScope, processMemory } from './process-memory.ts';

/** Models that are remembered to have been counted again. */
const maxCountedModels = 1000;

/**
 * Builds what the calls of one middleware share.
 *
 * @throws {SummarizationOptionError} when an option is wrong.
 */
export function middlewareContext(options: SummarizationOptions): MiddlewareContext {
  const promptWarnings = checkOptions(options);
  const { store = memoryStore(), namespace = '', secret = processSecret() } = options;
  return {
    sink: eventSink(options),
    options,
    guardedStore: guardStore(store),
    keys: storeKeys(secret, namespace),
    memory: processMemory(),
    scope: memoryScope(store, secret, namespace),
    flights: flightsOf(store),
    failures: failureMemory(),
    countedModels: boundedMap(maxCountedModels),
    promptWarnings,
    ...makeStrategies(options),
  };
}

/** Adds what is known of one call. */
export function callContext(
  context: MiddlewareContext,
  model: LanguageModelV4,
  params: CallOptions,
): CallContext {
  const id = params.providerOptions?.[providerOptionsKey]?.['conversationId'];
  const call = {
    provider: model.provider,
    modelId: model.modelId,
    ...(typeof id === 'string' ? { conversationId: id } : {}),
  };
  const modelKey = JSON.stringify([context.scope, model.provider, model.modelId]);
  const { memory } = context;
  const { emit, warn } = callReporter(context.sink, call, { memory, modelKey });
  const store = context.guardedStore((error) =>
    emit({ type: 'failed', stage: 'store', reason: 'the store failed', error }),
  );
  return { ...context, store, model, modelKey, emit, warn };
}

const flightsByStore = new WeakMap<SummaryStore, SingleFlight<StoredSummary>>();

/** One for a store: middlewares made anew for each request find what the one before has begun. */
function flightsOf(store: SummaryStore): SingleFlight<StoredSummary> {
  const flights = flightsByStore.get(store) ?? singleFlight();
  flightsByStore.set(store, flights);
  return flights;
}

let secretOfProcess: string | undefined;

/** One for the process: instances that share a store without a secret find each other's summaries. */
function processSecret(): string {
  secretOfProcess ??= crypto.randomUUID() + crypto.randomUUID();
  return secretOfProcess;
}
