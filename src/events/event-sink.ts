import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { SummarizationEvent } from './summarization-event.ts';

/** Where the events of one middleware go. */
export interface EventSink {
  /** Hands an event to `onEvent` and writes the debug line. Never throws. */
  readonly emit: (event: SummarizationEvent) => void;
  /** Emits a warning unless this one has been emitted for the same model. */
  readonly warnOnce: (event: Extract<SummarizationEvent, { type: 'warning' }>) => void;
}

/** Makes the sink of a middleware from its `onEvent` and `debug` options. */
export function eventSink({
  onEvent,
  debug = false,
}: Pick<SummarizationOptions, 'onEvent' | 'debug'>): EventSink {
  const write = typeof debug === 'function' ? debug : (line: string): void => console.debug(line);
  const warned = new Set<string>();

  const emit = (event: SummarizationEvent): void => {
    try {
      onEvent?.(event);
      if (debug !== false && event.type === 'end') write(debugLine(event));
    } catch {
      // A listener's fault is not the conversation's.
    }
  };
  return {
    emit,
    warnOnce: (event) => {
      const key = `${event.code} ${event.provider}:${event.modelId}`;
      if (warned.has(key)) return;
      warned.add(key);
      emit(event);
    },
  };
}

function debugLine(event: Extract<SummarizationEvent, { type: 'end' }>): string {
  const { depth, coveredMessages, ratioBefore, tokensAfter } = event;
  return `[summarization] depth=${depth} compressedMessages=${coveredMessages} ratioBefore=${ratioBefore.toFixed(3)} estimateAfter=${tokensAfter}`;
}
