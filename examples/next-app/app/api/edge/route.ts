import { generateText, modelMessageSchema, wrapLanguageModel } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { z } from 'zod';
import { chatPersona } from '../../../embedded-model/chat-persona.ts';
import { embeddedModel } from '../../../embedded-model/embedded-model.ts';

// The same middleware, where there is no Node.
export const runtime = 'edge';

const contextLength = 2_000;

const model = wrapLanguageModel({
  model: embeddedModel(contextLength, { persona: chatPersona }),
  middleware: summarizationMiddleware({ contextLength, strategy: 'rule-based' }),
});

const bodySchema = z.object({ messages: z.array(modelMessageSchema).min(1) });

export async function POST(request: Request): Promise<Response> {
  const body = bodySchema.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return new Response('Messages are missing or malformed.', { status: 400 });
  const { text, finalStep } = await generateText({ model, messages: body.data.messages });
  return Response.json({ text, summarization: finalStep.providerMetadata?.['summarization'] });
}
