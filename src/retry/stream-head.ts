import type { LanguageModelV4StreamResult } from '@ai-sdk/provider';
import { streamOf, type StreamPart } from '../util/async/streams.ts';
import { isObject } from '../util/is-object.ts';

/** What a model answers that streams. */
export type Streamed = LanguageModelV4StreamResult;

/** What a stream goes on with. */
export type Replacement = StreamPart | ReadableStream<StreamPart>;
type NextPart = ReadableStreamReadResult<StreamPart>;

/**
 * Passes a stream on part by part, but lets `replace` see the first part that says something, before it
 * is passed on: the part itself lets the stream go on, another part takes its place, and another stream
 * goes on instead. What only announces an answer (`stream-start`, metadata, raw chunks, pings) is passed
 * on at once; the `stream-start` of a stream that goes on instead is left out when there was one. A
 * stream that breaks is shown as an error part. Reads a part only when one is asked for.
 */
export function streamWithHead(
  stream: ReadableStream<StreamPart>,
  replace: (part: StreamPart) => Replacement | Promise<Replacement>,
): ReadableStream<StreamPart> {
  let reader = stream.getReader();
  let isHead = true;
  let isStarted = false;
  let cancelled: { readonly reason: unknown } | undefined;

  const readNext = async (): Promise<NextPart> => {
    if (!isHead) return reader.read();
    const { next, breakage } = await readPart(reader);
    if (next.done || !isObject(next.value) || announcingTypes.has(next.value.type)) {
      isStarted ||= next.value?.type === 'stream-start';
      return next;
    }
    isHead = false;
    const replacement = await replace(next.value);
    if (replacement instanceof ReadableStream) return goOnWith(replacement);
    if (breakage === undefined) return { done: false, value: replacement };
    throw replacement.type === 'error' ? replacement.error : breakage.error;
  };

  const goOnWith = async (other: ReadableStream<StreamPart>): Promise<NextPart> => {
    // Nobody wants the rest of a failed answer, and nobody is there to hear how giving it up went.
    reader.cancel().catch(() => {});
    reader = other.getReader();
    if (cancelled !== undefined) {
      await reader.cancel(cancelled.reason);
      return { done: true, value: undefined };
    }
    const first = await reader.read();
    return isStarted && first.value?.type === 'stream-start' ? reader.read() : first;
  };

  return streamOf({
    read: readNext,
    cancel: async (reason: unknown) => {
      cancelled = { reason };
      await reader.cancel(reason);
    },
  });
}

/** The stream of another attempt; an error part where there is none. */
export async function streamOrError(attempt: Promise<Streamed>): Promise<Replacement> {
  try {
    return (await attempt).stream;
  } catch (error) {
    return { type: 'error', error };
  }
}

/** The next part of a stream; an error part and what it stands for where the stream breaks. */
async function readPart(reader: ReadableStreamDefaultReader<StreamPart>): Promise<{
  readonly next: NextPart;
  readonly breakage?: { readonly error: unknown };
}> {
  try {
    return { next: await reader.read() };
  } catch (error) {
    return { next: { done: false, value: { type: 'error', error } }, breakage: { error } };
  }
}

const announcingTypes: ReadonlySet<StreamPart['type']> = new Set([
  'stream-start',
  'response-metadata',
  'raw',
  'ping',
]);
