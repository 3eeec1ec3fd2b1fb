import {
  consumeStream,
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  toUIMessageStream,
  wrapLanguageModel,
} from 'ai';
import {
  readCompactCommand,
  summarizationMiddleware,
  type SummarizationCallOptions,
} from 'ai-sdk-summarization';
import { summaryDataParts } from 'ai-sdk-summarization/ui';
import { after } from 'next/server';
import { answerNothing } from '../../../lib/answer-nothing.ts';
import type { ChatMessage } from '../../../lib/chat-message.ts';
import { openChat } from '../../../lib/open-chat.ts';
import { describeError } from '../../../lib/describe-error.ts';
import { metadataWithHistory } from '../../../lib/full-history.ts';
import { messageId } from '../../../lib/message-id.ts';
import { modelOf } from '../../../lib/models.ts';
import { guardRequest } from '../../../lib/request-guard.ts';
import { summaryState } from '../../../lib/summary-state.ts';
import { toolsOf } from '../../../lib/tools.ts';

export const maxDuration = 60;

const instructions =
  'You are a helpful partner for planning. Answer briefly, in Markdown. When you are asked for something that ' +
  'was said earlier, look for it in the messages and in the record of earlier messages.';

export async function POST(request: Request): Promise<Response> {
  const guarded = await guardRequest(request);
  if (!guarded.ok) return guarded.response;
  const opened = await openChat(guarded.owner, guarded.body);
  if (!opened.ok) return new Response(opened.problem, { status: opened.status });
  const { chat, messages, compact, close } = opened;
  const { model: modelId, waiting, ...settings } = chat.settings;
  const command = readCompactCommand(compact);
  const state = summaryState(guarded.owner);
  const tools = toolsOf(state, chat.id);

  const stream = createUIMessageStream<ChatMessage>({
    originalMessages: messages,
    generateId: messageId,
    onError: describeError,
    onEnd: (end) => close(end.messages),
    execute: async ({ writer }) => {
      writer.write({ type: 'start' }); // before the first event: see onEvent
      const { messageMetadata, countHistory } = metadataWithHistory(messages.at(-1)); // the meter

      // Everything that makes this conversation endless.
      const model = wrapLanguageModel({
        model: await modelOf(modelId, settings.contextLength),
        middleware: [
          countHistory, // only for the chart
          summarizationMiddleware({
            ...settings,
            ...state, // what remembers; shared by all requests, unlike the middleware
            ...(waiting === 'background' ? { background: after } : { maxWaitMs: Number(waiting) }),
            archive: true, // for /undo and /recall
            onEvent: summaryDataParts(writer, { messages }), // the divider, live
          }),
          ...(command === undefined ? [] : [answerNothing]),
        ],
      });
      const summarization = {
        conversationId: chat.id,
        ...command,
      } satisfies SummarizationCallOptions;

      // Everything else is as it would be without.
      const result = streamText({
        model,
        instructions,
        messages: await convertToModelMessages(messages, {
          tools,
          ignoreIncompleteToolCalls: true,
        }),
        tools,
        stopWhen: isStepCount(5),
        providerOptions: { summarization },
        abortSignal: request.signal, // a closed page stops the summarizer too
      });
      writer.merge(
        toUIMessageStream<typeof tools, ChatMessage>({
          stream: result.stream,
          sendStart: false,
          redactToolErrors: false, // the page sends back what the model was told
          messageMetadata,
          onError: describeError,
        }),
      );
    },
  });
  // Read to its end here too, so that an answer is stored when nobody is left to read it.
  return createUIMessageStreamResponse({ stream, consumeSseStream: consumeStream });
}
