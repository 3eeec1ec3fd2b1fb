import { SummarizationError } from '../errors/summarization-error.ts';
import type { Prompt } from '../prompt/prompt-types.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import type { WrittenRecord } from './writing/write-record.ts';

/** The prompt that a summary is to make smaller. */
export interface PromptToShorten {
  /** Tokens of the prompt as it stands. */
  readonly tokens: number;
  readonly measure: Pick<TokenMeasure, 'count' | 'prompt'>;
  /** Puts a record in its place. */
  readonly compose: (record: SummaryRecord) => Promise<{ readonly prompt: Prompt }>;
}

/**
 * Tokens of the prompt with a record in it.
 *
 * @throws {SummarizationError} with the reason `not-smaller` when they are no fewer than without.
 */
export async function smallerTokens(
  { tokens, measure, compose }: PromptToShorten,
  { record, usage }: WrittenRecord,
): Promise<number> {
  const { prompt } = await compose(record);
  await measure.count(prompt);
  const tokensAfter = measure.prompt(prompt);
  if (tokensAfter < tokens) return tokensAfter;
  const message = `The summary would not have made the prompt smaller (${tokens} to ${tokensAfter} tokens).`;
  throw new SummarizationError({ reason: 'not-smaller', message, usage });
}
