import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { scriptedModel, type RecordingModel } from '../../src/entries/testing/index.ts';

/** What stands in for OpenAI's provider where blocks of the documents are run. */
export const openai: ((modelId: string) => RecordingModel) & {
  embedding: (modelId: string) => EmbeddingModelV4;
} = Object.assign(
  (modelId: string) => scriptedModel(['It is the text that a model reads at once.'], { modelId }),
  {
    embedding: (modelId: string): EmbeddingModelV4 => ({
      specificationVersion: 'v4',
      provider: 'openai',
      modelId,
      maxEmbeddingsPerCall: 100,
      supportsParallelCalls: true,
      doEmbed: async ({ values }) => ({
        embeddings: values.map((value) => [value.length, 1]),
        warnings: [],
      }),
    }),
  },
);

/** The provider of another server. */
export const createOpenAI = (): { chat: typeof openai } => ({ chat: openai });

/** Of `next/server`: work that outlives the answer. */
export function after(work: Promise<unknown> | (() => Promise<unknown>)): void {
  void (typeof work === 'function' ? work() : work);
}
