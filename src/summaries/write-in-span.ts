import { SummarizationError } from '../errors/summarization-error.ts';
import type { EventBody } from '../report/call-reporter.ts';
import { runInSpan, type WorkSpan } from '../telemetry/run-in-span.ts';
import type { TelemetryTracer } from '../telemetry/tracer.ts';
import type { TriggerReason } from '../planning/decide.ts';
import type { CallReporter } from '../report/call-reporter.ts';
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

/** Writes a summary in a span, which shows what events tell of it: figures, no texts. */
export async function writeInSpan<Order extends SpannedOrder, Written>(
  tracer: TelemetryTracer,
  order: Order,
  write: (order: Order) => Promise<Written>,
): Promise<Written> {
  const attributes = {
    'gen_ai.operation.name': 'summarize_conversation',
    'summarization.reason': order.reason,
    'summarization.prepared': order.isAhead === true,
    'summarization.tokens_before': order.tokens,
  };
  const work = { name: 'summarize_conversation', kind: 0, attributes } as const;
  return runInSpan(tracer, work, async (span) => {
    const emit = (event: EventBody): void => {
      show(span, event);
      order.emit(event);
    };
    try {
      return await write({ ...order, emit });
    } catch (error) {
      span.fail(SummarizationError.isInstance(error) ? error.reason : 'error');
      throw error;
    }
  });
}

function show(span: WorkSpan, event: EventBody): void {
  switch (event.type) {
    case 'end':
      return span.set({
        'gen_ai.conversation.compacted': true,
        'gen_ai.usage.input_tokens': event.usage.inputTokens,
        'gen_ai.usage.output_tokens': event.usage.outputTokens,
        'summarization.calls': event.calls,
        'summarization.strategy': event.strategy,
        'summarization.record_id': event.record.id,
        'summarization.depth': event.depth,
        'summarization.degraded': event.degraded,
        'summarization.covered_messages': event.coveredMessages,
        'summarization.tokens_after': event.tokensAfter,
        'summarization.duration_ms': event.durationMs,
      });
    case 'fallback':
      return span.event('summarization.fallback', { from: event.from, to: event.to });
    case 'failed':
      return span.event('summarization.failed', { stage: event.stage });
    default:
  }
}
