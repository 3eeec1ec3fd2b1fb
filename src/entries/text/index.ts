import { checkOptions, checkTexts, checkThat } from '../../foundations/checks/check-object.ts';
import { numberWithin } from '../../foundations/checks/option-rule.ts';
import type { SummaryResult } from '../../foundations/record/summary-record.ts';
import type { SummarizeOptions } from '../../summaries/levels/summarize-options.ts';
import {
  cutMiddle,
  type MiddleTruncateOptions,
  type MiddleTruncation,
} from '../../sizes/tokens/cut-middle.ts';

export type { SummarizeOptions } from '../../summaries/levels/summarize-options.ts';
export type { ContentType, LevelPrompts } from '../../summaries/levels/summarize-options.ts';
export type { SummaryProgress } from '../../summaries/strategies/summary-strategy.ts';
export type {
  SummaryLevel,
  ChunkSummary,
  HierarchicalSummary,
  SummaryResult,
} from '../../foundations/record/summary-record.ts';
export type { MiddleTruncateOptions, MiddleTruncation } from '../../sizes/tokens/cut-middle.ts';

/**
 * Summarizes a text at the level of its length: below 100 tokens not at all, below 500 in one sentence, below 3,000
 * in a paragraph, below 15,000 in chunks that are merged, above that in chunks, groups of chunks and a final summary.
 * The process caches answers of the model: a text that has grown is paid for only where it changed, and after a
 * failure or an abort the next call continues.
 *
 * A blank text has the summary `''`; a text that is too short is its own summary. A text
 * that the model cannot read at once is read in chunks whatever its level.
 *
 * @throws SummarizationError with its `cause`, and the chunk in its message, when the model fails: a call is
 * repeated once, and three failures end it all, calls already under way aside; the reason of the abort
 * signal; SummarizationOptionError for a wrong option.
 *
 * @example
 * ```ts
 * const { summary, level } = await summarize(report, { model: openai('gpt-5-mini') });
 * ```
 */
export async function summarize(text: string, options: SummarizeOptions): Promise<SummaryResult> {
  const { writeSummary } = await import('../../summaries/levels/summarize-text.ts');
  return writeSummary(text, options);
}

const fraction = numberWithin('a number of at least 0', { from: 0 });

/**
 * Shortens a text to at most `budgetChars` UTF-16 characters by taking out its middle. Head and tail
 * fill the budget in the proportion `headFraction : tailFraction`, around a line that says how much
 * is missing. A text within the budget comes back unchanged; a budget too small for that line gives
 * the beginning of the text alone. A surrogate pair is never split.
 *
 * @throws {SummarizationOptionError} naming the argument that is wrong, and what is allowed.
 */
export function middleTruncate(
  text: string,
  budgetChars: number,
  options: MiddleTruncateOptions = {},
): MiddleTruncation {
  checkTexts({ text });
  const isNumber = typeof budgetChars === 'number' && !Number.isNaN(budgetChars);
  checkThat(isNumber, 'budgetChars', budgetChars, 'a number of characters');
  const rules = { headFraction: fraction, tailFraction: fraction };
  checkOptions(options, 'headFraction and tailFraction, or nothing', rules);
  const { headFraction, tailFraction } = options;
  const isShared = headFraction !== 0 || tailFraction !== 0;
  checkThat(isShared, 'headFraction', headFraction, 'a number above 0 unless tailFraction is');
  return cutMiddle(text, budgetChars, options);
}
