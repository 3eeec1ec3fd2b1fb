import { setTimeout as delay } from 'node:timers/promises';
import type { LanguageModelV4 } from '@ai-sdk/provider';

/** Milliseconds that a model takes. */
export interface Slowness {
  readonly answerMs: number;
  readonly summaryMs: number;
}

/** A model that takes its time, to answer and, longer, to summarize: as models do that are not embedded. */
export function slowModel(
  model: LanguageModelV4,
  { answerMs, summaryMs }: Slowness,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (options) => {
      await delay(options.responseFormat?.type === 'json' ? summaryMs : answerMs);
      return model.doGenerate(options);
    },
    doStream: async (options) => {
      await delay(answerMs);
      return model.doStream(options);
    },
  };
}
