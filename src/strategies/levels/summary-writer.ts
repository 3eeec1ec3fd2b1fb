import { SummarizationError, withDetails } from '../../errors/summarization-error.ts';
import { fillTemplate } from '../../prompts/fill-template.ts';
import { cutMiddle } from '../../tokens/text/cut-middle.ts';
import { withheldText, type RedactionDoor } from '../../cleaning/redaction-door.ts';
import { countText, type TextReading } from '../../tokens/text/count-text.ts';
import { timeSlices } from '../../util/async/time-slices.ts';
import type { SummaryLevel } from '../../record/summary-record.ts';
import { charactersOfToken } from './target-tokens.ts';
import { escapeJson } from '../../json/escape-json.ts';
import type { SummaryCache } from './summary-cache.ts';

/** Fewest characters a summary is asked for in. */
const leastSummaryCharacters = 100;

/** Characters of one token at most in what anybody would read. */
const maxCharactersPerToken = 32;

/** A text of fewer tokens need not get shorter: a sentence about three words is longer than they are. */
const leastShrinkingTokens = 100;

/** A summary to be written. */
export interface SummaryTask {
  readonly template: string;
  /** What is put in the place of `{content}` or `{summaries}`: JSON. */
  readonly content: string;
  /** Tokens of what is summarised. */
  readonly sourceTokens: number;
  /** Tokens the summary is asked for in. */
  readonly targetTokens: number;
  /** Tokens it may have, so that others can be read with it; of a longer one the middle is left out. */
  readonly maxTokens?: number | undefined;
  /** A part of the text, and its place. */
  readonly chunkIndex?: number | undefined;
  /** Parts the text, or the summary to merge, has. */
  readonly total?: number | undefined;
}

/** A summary and its tokens. */
export interface WrittenSummary {
  readonly content: string;
  readonly tokenCount: number;
}

/** What {@link summaryWriter} works with. */
export interface SummaryWriterOptions extends TextReading {
  /** Asks a model. */
  readonly ask: (prompt: string) => Promise<string>;
  readonly cache: SummaryCache;
  /** What comes out of the cache goes through it, like what is put there. */
  readonly clean: RedactionDoor;
  /** Names the models: what another one wrote is not taken for theirs. */
  readonly models: string;
  /** What came before, as JSON. */
  readonly priorSummary: string;
  readonly contentType: string;
  readonly level: SummaryLevel;
}

/** Writes one summary. Throws a SummarizationError with level and chunk; the reason of an abort. */
export type SummaryWriter = (task: SummaryTask) => Promise<WrittenSummary>;

/**
 * Makes a writer that asks a model for what is not in the cache. What is asked is told apart by text,
 * template, prior summary and models, and not by the place among other chunks, which changes as a text
 * grows. A summary that is no shorter than its source is refused.
 */
export function summaryWriter(options: SummaryWriterOptions): SummaryWriter {
  const { cache, models, priorSummary, contentType, level, count, slices } = options;
  return async (task) => {
    const { template, content, targetTokens, maxTokens = targetTokens, chunkIndex, total } = task;
    // Tokens as characters of this text's script, in round numbers.
    const characters = Math.min(targetTokens, maxTokens) * charactersOfToken(content, count);
    const maxCharacters = Math.max(leastSummaryCharacters, Math.round(characters / 100) * 100);
    const question = [models, template, priorSummary, contentType, content, String(maxCharacters)];
    try {
      const summary = await cache(
        question,
        () => writeNew(task, promptOf(task, maxCharacters, options), options),
        (kept) => accept(kept, task, options),
      );
      return { content: summary, tokenCount: await countText(summary, count, slices) };
    } catch (error) {
      if (!SummarizationError.isInstance(error)) throw error;
      const where = chunkIndex === undefined ? '' : ` (chunk ${chunkIndex + 1} of ${total ?? 1})`;
      throw withDetails(error, { message: error.message + where, level, chunkIndex });
    }
  };
}

function promptOf(
  { template, content, chunkIndex, total = 1 }: SummaryTask,
  maxCharacters: number,
  { contentType, priorSummary }: SummaryWriterOptions,
): string {
  const place = chunkIndex === undefined ? {} : { part: chunkIndex + 1, parts: total };
  return fillTemplate(template, {
    content,
    summaries: content,
    context: escapeJson({ type: contentType, ...place }),
    prior_summary: priorSummary,
    max_chars: String(maxCharacters),
    chunk_index: String((chunkIndex ?? 0) + 1),
    total_chunks: String(total),
  });
}

async function writeNew(
  { sourceTokens, maxTokens = Number.POSITIVE_INFINITY }: SummaryTask,
  prompt: string,
  { ask, count }: SummaryWriterOptions,
): Promise<string> {
  const summary = await ask(prompt);
  // Not those of the caller, which hear an abort: what is paid for by now is kept.
  const tokens = await countText(summary, count, timeSlices());
  const limit = largestOf(sourceTokens);
  if (tokens >= limit)
    throw new SummarizationError({
      reason: 'not-smaller',
      message: `The summary is not smaller than what it stands for: ${tokens} of ${limit} tokens.`,
    });
  if (tokens <= maxTokens) return summary;
  return cutMiddle(summary, Math.floor((summary.length * maxTokens) / tokens)).text;
}

/** A store may give back anything: what no model of ours could have written is none. */
async function accept(
  kept: string,
  { sourceTokens, maxTokens = Number.POSITIVE_INFINITY }: SummaryTask,
  { clean, count, slices }: SummaryWriterOptions,
): Promise<string | undefined> {
  // What was cut to `maxTokens` may have come out a little larger.
  const limit = Math.min(largestOf(sourceTokens), 2 * maxTokens);
  // So much can be told without reading it.
  if (kept.length > maxCharactersPerToken * limit) return undefined;
  const summary = clean(kept).trim();
  if (summary === '' || summary === withheldText) return undefined;
  return (await countText(summary, count, slices)) < limit ? summary : undefined;
}

function largestOf(sourceTokens: number): number {
  return Math.max(sourceTokens, leastShrinkingTokens);
}
