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
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { answerNothing } from '../../../lib/answer-nothing.ts';
import { callReadings } from '../../../lib/call-readings.ts';
import type { ChatMessage } from '../../../lib/chat-message.ts';
import { openChat } from '../../../lib/open-chat.ts';
import { describeError } from '../../../lib/describe-error.ts';
import { currentProvider } from '../../../lib/provider.ts';
import { summaryNotes } from '../../../lib/summary-notes.ts';
import { summaryStore } from '../../../lib/summary-store.ts';
import { tools } from '../../../lib/tools.ts';

export const maxDuration = 60;

const instructions =
  'You are a helpful partner for planning. Answer briefly. When you are asked for something that was ' +
  'said earlier, look for it in the messages and in the record of earlier messages.';

export async function POST(request: Request): Promise<Response> {
  const opened = await openChat(await request.json().catch(() => undefined));
  if (!opened.ok) return new Response(opened.problem, { status: opened.status });
  const { chat, messages, resummarize, close } = opened;

  const stream = createUIMessageStream<ChatMessage>({
    originalMessages: messages,
    onError: describeError,
    onEnd: async (end) => await close(end.messages),
    execute: async ({ writer }) => {
      writer.write({ type: 'start' }); // before the first event: see onEvent
      const readings = callReadings(messages.at(-1)?.metadata?.calls ?? []);

      // Everything that makes this conversation endless.
      const model = wrapLanguageModel({
        model: await currentProvider().model(chat.settings.contextLength),
        middleware: [
          readings.countFullHistory, // only for the chart
          summarizationMiddleware({
            ...chat.settings,
            store: summaryStore, // what remembers; shared by all requests, unlike the middleware
            secret: process.env['SUMMARY_SECRET'] ?? 'keys the names of the files',
            onEvent: summaryNotes(writer, resummarize), // the divider, live
          }),
          ...(resummarize ? [answerNothing] : []),
        ],
      });
      const providerOptions = {
        summarization: { conversationId: chat.id, force: resummarize },
      };

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
        providerOptions,
        abortSignal: request.signal, // a closed page stops the summariser too
      });
      writer.merge(
        toUIMessageStream<typeof tools, ChatMessage>({
          stream: result.stream,
          sendStart: false,
          redactToolErrors: false, // the page sends back what the model was told
          messageMetadata: readings.messageMetadata, // the meter
          onError: describeError,
        }),
      );
    },
  });
  // Read to its end here too, so that an answer is stored when nobody is left to read it.
  return createUIMessageStreamResponse({ stream, consumeSseStream: consumeStream });
}
