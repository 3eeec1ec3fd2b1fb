import type {
  TelemetryCounter,
  TelemetryHistogram,
  TelemetryMeter,
} from '../telemetry/run-in-span.ts';
import type { SummarizationEvent } from './summarization-event.ts';

/** Counts what events tell, in the instruments of a meter. */
export function summaryMetrics(meter: TelemetryMeter): (event: SummarizationEvent) => void {
  const instruments = instrumentsOf(meter);
  return (event) => count(instruments, event);
}

interface Instruments {
  readonly summaries: TelemetryCounter;
  readonly calls: TelemetryCounter;
  readonly saved: TelemetryCounter;
  readonly billed: TelemetryCounter;
  readonly skipped: TelemetryCounter;
  readonly fallbacks: TelemetryCounter;
  readonly failures: TelemetryCounter;
  readonly durations: TelemetryHistogram;
}

function instrumentsOf(meter: TelemetryMeter): Instruments {
  const counter = (name: string, unit: string, description: string): TelemetryCounter =>
    meter.createCounter(`summarization.${name}`, { unit, description });
  return {
    summaries: counter('summaries', '{summary}', 'Summaries that were written'),
    calls: counter(
      'calls',
      '{call}',
      'Calls of summarising models for summaries that were written',
    ),
    saved: counter('tokens.saved', '{token}', 'Tokens by which summaries shortened a prompt'),
    billed: counter('tokens.billed', '{token}', 'Tokens that summarising models billed'),
    skipped: counter('skipped', '{call}', 'Calls that were due for a summary and got none'),
    fallbacks: counter('fallbacks', '{summary}', 'Summaries that another strategy took over'),
    failures: counter('failures', '{fault}', 'Parts of the work that failed, by stage'),
    durations: meter.createHistogram('summarization.duration', {
      unit: 's',
      description: 'How long a summary took to be written',
    }),
  };
}

function count(to: Instruments, event: SummarizationEvent): void {
  const model = { 'gen_ai.provider.name': event.provider, 'gen_ai.request.model': event.modelId };
  switch (event.type) {
    case 'end': {
      const { reason, strategy, degraded } = event;
      to.summaries.add(1, { ...model, reason, strategy, degraded });
      to.calls.add(event.calls, { ...model, strategy });
      to.saved.add(event.tokensBefore - event.tokensAfter, model);
      to.durations.record(event.durationMs / 1000, { ...model, strategy });
      break;
    }
    case 'skipped':
      to.skipped.add(1, { ...model, reason: event.reason });
      break;
    case 'fallback':
      to.fallbacks.add(1, { ...model, from: event.from, to: event.to });
      break;
    case 'failed':
      to.failures.add(1, { ...model, stage: event.stage });
      break;
    default:
  }
  if (!('usage' in event) || event.usage === undefined) return;
  const { inputTokens, outputTokens } = event.usage;
  to.billed.add(inputTokens, { ...model, 'gen_ai.token.type': 'input' });
  to.billed.add(outputTokens, { ...model, 'gen_ai.token.type': 'output' });
}
