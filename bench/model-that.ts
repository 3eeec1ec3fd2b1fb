import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import { simulateStreamingMiddleware, wrapLanguageModel } from 'ai';

/** A model that answers as a function does, and keeps nothing of what it is sent. */
export function modelThat(
  { provider, modelId }: Pick<LanguageModelV4, 'provider' | 'modelId'>,
  answers: (options: LanguageModelV4CallOptions) => Promise<LanguageModelV4GenerateResult>,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: answers,
    doStream: async () => Promise.reject(new Error('Streams are not supported.')),
  };
}

/** A model that gives its answers as streams too. */
export function streamingModelThat(...given: Parameters<typeof modelThat>): LanguageModelV4 {
  return wrapLanguageModel({
    model: modelThat(...given),
    middleware: simulateStreamingMiddleware(),
  });
}
