import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ArchivePolicy } from '../../state/archive/pack-archive.ts';
import { makeRedactor } from '../../prompt/cleaning/redactor.ts';
import { conversationIdOf } from '../options/call-options.ts';
import { makeStrategies, readOptions, type Strategies } from '../options/read-options.ts';
import type { ResolvedOptions, SummarizationOptions } from '../options/summarization-options.ts';
import { LearnedLimits } from '../../sizes/overflow/learned-limits.ts';
import { providerOptionsKey } from '../../prompt/messages/own-options.ts';
import type { CallOptions } from '../../prompt/messages/prompt-types.ts';
import { Reporter, storeReport, type CallReporter } from '../report/reporter.ts';
import { UsageMemory } from '../../planning/sizing/usage.ts';
import type { StatePlace } from '../../state/conversation/conversation-state.ts';
import { localCacheOf } from '../../state/conversation/local-cache.ts';
import { memoryStore } from '../../state/stores/memory-store.ts';
import { guardedStore } from '../../state/stores/sealed-store.ts';
import { processSecret, storeKeys } from '../../state/stores/store-keys.ts';
import { toSummaryStore, type SummaryStore } from '../../state/stores/summary-store.ts';
import { FailureMemory } from '../writing/failure-memory.ts';
import { boundedMap, type BoundedMap } from '../../foundations/util/maps/bounded-map.ts';

/** Namespaces whose summaries are counted, about 250 bytes each. */
const maxNamespaces = 10_000;

/** Most conversations that moved to another provider, about 250 bytes each. */
const maxSwitched = 1000;

/** Learned facts that this process need not pay for again, each filed under a scope. */
class ProcessMemory {
  readonly usage: UsageMemory = new UsageMemory();
  readonly limits: LearnedLimits = new LearnedLimits();
  /** Calls of an hour, for namespaces with a limit. */
  readonly spent: BoundedMap<number> = boundedMap(maxNamespaces);
  /** Conversations whose compaction by another provider was reported. */
  readonly switched: BoundedMap<true> = boundedMap(maxSwitched);
}

/** The memory of the process, whose size is bounded for any number of middlewares, stores and namespaces. */
const processMemory = new ProcessMemory();

/** State that all calls of one middleware share. */
export interface MiddlewareContext extends Strategies {
  readonly options: ResolvedOptions;
  readonly reporter: Reporter;
  /** Store of the state; calls see it guarded. */
  readonly rawStore: SummaryStore;
  /** How originals are kept, if they are. */
  readonly archive: ArchivePolicy | undefined;
  readonly failures: Pick<FailureMemory, 'recall' | 'remember'>;
  readonly memory: ProcessMemory;
}

/** The context of the middleware for one call of a model. */
export interface CallContext extends MiddlewareContext, CallReporter {
  /** Where the state of the conversation is kept. Faults of the store are reported as events of this call. */
  readonly place: StatePlace;
  /** The namespace of this call, or that of the middleware. */
  readonly namespace: string;
  /** The model under the middleware. */
  readonly model: LanguageModelV4;
  /** Key of facts about the model: store, secret, namespace, provider and model. */
  readonly modelKey: string;
  /** Calls and tokens of the summaries that the call has made so far. */
  readonly bill: { calls: number; inputTokens: number; outputTokens: number };
}

/**
 * Builds the context that the calls of one middleware share.
 *
 * @throws {SummarizationOptionError} when an option is wrong.
 */
export function middlewareContext(given: SummarizationOptions): MiddlewareContext {
  const options = readOptions(given);
  const { archive, redact } = options;
  return {
    options,
    reporter: new Reporter(options),
    rawStore: toSummaryStore(options.store ?? memoryStore()),
    archive: archive === false ? undefined : { ...(archive === true ? {} : archive), redact },
    failures: new FailureMemory(),
    memory: processMemory,
    ...makeStrategies(options),
  };
}

/** Adds the facts of one call that are known before it is read. */
export function callContext(
  context: MiddlewareContext,
  model: LanguageModelV4,
  params: CallOptions,
): CallContext {
  const { options, rawStore, reporter, archive } = context;
  // The secret is not made before the first call: random values are forbidden while a Worker is loaded.
  const { redact, encrypt, secret = processSecret(), storeTimeoutMs, retentionMs } = options;
  const { provider, modelId } = model;
  let fault: unknown;
  const conversationId = conversationIdOf(options, params, (thrown) => (fault = thrown));
  const ofCall = params.providerOptions?.[providerOptionsKey]?.['namespace'];
  const namespace = typeof ofCall === 'string' ? ofCall : options.namespace;
  const told = conversationId && redact ? makeRedactor(redact)(conversationId) : conversationId;
  const names = { provider, modelId, ...(told === undefined ? {} : { conversationId: told }) };
  const cache = localCacheOf(rawStore);
  // Middlewares made anew for each request share the facts under the same store.
  const modelKey = JSON.stringify([cache.id, secret, namespace, provider, modelId]);
  const { warn, emit: tell } = reporter.ofCall(names);
  const bill = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const emit: CallContext['emit'] = (event) => {
    if ('usage' in event && event.usage !== undefined) {
      const { inputTokens, outputTokens } = event.usage;
      bill.inputTokens += inputTokens;
      bill.outputTokens += outputTokens;
    }
    tell(event);
  };
  if (fault !== undefined) {
    const reason = 'conversationId threw or gave no text';
    emit({ type: 'failed', stage: 'conversationId', reason, error: fault });
  }
  const place = {
    store: guardedStore(rawStore, storeReport({ emit, warn })),
    cache,
    keys: storeKeys(secret, namespace, encrypt),
    storeTimeoutMs,
    retentionMs,
    archive,
    conversationId,
  };
  return { ...context, place, namespace, model, modelKey, bill, emit, warn };
}
