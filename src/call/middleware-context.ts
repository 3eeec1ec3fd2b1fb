import { callFigures } from '../report/call-figures.ts';
import { eventSink } from '../report/event-sink.ts';
import { checkOptions } from '../options/check-options.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import { usedStore } from '../stores/summary-store.ts';
import { processSecret, retentionMs } from '../stores/store-options.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { MiddlewareContext } from './reading/call-context.ts';
import { failureMemory } from '../summaries/failure-memory.ts';
import { makeStrategies } from '../options/make-strategies.ts';
import { processMemory } from './reading/process-memory.ts';

/** Conversations whose reported usage is watched for a server that cuts prompts. */
const maxWatchedConversations = 10_000;

/**
 * Builds what the calls of one middleware share.
 *
 * @throws {SummarizationOptionError} when an option is wrong.
 */
export function middlewareContext(options: SummarizationOptions): MiddlewareContext {
  const promptWarnings = checkOptions(options);
  const { archive = false, redact } = options;
  const store = usedStore(options.store ?? memoryStore());
  const figures = callFigures();
  return {
    sink: eventSink(options, figures),
    figures,
    options,
    givenStore: store,
    // With the first call: where a Worker is loaded, random values are forbidden.
    get secret() {
      return options.secret ?? processSecret();
    },
    times: {
      storeTimeoutMs: options.storeTimeoutMs ?? 2000,
      retentionMs: options.retentionMs ?? retentionMs,
      supersededTtlMs: options.supersededTtlMs ?? 60 * 60_000,
    },
    archive: archive === false ? undefined : { ...(archive === true ? {} : archive), redact },
    memory: processMemory(),
    failures: failureMemory(),
    standing: boundedMap(maxWatchedConversations),
    promptWarnings,
    ...makeStrategies(options),
  };
}
