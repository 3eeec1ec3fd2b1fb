import { simulateReadableStream, type LanguageModelMiddleware } from 'ai';

// Nothing was sent, so there is nothing to count.
const unknown = {
  total: undefined,
  noCache: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
  text: undefined,
  reasoning: undefined,
};

/**
 * Replaces the model if only a summary is wanted: the middleware makes and stores the summary, and no model is asked
 * for an answer.
 */
export const answerNothing: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapStream: async () => ({
    stream: simulateReadableStream({
      chunks: [
        { type: 'stream-start', warnings: [] },
        {
          type: 'finish',
          finishReason: { unified: 'stop', raw: undefined },
          usage: { inputTokens: unknown, outputTokens: unknown },
        },
      ],
    }),
  }),
};
