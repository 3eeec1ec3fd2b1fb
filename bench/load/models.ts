import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import { answer, textResult } from '../../test/support/models.ts';

/** A model that keeps nothing of what it is sent. */
export function modelThat(
  answers: (options: LanguageModelV4CallOptions) => Promise<LanguageModelV4GenerateResult>,
  modelId = 'test-model',
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'openai.responses',
    modelId,
    supportedUrls: {},
    doGenerate: answers,
    doStream: async () => Promise.reject(new Error('Streams are not supported.')),
  };
}

/** A summariser that answers at once, and how often it was asked. */
export function countedSummarizer(behave: () => Promise<void> = () => Promise.resolve()): {
  readonly model: LanguageModelV4;
  readonly calls: () => number;
} {
  let calls = 0;
  const model = modelThat(async () => {
    calls += 1;
    await behave();
    return textResult(answer({ summary: `They spoke of many things, for the time ${calls}.` }));
  }, 'summarizer');
  return { model, calls: () => calls };
}
