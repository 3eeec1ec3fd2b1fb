import type { EventSink } from './event-sink.ts';
import type { EventCall } from './event-call.ts';
import type { SummarizationEvent, WarningEvent } from './summarization-event.ts';
import type { WarningPlace } from './warning-memory.ts';

/** An event without the fields that name the call; those are added where it is sent. */
export type EventBody = SummarizationEvent extends infer Event
  ? Event extends SummarizationEvent
    ? Omit<Event, keyof EventCall>
    : never
  : never;

/** Something to mend in the set-up. */
export interface CallWarning {
  readonly code: WarningEvent['code'];
  /**
   * What the warning is about, where that is not the model: one cause is told of once.
   * @default the model
   */
  readonly cause?: string | undefined;
  readonly message: string;
}

/** Tells what happens in one call. */
export interface CallReporter {
  readonly emit: (event: EventBody) => void;
  /**
   * Warns of what is to be mended in the set-up: as an event, once for a model and a middleware, and in
   * the `warnings` of this answer or the next one of the model, once for the process.
   */
  readonly warn: (warning: CallWarning) => void;
}

/** Makes the reporter of one call. */
export function callReporter(
  { emit, warnOnce }: Pick<EventSink, 'emit' | 'warnOnce'>,
  call: EventCall,
  { memory, modelKey }: WarningPlace,
): CallReporter {
  const { provider, modelId } = call;
  return {
    emit: (event) => emit({ ...event, ...call }),
    warn: ({ code, message, cause }) => {
      const about = `${code} ${cause ?? `${provider}:${modelId}`}`;
      warnOnce({ type: 'warning', code, provider, modelId, message }, about);
      memory.warnings.note(modelKey, { cause: about, message });
    },
  };
}
