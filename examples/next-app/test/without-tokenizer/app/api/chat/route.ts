import type { LanguageModelV4 } from '@ai-sdk/provider';
import { generateText, wrapLanguageModel } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';

export const runtime = 'edge';

/** Answers with the number of messages that it was sent. */
const counting: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'counting',
  modelId: 'counting',
  supportedUrls: {},
  doGenerate: async ({ prompt }) => ({
    content: [{ type: 'text', text: String(prompt.length) }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: {
        total: undefined,
        noCache: undefined,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
    warnings: [],
  }),
  doStream: () => {
    throw new Error('It is not asked to stream.');
  },
};

const model = wrapLanguageModel({
  model: counting,
  middleware: summarizationMiddleware({ contextLength: 2000, strategy: 'rule-based' }),
});

export async function POST(request: Request): Promise<Response> {
  const { messages } = await request.json();
  const { text, finalStep } = await generateText({ model, messages });
  return Response.json({ text, summarization: finalStep.providerMetadata?.['summarization'] });
}
