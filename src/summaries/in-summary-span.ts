import type { CallReporter } from '../report/call-reporter.ts';
import type { TriggerReason } from '../planning/decide.ts';
import type { SummarizationTelemetry } from '../strategies/call-telemetry.ts';

/** As much of a summary that is ordered as its span shows. */
export interface SpannedOrder extends Pick<CallReporter, 'emit'> {
  readonly reason: TriggerReason;
  readonly isAhead?: boolean | undefined;
  readonly tokens: number;
  readonly writers: {
    readonly options: { readonly telemetry?: SummarizationTelemetry | undefined };
  };
}

/** Writes a summary in a span of the tracer that `telemetry` names, if it names one. */
export async function inSummarySpan<Order extends SpannedOrder, Written>(
  order: Order,
  write: (order: Order) => Promise<Written>,
): Promise<Written> {
  const { tracer, isEnabled } = order.writers.options.telemetry ?? {};
  if (tracer === undefined || isEnabled === false) return write(order);
  const { writeInSpan } = await import('./write-in-span.ts');
  return writeInSpan(tracer, order, write);
}
