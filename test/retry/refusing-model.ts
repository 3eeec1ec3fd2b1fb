import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { textParts, textResult } from '../support/models.ts';

/** What one call of a refusing model does: throw, or stream parts and throw at their end. */
export interface Refusal {
  readonly throws?: unknown;
  readonly parts?: readonly LanguageModelV4StreamPart[] | undefined;
}

/** A model that refuses its first calls, in their order, and answers from then on. */
export function refusingModel(...refusals: readonly Refusal[]): MockLanguageModelV4 {
  let calls = 0;
  const next = (_options: LanguageModelV4CallOptions): Refusal | undefined => {
    calls += 1;
    return refusals[calls - 1];
  };
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'gpt-test',
    doGenerate: async (options) => {
      const refusal = next(options);
      if (refusal !== undefined) throw refusal.throws;
      return textResult('Understood.');
    },
    doStream: async (options) => {
      const refusal = next(options);
      if (refusal === undefined)
        return { stream: simulateReadableStream({ chunks: textParts('Understood.') }) };
      if (refusal.parts === undefined) throw refusal.throws;
      return { stream: streamOf(refusal) };
    },
  });
}

function streamOf({ parts = [], throws }: Refusal): ReadableStream<LanguageModelV4StreamPart> {
  const rest = [...parts];
  return new ReadableStream({
    pull: (controller) => {
      const part = rest.shift();
      if (part !== undefined) controller.enqueue(part);
      else if (throws === undefined) controller.close();
      else controller.error(throws);
    },
  });
}
