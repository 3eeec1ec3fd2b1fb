import type { LanguageModelMiddleware } from 'ai';
import { parseJson } from '../../json/parse-json.ts';
import { memberOf } from './classify-failure.ts';
import { refusesToStream } from './request-form.ts';

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type Streamed = Awaited<ReturnType<Parameters<WrapGenerate>[0]['doStream']>>;
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never;
type Generated = Awaited<ReturnType<WrapGenerate>>;
type FinishPart = Extract<StreamPart, { type: 'finish' }>;

/** How an answer is read while it comes. */
export interface StreamReading {
  readonly isStreamed: boolean;
  /** Characters of text that are kept; the rest is read and left. */
  readonly maxCharacters: number;
  /** Told of each part of a stream. */
  readonly onPart: () => void;
  /** Told all of the text so far, each time some has come. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Told that the model reasoned. */
  readonly onReasoned: () => void;
  /** Told that the model's server does not stream. */
  readonly onRefused: () => void;
}

/**
 * Asks a model for a stream where the SDK asks it for an answer, which is put together from its parts: `generateObject`
 * answers all at once, and only a stream shows that a slow model is at work. What is no text is left. A model that
 * refuses to stream is asked for all at once: what was refused is not billed.
 */
export function streamAnswer(reading: StreamReading): LanguageModelMiddleware {
  const { isStreamed, maxCharacters, onReasoned, onRefused } = reading;
  return {
    specificationVersion: 'v4',
    wrapGenerate: async ({ doStream, doGenerate, params }) => {
      const streamed = isStreamed ? await unlessRefused(doStream, onRefused) : undefined;
      const answered = streamed && (await answerOf(streamed, reading, params.abortSignal));
      if (answered !== undefined && !saysNothing(answered)) return answered;
      if (answered !== undefined) onRefused();
      const result = await doGenerate();
      if (hasReasoned(result.usage)) onReasoned();
      let left = maxCharacters;
      const content = result.content.map((part) => {
        if (part.type !== 'text' || typeof part.text !== 'string') return part;
        const text = part.text.slice(0, left);
        left -= text.length;
        return text.length === part.text.length ? part : { ...part, text };
      });
      return { ...result, content };
    },
  };
}

async function unlessRefused(
  doStream: () => PromiseLike<Streamed>,
  onRefused: () => void,
): Promise<Streamed | undefined> {
  try {
    return await doStream();
  } catch (error) {
    const refusal = refusesToStream(error);
    if (refusal === undefined) throw error;
    if (refusal === 'by-server') onRefused();
    return undefined;
  }
}

async function answerOf(
  { stream, request, response }: Streamed,
  { maxCharacters, onPart, onText, onReasoned }: StreamReading,
  abortSignal: AbortSignal | undefined,
): Promise<Generated> {
  let warnings: Generated['warnings'] = [];
  let metadata: Generated['response'];
  let finish: Omit<FinishPart, 'type'> | undefined;
  let text = '';
  for await (const part of partsOf(stream, abortSignal)) {
    onPart();
    if (part.type === 'stream-start') ({ warnings } = part);
    if (part.type === 'response-metadata') metadata = metadataIn(part);
    if (part.type === 'reasoning-delta') onReasoned();
    if (part.type === 'error') throw part.error;
    if (part.type === 'finish') {
      finish = part;
      // All has been said and billed: a connection that stays open is not waited for.
      break;
    }
    if (part.type !== 'text-delta' || text.length >= maxCharacters) continue;
    text = (text + part.delta).slice(0, maxCharacters);
    onText?.(text);
  }
  // What came as a whole was paid for, whether its end was said or not.
  finish ??= parseJson(text) === undefined ? undefined : unsaid;
  if (finish === undefined) throw new Error('The stream of the answer broke off.');
  const { finishReason, usage, providerMetadata } = finish;
  if (hasReasoned(usage)) onReasoned();
  return {
    content: text === '' ? [] : [{ type: 'text', text }],
    finishReason,
    usage,
    warnings,
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
    ...(request === undefined ? {} : { request }),
    response: { ...response, ...metadata },
  };
}

/** Whether a stream held nothing, not even what it cost: a server that answers all at once whatever it is asked for. */
function saysNothing({ content, finishReason, usage }: Generated): boolean {
  const { inputTokens, outputTokens } = usage;
  const isReported = inputTokens.total !== undefined || outputTokens.total !== undefined;
  return content.length === 0 && finishReason.unified === 'other' && !isReported;
}

/** Models of older specifications may say it otherwise, or not at all. */
function hasReasoned(usage: unknown): boolean {
  return Number(memberOf(memberOf(usage, 'outputTokens'), 'reasoning')) > 0;
}

const unsaid: Omit<FinishPart, 'type'> = {
  finishReason: { unified: 'other', raw: undefined },
  usage: {
    inputTokens: {
      total: undefined,
      noCache: undefined,
      cacheRead: undefined,
      cacheWrite: undefined,
    },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  },
};
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
