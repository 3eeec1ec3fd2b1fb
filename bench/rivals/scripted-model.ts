import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import { promptTokens } from '../cache/encode-prompt.ts';
import type { Scenario } from '../cache/scenario.ts';
import { streamingModelThat } from '../model-that.ts';

/**
 * Answers the calls of a scenario as its history does, one after the other: for frameworks that keep the history
 * themselves.
 */
export function scriptedModel(
  { calls, messages }: Scenario,
  observe: (options: LanguageModelV4CallOptions) => void,
): LanguageModelV4 {
  let answered = 0;
  return streamingModelThat({ provider: 'openai', modelId: 'gpt-5-mini' }, async (options) => {
    observe(options);
    const answer = messages[calls[answered] ?? -1];
    answered += 1;
    // Frameworks order what they keep by time.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const parts = answer?.role === 'assistant' ? answer.content : [];
    const content = parts.flatMap((part): LanguageModelV4GenerateResult['content'] => {
      if (part.type === 'text') return [{ type: 'text', text: part.text }];
      if (part.type === 'tool-call') return [{ ...part, input: JSON.stringify(part.input) }];
      return [];
    });
    if (content.length === 0) content.push({ type: 'text', text: 'Done.' });
    const unified = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
    const total = promptTokens(options);
    return {
      content,
      finishReason: { unified, raw: unified },
      usage: {
        inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 50, text: 50, reasoning: 0 },
      },
      warnings: [],
    };
  });
}
