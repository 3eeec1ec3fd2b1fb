import { resolvePrompts } from '../prompts/resolve-prompts.ts';
import { availableTextCounter } from '../tokens/available-text-counter.ts';
import { askModels, type AskModelsOptions } from './ask-models.ts';
import { foldTranscript } from './fold-transcript.ts';
import { applyLedger } from './literal-ledger.ts';
import type { LlmStrategyOptions } from './llm-strategy.ts';
import { transcriptReader } from './message-summaries/transcript-reader.ts';
import type { SummaryStrategy } from './summary-strategy.ts';

/** What {@link llmWriter} works with: checked options, and the breaker that all summaries share. */
export type LlmWriterOptions = LlmStrategyOptions & Pick<AskModelsOptions, 'enter' | 'timeoutMs'>;

/** Makes the part of `llmStrategy` that loads with the first summary. */
export function llmWriter(options: LlmWriterOptions): SummaryStrategy['summarize'] {
  const { models, enter, timeoutMs } = options;
  const prompts = resolvePrompts(options.prompts);
  const readTranscript = transcriptReader({ ...options, prompts });
  return async (input) => {
    const panel = askModels({
      models: models ?? [input.model],
      enter,
      timeoutMs,
      onAttempt: input.onAttempt,
      abortSignal: input.abortSignal,
    });
    const { count } = await availableTextCounter();
    const parts = await readTranscript(input, panel);
    const content = await foldTranscript({
      input,
      parts,
      prompts: prompts.summary,
      panel,
      count,
    });
    return { content: applyLedger(content, input, count), usage: panel.usage() };
  };
}
