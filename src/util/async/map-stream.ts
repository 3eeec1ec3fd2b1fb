import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';

/**
 * Passes a stream on part by part as `map` gives them. Reads a part only when one is asked for, so
 * back-pressure and cancellation reach the model as without it.
 */
export function mapStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  map: (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = stream.getReader();
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(map(value));
      },
      cancel: async (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
