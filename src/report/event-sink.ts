import { boundedMap } from '../util/maps/bounded-map.ts';
import { redactionDoor } from '../cleaning/redaction-door.ts';
import type { SummarizationTelemetry } from '../telemetry/call-telemetry.ts';
import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import { harmlessly } from '../util/async/callbacks.ts';
import type { CallFigures } from './call-figures.ts';
import type { SummarizationEvent, WarningEvent } from './summarization-event.ts';

/** Where the events of one middleware go. */
export interface EventSink {
  /** Hands an event to `onEvent` and writes the debug line. Never throws. */
  readonly emit: (event: SummarizationEvent) => void;
  /** Counts an attempt to summarise, and writes the debug line of a failed one. Never throws. */
  readonly logAttempt: (attempt: SummaryAttempt) => void;
  /** Writes a debug line. Never throws. */
  readonly log: (line: string) => void;
  /** Writes a debug line that has not been written before. Never throws. */
  readonly logOnce: (line: string) => void;
  /** Emits a warning unless one of the same cause has been emitted for the same model. */
  readonly warnOnce: (event: WarningEvent, cause: string) => void;
}

/** Characters of the names of what has been warned of. */
const maxWarnedCharacters = 100_000;

interface SinkOptions {
  readonly onEvent?: ((event: SummarizationEvent) => void) | undefined;
  readonly debug?: boolean | ((line: string) => void) | undefined;
  readonly redact?: Parameters<typeof redactionDoor>[0];
  readonly telemetry?: SummarizationTelemetry | undefined;
}

/**
 * Makes the sink of a middleware from its `onEvent` and `debug` options. Every line goes through the door
 * of `redact`.
 */
export function eventSink(
  { onEvent, debug = false, redact, telemetry }: SinkOptions,
  figures: Pick<CallFigures, 'event' | 'attempt'>,
): EventSink {
  const clean = redactionDoor(redact);
  const count = eventCounter(telemetry);
  const warned = boundedMap<true>(maxWarnedCharacters, (key) => key.length);

  const log = (line: string): void => {
    if (debug === false) return;
    const text = (): string => clean(`[summarization] ${line}`);
    harmlessly(() => (typeof debug === 'function' ? debug(text()) : console.debug(text())));
  };
  const emit = (event: SummarizationEvent): void => {
    figures.event(event);
    harmlessly(() => onEvent?.(event));
    if (count !== undefined) harmlessly(async () => count(event));
    if (event.type === 'end') harmlessly(() => log(endLine(event)));
    if (event.type === 'progress') harmlessly(() => log(progressLine(event)));
  };
  return {
    emit,
    log,
    logOnce: (line) => {
      if (warned.get(line) === undefined) log(line);
      warned.set(line, true);
    },
    logAttempt: ({ model, outcome, detail = '', excerpt = '' }) => {
      figures.attempt({ outcome });
      if (outcome !== 'ok')
        log(
          `attempt model=${model} outcome=${outcome} detail=${JSON.stringify(detail)} excerpt=${JSON.stringify(excerpt)}`,
        );
    },
    warnOnce: (event, cause) => {
      const key = `${event.provider}:${event.modelId} ${cause}`;
      if (warned.get(key) === true) return;
      warned.set(key, true);
      emit(event);
    },
  };
}

/** Counts events in the meter of `telemetry`, where there is one. */
function eventCounter({ meter, isEnabled }: SummarizationTelemetry = {}):
  | ((event: SummarizationEvent) => Promise<void>)
  | undefined {
  if (meter === undefined || isEnabled === false) return undefined;
  const counting = import('./summary-metrics.ts').then((module) => module.summaryMetrics(meter));
  counting.catch(() => {});
  return async (event) => (await counting)(event);
}

function endLine(event: Extract<SummarizationEvent, { type: 'end' }>): string {
  const { depth, coveredMessages, ratioBefore, tokensAfter } = event;
  return `depth=${depth} compressedMessages=${coveredMessages} ratioBefore=${ratioBefore.toFixed(3)} estimateAfter=${tokensAfter}`;
}

function progressLine(event: Extract<SummarizationEvent, { type: 'progress' }>): string {
  const { layer, completed, total } = event;
  const part = { 1: 'part', 2: 'group', 3: 'final summary' }[layer];
  return `${part} ${completed} of ${total}`;
}
