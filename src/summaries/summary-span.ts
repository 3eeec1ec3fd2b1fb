import { SummarizationError } from '../errors/summarization-error.ts';
import type { EventBody } from '../report/call-reporter.ts';
import type { SummarizationTelemetry } from '../strategies/call-telemetry.ts';
import { runInSpan } from '../telemetry/run-in-span.ts';
import type { TelemetryAttributes } from '../telemetry/tracer.ts';

type Emit = (event: EventBody) => void;

/**
 * Writes a summary in a span of the tracer that `telemetry` names, if it names one. The span shows what events tell of
 * the summary: figures, no texts.
 */
export async function inSummarySpan<Written>(
  { tracer, isEnabled }: SummarizationTelemetry,
  attributes: TelemetryAttributes,
  emit: Emit,
  write: (emit: Emit) => Promise<Written>,
): Promise<Written> {
  if (tracer === undefined || isEnabled === false) return write(emit);
  const name = 'summarize_conversation';
  const work = {
    name,
    kind: 0,
    attributes: { 'gen_ai.operation.name': name, ...attributes },
  } as const;
  return runInSpan(tracer, work, async (span) => {
    try {
      return await write((event) => {
        if (event.type === 'end') span.set(figuresOf(event));
        else if (event.type === 'fallback')
          span.event('summarization.fallback', { from: event.from, to: event.to });
        else if (event.type === 'failed')
          span.event('summarization.failed', { stage: event.stage });
        emit(event);
      });
    } catch (error) {
      span.fail(SummarizationError.isInstance(error) ? error.reason : 'error');
      throw error;
    }
  });
}

function figuresOf(event: Extract<EventBody, { type: 'end' }>): TelemetryAttributes {
  return {
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
  };
}
