import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { assistant, toolStep, user, words } from './messages.ts';
import { answer, textResult } from './models.ts';

/** A chat, a loop of tools, or a chat with one message of half of it. */
export type Shape = 'chat' | 'tools' | 'huge';

/** Tokens of a message beside its words. */
const frameTokens = 8;

/** A conversation of about so many o200k tokens, in about a hundred messages. */
export function conversationOf(shape: Shape, tokens: number): ModelMessage[] {
  const size = Math.max(16, Math.floor(tokens / 100));
  const filler = words(1, size);
  const isHuge = shape === 'huge';
  const pairs = Math.floor(tokens / (size + frameTokens) / (isHuge ? 4 : 2));
  const steps = Array.from({ length: pairs }, (_, index) =>
    shape === 'tools'
      ? toolStep(`call${index}`, `Part ${index}: ${filler} ${filler}`)
      : [user(`Question ${index}: ${filler}`), assistant(`Answer ${index}: ${filler}`)],
  ).flat();
  if (shape === 'tools') return [user('Look at all files.'), ...steps];
  const opening = isHuge
    ? [user(`Read this: ${words(2, Math.floor(tokens / 2))}`), assistant('I have read it.')]
    : [];
  return [...opening, ...steps, user('And now?')];
}

/** Everything a call sends, as JSON. */
export function sentText({ prompt }: Pick<LanguageModelV4CallOptions, 'prompt'>): string {
  return prompt
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join(''),
    )
    .join('\n');
}

/** Whether a call asks for a summary. */
export function asksForSummary({ responseFormat }: LanguageModelV4CallOptions): boolean {
  return responseFormat?.type === 'json';
}

/** A model that chats and summarizes, and says how much it has read as far as `tokensOf` does. */
export function tableModel(
  { provider, modelId }: { readonly provider: string; readonly modelId: string },
  tokensOf: (options: LanguageModelV4CallOptions) => Promise<number | undefined> = async () =>
    undefined,
): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider,
    modelId,
    doGenerate: async (options): Promise<LanguageModelV4GenerateResult> => {
      const result = asksForSummary(options)
        ? textResult(answer({ summary: 'They read the files.', keyPoints: ['All is well.'] }))
        : textResult('Understood.');
      const total = await tokensOf(options);
      const input = { total, noCache: total, cacheRead: undefined, cacheWrite: undefined };
      const output = { total: 10, text: 10, reasoning: undefined };
      return { ...result, usage: { inputTokens: input, outputTokens: output } };
    },
  });
}
