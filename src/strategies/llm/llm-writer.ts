import { boundedMap } from '../../util/bounded-map.ts';
import { SummarizationError } from '../../errors/summarization-error.ts';
import { withDetails } from '../../errors/with-details.ts';
import { resolvePrompts } from '../../prompts/resolve-prompts.ts';
import { textDoor } from '../../cleaning/text-door.ts';
import { availableTextCounter } from '../../tokens/text/available-text-counter.ts';
import { timeSlices } from '../../util/time-slices.ts';
import { askModels, type AskModelsOptions } from '../models/ask-models.ts';
import { nameOfModel } from '../models/resolve-model.ts';
import { memoryCaches } from '../levels/summary-cache.ts';
import { checkGrounding } from './check-grounding.ts';
import type { LlmStrategyOptions } from './llm-strategy-options.ts';
import { transcriptReader } from '../transcript/transcript-reader.ts';
import { summarizeTranscript } from './summarize-transcript.ts';
import type { SummaryStrategy } from '../summary-strategy.ts';

/** What {@link llmWriter} works with: checked options, and the breaker that all summaries share. */
export type LlmWriterOptions = LlmStrategyOptions & Pick<AskModelsOptions, 'enter'>;

/** Milliseconds after which one call counts as failed. */
const timeoutMs = 60_000;

/** Models of which is kept how much they read. */
const maxLearnedModels = 100;

/** Makes the part of `llmStrategy` that loads with the first summary. */
export function llmWriter(options: LlmWriterOptions): SummaryStrategy['summarize'] {
  const { enter } = options;
  const prompts = resolvePrompts(options.prompts);
  const readTranscript = transcriptReader({ ...options, prompts });
  const cacheOf = memoryCaches();
  const learned = boundedMap<number>(maxLearnedModels);
  return async (given) => {
    const { maxTranscriptTokens = options.maxTranscriptTokens } = given;
    const input = { ...given, maxTranscriptTokens };
    const { redact, abortSignal, telemetry, onAttempt } = input;
    const models = options.models ?? [input.model];
    const clean = textDoor(redact);
    const panel = askModels({ models, enter, timeoutMs, clean, telemetry, onAttempt, abortSignal });
    const { count, hold } = await availableTextCounter();
    const slices = timeSlices({ abortSignal });
    try {
      const { content, hierarchical } = await summarizeTranscript({
        input,
        parts: await readTranscript(input, panel, slices),
        prompts: prompts.summary,
        panel,
        cache: cacheOf(input.namespace),
        models: models.map(nameOfModel).join(' '),
        learned,
        count,
        hold,
        slices,
      });
      return {
        content: await checkGrounding(content, input, { count, slices }),
        usage: panel.usage(),
        ...(hierarchical === undefined ? {} : { hierarchical }),
      };
    } catch (error) {
      if (!SummarizationError.isInstance(error)) throw error;
      throw withDetails(error, { usage: panel.usage() });
    }
  };
}
