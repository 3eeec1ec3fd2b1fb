import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';

export type StreamPart = LanguageModelV4StreamPart;
type Reader = Pick<ReadableStreamDefaultReader<StreamPart>, 'read' | 'cancel'>;

/**
 * A stream of what a reader gives. Reads a part only when one is asked for, so back-pressure and cancellation
 * reach the model as without it.
 */
export function streamOf({ read, cancel }: Reader): ReadableStream<StreamPart> {
  return new ReadableStream<StreamPart>(
    {
      pull: async (controller) => {
        const { done, value } = await read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

/** Passes a stream on part by part as `map` gives them. */
export function mapStream(
  stream: ReadableStream<StreamPart>,
  map: (part: StreamPart) => StreamPart,
): ReadableStream<StreamPart> {
  const reader = stream.getReader();
  return streamOf({
    read: async () => {
      const next = await reader.read();
      return next.done ? next : { done: false, value: map(next.value) };
    },
    cancel: async (reason) => reader.cancel(reason),
  });
}
