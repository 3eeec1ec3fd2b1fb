import type { LanguageModelV4 } from '@ai-sdk/provider';
import { archivePolicyOf } from '../archive/archive-policy.ts';
import { storeReport } from '../report/store-report.ts';
import { callReporter } from '../report/call-reporter.ts';
import { eventSink } from '../report/event-sink.ts';
import { checkOptions } from '../options/check-options.ts';
import { maxModels } from '../prompt/model-name.ts';
import { providerOptionsKey } from '../prompt/provider-options-key.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { guardedStore } from '../stores/guard/guarded-store.ts';
import { processCopyOf } from '../state/lookup/process-copy.ts';
import { processSecret } from '../stores/seal/process-secret.ts';
import { sealedStore } from '../stores/seal/sealed-store.ts';
import { storeKeyring } from '../stores/seal/store-keys.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import { retentionMs } from '../stores/retention.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { CallContext, MiddlewareContext } from './reading/call-context.ts';
import { failureMemory } from '../summaries/failure-memory.ts';
import { makeStrategies } from '../options/make-strategies.ts';
import { memoryScope, processMemory } from './reading/process-memory.ts';

/** Milliseconds a call waits for what other processes have learned of its model. */
const learnedTimeoutMs = 250;

/**
 * Builds what the calls of one middleware share.
 *
 * @throws {SummarizationOptionError} when an option is wrong.
 */
export function middlewareContext(options: SummarizationOptions): MiddlewareContext {
  const promptWarnings = checkOptions(options);
  const { store = memoryStore(), secret = processSecret() } = options;
  return {
    sink: eventSink(options),
    options,
    givenStore: store,
    secret,
    times: {
      storeTimeoutMs: options.storeTimeoutMs ?? 2000,
      retentionMs: options.retentionMs ?? retentionMs,
      supersededTtlMs: options.supersededTtlMs ?? 60 * 60_000,
    },
    archive: archivePolicyOf(options),
    memory: processMemory(),
    failures: failureMemory(),
    countedModels: boundedMap(maxModels),
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
  const { options, givenStore, secret, memory } = context;
  const own = params.providerOptions?.[providerOptionsKey];
  const id = own?.['conversationId'];
  const ofCall = own?.['namespace'];
  const namespace = typeof ofCall === 'string' ? ofCall : (options.namespace ?? '');
  const call = {
    provider: model.provider,
    modelId: model.modelId,
    ...(typeof id === 'string' ? { conversationId: id } : {}),
  };
  const scope = memoryScope(givenStore, secret, namespace);
  const modelKey = JSON.stringify([scope, model.provider, model.modelId]);
  const { emit, warn } = callReporter(context.sink, call, { memory, modelKey });
  const store = guardedStore(givenStore)(storeReport({ emit, warn }));
  const keyring = storeKeyring({ secret, namespace, encrypt: options.encrypt });
  const copy = processCopyOf(givenStore);
  const learned = sealedStore(store, keyring[0], learnedTimeoutMs);
  return { ...context, store, copy, namespace, keyring, learned, model, modelKey, emit, warn };
}
