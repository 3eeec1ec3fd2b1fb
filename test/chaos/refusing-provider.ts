import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { type Counting, promptCounter, usageOf } from '../support/counting-provider.ts';
import { apiError, textParts, textResult } from '../support/models.ts';

/** Providers among which clients switch. */
export const providerIds = ['openai.responses', 'anthropic.messages', 'lmstudio.chat'] as const;

export type ProviderId = (typeof providerIds)[number];

/** What a model under the middleware was sent. */
export interface Received {
  readonly params: LanguageModelV4CallOptions;
  /** What it counts. */
  readonly tokens: number;
  readonly isRefused: boolean;
}

/** A model that counts in its own way, refuses what is too long for it, and reports what it counted. */
export async function refusingProvider(
  provider: ProviderId,
  modelId: string,
  { counting, contextLength }: { readonly counting: Counting; readonly contextLength: number },
  onReceived: (received: Received) => void,
): Promise<MockLanguageModelV4> {
  const tokensOf = promptCounter(counting);
  const receive = (params: LanguageModelV4CallOptions): ReturnType<typeof usageOf> => {
    const tokens = tokensOf(params);
    const isRefused = tokens > contextLength;
    onReceived({ params, tokens, isRefused });
    if (isRefused)
      throw apiError(
        `This model's maximum context length is ${contextLength} tokens. However, your messages resulted in ${tokens} tokens.`,
      );
    return usageOf(tokens, counting.usage);
  };
  return new MockLanguageModelV4({
    provider,
    modelId,
    doGenerate: async (params) => {
      const usage = receive(params);
      return { ...textResult('Understood.'), usage };
    },
    doStream: async (params) => {
      const usage = receive(params);
      const chunks = textParts('Understood.').map((part) =>
        part.type === 'finish' ? { ...part, usage } : part,
      );
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}
