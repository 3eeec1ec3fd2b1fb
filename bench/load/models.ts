import type { LanguageModelV4 } from '@ai-sdk/provider';
import { answer, textResult } from '../../test/support/models.ts';
import { modelThat } from '../model-that.ts';

/** Who answers, and who summarizes. */
export const chatting = { provider: 'openai.responses', modelId: 'test-model' } as const;
const summarizer = { provider: 'openai.responses', modelId: 'summarizer' } as const;

/** A summarizer that answers at once, and how often it was asked. */
export function countedSummarizer(behave: () => Promise<void> = () => Promise.resolve()): {
  readonly model: LanguageModelV4;
  readonly calls: () => number;
} {
  let calls = 0;
  const model = modelThat(summarizer, async () => {
    calls += 1;
    await behave();
    return textResult(answer({ summary: `They spoke of many things, for the time ${calls}.` }));
  });
  return { model, calls: () => calls };
}
