import { SummarizationError } from '../errors/summarization-error.ts';
import {
  runInSpan,
  type SummarizationTelemetry,
  type TelemetryCounter,
  type TelemetryHistogram,
} from '../telemetry/telemetry.ts';
import { instruments, useOf, type EventBody, type SummarizationEvent } from './events.ts';

/** Counts events in the meter of `telemetry`; `undefined` where there is none. */
export function eventCounter({ meter, isEnabled }: SummarizationTelemetry = {}):
  | ((event: SummarizationEvent) => void)
  | undefined {
  if (meter === undefined || isEnabled === false) return undefined;
  const made = new Map<string, TelemetryCounter | TelemetryHistogram>();
  for (const [name, [unit, description]] of Object.entries(instruments)) {
    const make = name === 'duration' ? 'createHistogram' : 'createCounter';
    made.set(name, meter[make](`summarization.${name}`, { unit, description }));
  }
  return (event) => {
    const { provider, modelId } = event;
    const model = { 'gen_ai.provider.name': provider, 'gen_ai.request.model': modelId };
    for (const [name, value, attributes] of useOf(event)?.measures?.(event) ?? []) {
      const instrument = made.get(name);
      if (instrument === undefined) continue;
      const all = { ...model, ...attributes };
      if ('add' in instrument) instrument.add(value, all);
      else instrument.record(value, all);
    }
  };
}

/**
 * Writes a summary in a span of the tracer that `telemetry` names, if it names one. The span shows what events tell of
 * the summary: figures, no texts.
 *
 * @param work - Given where it tells of itself.
 */
export async function inSummarySpan<Written>(
  { tracer, isEnabled }: Pick<SummarizationTelemetry, 'tracer' | 'isEnabled'>,
  begun: { readonly reason: string; readonly prepared: boolean; readonly tokensBefore: number },
  emit: (event: EventBody) => void,
  work: (emit: (event: EventBody) => void) => Promise<Written>,
): Promise<Written> {
  if (tracer === undefined || isEnabled === false) return work(emit);
  const name = 'summarize_conversation';
  const attributes = {
    'gen_ai.operation.name': name,
    'summarization.reason': begun.reason,
    'summarization.prepared': begun.prepared,
    'summarization.tokens_before': begun.tokensBefore,
  };
  return runInSpan(tracer, { name, kind: 0, attributes }, async (span) => {
    const tell = (event: EventBody): void => {
      const { span: shown, measures } = useOf(event) ?? {};
      const [first] = measures?.(event) ?? [];
      if (shown !== undefined) span.set(shown(event));
      else if (first !== undefined) span.event(`summarization.${event.type}`, first[2]);
      emit(event);
    };
    try {
      return await work(tell);
    } catch (error) {
      span.fail(SummarizationError.isInstance(error) ? error.reason : 'error');
      throw error;
    }
  });
}
