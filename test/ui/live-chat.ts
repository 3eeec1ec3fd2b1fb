import {
  convertToModelMessages,
  createUIMessageStream,
  isStepCount,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
  wrapLanguageModel,
  type ToolSet,
  type UIMessageChunk,
} from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { summarizationMiddleware, type SummarizationOptions } from '../../src/index.ts';
import {
  summarizationMetadata,
  summaryDataParts,
  type SummarizationUIMessage,
} from '../../src/entries/ui/index.ts';
import { chatModel } from '../support/models.ts';

/** What a route is given besides the messages. */
export interface LiveChatOptions extends SummarizationOptions {
  readonly inner?: MockLanguageModelV4;
  readonly tools?: ToolSet;
  readonly force?: boolean;
  /** Everything that is streamed. */
  readonly chunks?: UIMessageChunk[];
}

/** Answers a conversation as a route does, and returns what it streams. */
export function liveStream(
  messages: readonly SummarizationUIMessage[],
  options: Omit<LiveChatOptions, 'chunks'>,
): ReadableStream<UIMessageChunk> {
  const { inner = chatModel(), tools = {}, force = false, ...middleware } = options;
  return createUIMessageStream<SummarizationUIMessage>({
    execute: async ({ writer }) => {
      writer.write({ type: 'start', messageId: `answer-${messages.length}` });
      const metadata = summarizationMetadata();
      const onEvent = summaryDataParts(writer, { messages });
      const result = streamText({
        model: wrapLanguageModel({
          model: inner,
          middleware: summarizationMiddleware({ onEvent, ...middleware }),
        }),
        instructions: 'Answer briefly.',
        messages: await convertToModelMessages([...messages], { ignoreIncompleteToolCalls: true }),
        tools,
        stopWhen: isStepCount(5),
        providerOptions: { summarization: { force } },
      });
      writer.merge(
        toUIMessageStream({ stream: result.stream, sendStart: false, messageMetadata: metadata }),
      );
    },
  });
}

/** Answers a conversation as a route does, and returns the page's messages with the answer. */
export async function answerLive(
  messages: readonly SummarizationUIMessage[],
  { chunks = [], ...options }: LiveChatOptions,
): Promise<SummarizationUIMessage[]> {
  // Copied: reading changes parts in place.
  const noted = liveStream(messages, options).pipeThrough(
    new TransformStream<UIMessageChunk, UIMessageChunk>({
      transform: (chunk, controller) => {
        chunks.push(structuredClone(chunk));
        controller.enqueue(chunk);
      },
    }),
  );
  let answer: SummarizationUIMessage | undefined;
  for await (const message of readUIMessageStream<SummarizationUIMessage>({ stream: noted })) {
    answer = message;
  }
  return answer === undefined ? [...messages] : [...messages, answer];
}

/** A chat of so many messages of some eighty words, the user's first and last. */
export function pageTalk(count: number): SummarizationUIMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `Message ${index}: ${'so it went on and on. '.repeat(20)}` }],
  }));
}
