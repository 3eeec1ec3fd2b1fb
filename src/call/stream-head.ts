import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';

type Part = LanguageModelV4StreamPart;

/** Parts held back at the most while a stream says nothing; past that it passes as it comes. */
const maxHeldParts = 200;

/**
 * Passes a stream on, but lets `replace` see its first part that says something, before anything is
 * passed on: the part itself lets the stream pass, another part takes its place, and another stream takes
 * the place of the whole. What announces an answer (`stream-start`, metadata, raw chunks) is held back
 * until then, so that it is passed on once. From there on a part is read only when one is asked for.
 */
export function streamWithHead(
  stream: ReadableStream<Part>,
  replace: (part: Part) => Promise<Part | ReadableStream<Part>> | Part,
): ReadableStream<Part> {
  let reader = stream.getReader();
  let isHead = true;
  let cancelled: { readonly reason: unknown } | undefined;

  const pass = async (controller: ReadableStreamDefaultController<Part>): Promise<void> => {
    const { done, value } = await reader.read();
    if (done) controller.close();
    else controller.enqueue(value);
  };

  const passHead = async (controller: ReadableStreamDefaultController<Part>): Promise<void> => {
    const { announcing, decisive, isThrown } = await readHead(reader);
    const replacement = decisive === undefined ? undefined : await replace(decisive);
    isHead = false;
    if (replacement instanceof ReadableStream) {
      // Nobody wants the rest of a failed answer, and nobody is there to hear how giving it up went.
      reader.cancel().catch(() => {});
      reader = replacement.getReader();
      await (cancelled === undefined ? pass(controller) : reader.cancel(cancelled.reason));
      return;
    }
    if (cancelled !== undefined) return;
    if (isThrown && replacement !== decisive && replacement?.type === 'error') {
      throw replacement.error;
    }
    for (const part of announcing) controller.enqueue(part);
    if (replacement !== undefined && !isThrown) controller.enqueue(replacement);
    // A stream that threw throws again; were it read at once, what stands in the queue would be lost.
    else if (announcing.length === 0) await pass(controller);
  };

  return new ReadableStream<Part>(
    {
      pull: async (controller) => (isHead ? passHead(controller) : pass(controller)),
      cancel: async (reason) => {
        cancelled = { reason };
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

interface Head {
  readonly announcing: readonly Part[];
  /** `undefined` when the stream ended, or went on too long, without one. */
  readonly decisive: Part | undefined;
  /** Whether the stream threw the error instead of passing it on as a part. */
  readonly isThrown: boolean;
}

async function readHead(reader: ReadableStreamDefaultReader<Part>): Promise<Head> {
  const announcing: Part[] = [];
  try {
    while (announcing.length < maxHeldParts) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!announcingTypes.has(value.type)) return { announcing, decisive: value, isThrown: false };
      announcing.push(value);
    }
  } catch (error) {
    return { announcing, decisive: { type: 'error', error }, isThrown: true };
  }
  return { announcing, decisive: undefined, isThrown: false };
}

const announcingTypes: ReadonlySet<Part['type']> = new Set([
  'stream-start',
  'response-metadata',
  'raw',
  'ping',
]);
