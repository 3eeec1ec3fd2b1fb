import type { SpannedOrder } from './write-in-span.ts';

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
