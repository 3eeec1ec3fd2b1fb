import { SummarizationError } from '../errors/summarization-error.ts';
import type { SummarizationTelemetry } from '../telemetry/call-telemetry.ts';
import { runInSpan } from '../telemetry/run-in-span.ts';
import type { CallReporter, EventBody } from './call-reporter.ts';

/**
 * Writes a summary in a span of the tracer that `telemetry` names, if it names one. The span shows what events tell of
 * the summary: figures, no texts.
 *
 * @param work - Given where it tells of itself.
 */
export async function inSummarySpan<Written>(
  { tracer, isEnabled }: Pick<SummarizationTelemetry, 'tracer' | 'isEnabled'>,
  begun: { readonly reason: string; readonly prepared: boolean; readonly tokensBefore: number },
  emit: CallReporter['emit'],
  work: (emit: CallReporter['emit']) => Promise<Written>,
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
      if (event.type === 'end')
        span.set({
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
      else if (event.type === 'fallback')
        span.event('summarization.fallback', { from: event.from, to: event.to });
      else if (event.type === 'failed') span.event('summarization.failed', { stage: event.stage });
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
