import type { SummaryResult } from '../../record/summary-result.ts';
import type { SummarizeOptions } from './summarize-options.ts';

/**
 * Summarises a text at the level its length asks for: below 100 tokens not at all, below 500 in one
 * sentence, below 3,000 in a paragraph, below 15,000 in chunks that are merged, above that in chunks,
 * groups of chunks and a final summary. What a model has written is kept, see `store`: a text that has
 * grown is paid for where it changed, and after a failure or an abort the next call goes on where it ended.
 *
 * A blank text has the summary `''`; one that is too short to be summarised is its own summary. A text
 * that the model cannot read at once is read in chunks whatever its level.
 *
 * @throws SummarizationError with `cause`, `level` and `chunkIndex` when the model fails: a call is
 * repeated once, and three failures end it all, calls already under way aside; the reason of the abort
 * signal; SummarizationOptionError for a wrong option.
 *
 * @example
 * ```ts
 * const { summary, level } = await summarize(report, { model: openai('gpt-5-mini') });
 * ```
 */
export async function summarize(text: string, options: SummarizeOptions): Promise<SummaryResult> {
  const { writeSummary } = await import('./summarize-text.ts');
  return writeSummary(text, options);
}
