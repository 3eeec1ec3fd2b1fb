import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { assistant, toolStep, user, words } from './messages.ts';
import { answer, textResult } from './models.ts';

/** Words of one message, which is about as many tokens. */
export type Shape = 'chat' | 'tools' | 'huge';

/**
 * A conversation of about so many o200k tokens, which ends with a question: a chat, a loop of tools, or a chat with one
 * message of half of it.
 */
export function conversationOf(shape: Shape, tokens: number): ModelMessage[] {
  const size = Math.max(40, Math.floor(tokens / 100));
  const frame = 8;
  const count = Math.floor(tokens / (size + frame) / (shape === 'huge' ? 2 : 1));
  const filler = words(1, size);
  const opening = shape === 'huge' ? [user(`Read this: ${words(2, Math.floor(tokens / 2))}`)] : [];
  const steps = Array.from({ length: Math.floor(count / 2) }, (_, index) =>
    shape === 'tools'
      ? toolStep(`call${index}`, `Part ${index}: ${filler} ${filler}`)
      : [user(`Question ${index}: ${filler}`), assistant(`Answer ${index}: ${filler}`)],
  ).flat();
  return [
    ...(shape === 'tools' ? [user('Look at all files.')] : []),
    ...opening,
    ...(shape === 'huge' ? [assistant('I have read it.')] : []),
    ...steps,
    ...(shape === 'tools' ? [] : [user('And now?')]),
  ];
}

/** Texts of a prompt. */
export function textsOf({ prompt }: LanguageModelV4CallOptions): string {
  return prompt
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content))
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join('\n');
}

/** Whether a call asks for a summary. */
export function asksForSummary({ responseFormat }: LanguageModelV4CallOptions): boolean {
  return responseFormat?.type === 'json';
}

/** A model as providers offer it, which chats and summarises, and says how much it read where `tokensOf` does. */
export function tableModel(
  { provider, modelId }: { readonly provider: string; readonly modelId: string },
  tokensOf: (options: LanguageModelV4CallOptions) => number | undefined,
): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider,
    modelId,
    doGenerate: async (options): Promise<LanguageModelV4GenerateResult> => {
      const total = tokensOf(options);
      const result = asksForSummary(options)
        ? textResult(answer({ summary: 'They read the files.', keyPoints: ['All is well.'] }))
        : textResult('Understood.');
      const input = { total, noCache: total, cacheRead: undefined, cacheWrite: undefined };
      const output = { total: 10, text: 10, reasoning: undefined };
      return { ...result, usage: { inputTokens: input, outputTokens: output } };
    },
  });
}
