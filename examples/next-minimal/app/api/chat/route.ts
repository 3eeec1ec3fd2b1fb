import { openai } from '@ai-sdk/openai';
import { convertToModelMessages, streamText, wrapLanguageModel, type UIMessage } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { summarizationMetadata } from 'ai-sdk-summarization/ui';
import { after } from 'next/server';

const model = wrapLanguageModel({
  model: openai('gpt-5-mini'),
  middleware: summarizationMiddleware({ background: after }), // with several instances: store, secret
});

export async function POST(request: Request): Promise<Response> {
  const { messages }: { messages: UIMessage[] } = await request.json();
  const result = streamText({ model, messages: await convertToModelMessages(messages) });
  return result.toUIMessageStreamResponse({ messageMetadata: summarizationMetadata() });
}
