import { runInSpan } from '../../telemetry/run-in-span.ts';
import type { TelemetryTracer } from '../../telemetry/tracer.ts';
import type { ModelCall, ModelCallResult } from './model-call.ts';

/** Makes a call in a span of the conventions for generative AI; with texts only where they are asked for. */
export async function callInSpan<Answer extends object>(
  tracer: TelemetryTracer,
  { model, prompt, telemetry }: ModelCall,
  call: () => Promise<ModelCallResult<Answer>>,
): Promise<ModelCallResult<Answer>> {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': model.provider,
    'gen_ai.request.model': model.modelId,
    ...(telemetry?.recordInputs === true
      ? { 'gen_ai.input.messages': messageOf('user', prompt) }
      : {}),
  };
  return runInSpan(
    tracer,
    { name: `chat ${model.modelId}`, kind: 2, attributes },
    async ({ set, fail }) => {
      const result = await call();
      const { inputTokens, outputTokens } = result.usage;
      set({
        'gen_ai.usage.input_tokens': inputTokens,
        'gen_ai.usage.output_tokens': outputTokens,
      });
      if (result.outcome !== 'ok') fail(result.outcome);
      else if (telemetry?.recordOutputs === true)
        set({ 'gen_ai.output.messages': messageOf('assistant', writtenIn(result)) });
      return result;
    },
  );
}

function writtenIn(result: object): string {
  if ('text' in result && typeof result.text === 'string') return result.text;
  return 'answer' in result ? JSON.stringify(result.answer) : '';
}

function messageOf(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}
