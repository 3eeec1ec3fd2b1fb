import type { LanguageModelMiddleware } from 'ai';
import { errorEvidence } from '../../overflow/error-evidence.ts';

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type Streamed = Awaited<ReturnType<Parameters<WrapGenerate>[0]['doStream']>>;
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never;
type Generated = Awaited<ReturnType<WrapGenerate>>;
type FinishPart = Extract<StreamPart, { type: 'finish' }>;

/**
 * Asks a model for a stream where the SDK asks it for an answer, which is put together from its parts: `generateObject`
 * answers all at once, and whoever waits may want to read along. What is no text is left. A model that refuses to stream
 * is asked for all at once: what was refused is not billed.
 *
 * @param maxCharacters - Characters of text that are kept; the rest is read and left.
 * @param onText - Told all of the text so far, each time some has come; awaited before more is read.
 */
export function streamAnswer(
  maxCharacters: number,
  onText: (text: string) => Promise<void>,
): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    wrapGenerate: async ({ doStream, doGenerate, params }) => {
      const streamed = await unlessRefused(doStream);
      if (streamed === undefined) return doGenerate();
      const { stream, request, response } = streamed;
      let warnings: Generated['warnings'] = [];
      let metadata: Generated['response'];
      let finish: FinishPart | undefined;
      let text = '';
      for await (const part of partsOf(stream, params.abortSignal)) {
        if (part.type === 'stream-start') ({ warnings } = part);
        if (part.type === 'response-metadata') metadata = metadataIn(part);
        if (part.type === 'error') throw part.error;
        if (part.type === 'finish') {
          finish = part;
          // All has been said and billed: a connection that stays open is not waited for.
          break;
        }
        if (part.type !== 'text-delta' || text.length >= maxCharacters) continue;
        text = (text + part.delta).slice(0, maxCharacters);
        await onText(text);
      }
      if (finish === undefined) throw new Error('The stream of the answer broke off.');
      const { finishReason, usage, providerMetadata } = finish;
      return {
        content: [{ type: 'text', text }],
        finishReason,
        usage,
        warnings,
        ...(providerMetadata === undefined ? {} : { providerMetadata }),
        ...(request === undefined ? {} : { request }),
        response: { ...response, ...metadata },
      };
    },
  };
}

/** `undefined` where a stream is refused, as OpenAI does to organisations that have not been verified. */
async function unlessRefused(doStream: () => PromiseLike<Streamed>): Promise<Streamed | undefined> {
  try {
    return await doStream();
  } catch (error) {
    const { statuses, texts } = errorEvidence(error);
    const isRefused = statuses.includes(400) && texts.some((text) => /\bstream/.test(text));
    if (!isRefused) throw error;
    return undefined;
  }
}

/** The parts of a stream. Browsers do not iterate streams; one that is left early, or given up, is cancelled. */
async function* partsOf(
  stream: ReadableStream<StreamPart>,
  abortSignal: AbortSignal | undefined,
): AsyncGenerator<StreamPart> {
  const reader = stream.getReader();
  // Not awaited, and without its fault: the answer is here, or why there is none.
  const cancel = (): void => void reader.cancel(abortSignal?.reason).catch(() => {});
  abortSignal?.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      // A provider may go on after its call was given up: nothing of it is told any more.
      abortSignal?.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    abortSignal?.removeEventListener('abort', cancel);
    cancel();
  }
}

function metadataIn({
  id,
  timestamp,
  modelId,
}: Extract<StreamPart, { type: 'response-metadata' }>): NonNullable<Generated['response']> {
  return {
    ...(id === undefined ? {} : { id }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(modelId === undefined ? {} : { modelId }),
  };
}
