import { omittedSummary } from '../../composing/render-summary.ts';
import { cleanContent } from '../../cleaning/clean-content.ts';
import {
  redactFailure,
  redactionDoor,
  withheldText,
  type RedactionDoor,
} from '../../cleaning/redaction-door.ts';
import { SummarizationError, withDetails } from '../../errors/summarization-error.ts';
import { emptiedContent, emptyContent } from '../../record/empty-content.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import { withCheckedOrigins } from '../../strategies/message-positions.ts';
import type {
  SummaryInput,
  SummaryOutput,
  SummaryStrategy,
} from '../../strategies/summary-strategy.ts';
import { timeSlices } from '../../util/async/time-slices.ts';
import { withDeadline } from '../../util/async/with-deadline.ts';
import { withSignals } from '../../util/async/with-signals.ts';
import { fitContent } from '../../fitting/fit-content.ts';

/** Tokens below which a summary says nothing: a placeholder takes its place and no model is called. */
export const leastSummaryTokens = 50;

/** Milliseconds a strategy may take in all, its retries and pieces included, unless a call of it may take more. */
const strategyTimeoutMs = 300_000;

/**
 * Lets a strategy write what a record says: checks what it returned, passes it through the door and fits
 * it to its budget.
 *
 * @param count - Tokens of a content as it will be injected.
 * @param maxTokens - Tokens that it may take; a strategy may be asked for fewer.
 * @param giveUp - Ends the strategy's work, but nothing of what is done with what it has written.
 * @throws {SummarizationError} when the strategy returned nothing usable, and whatever it threw.
 */
export async function writeContent(
  strategy: SummaryStrategy,
  input: SummaryInput,
  count: (content: SummaryContent) => Promise<number>,
  maxTokens: number,
  giveUp?: AbortSignal,
): Promise<SummaryOutput> {
  const { previous, redact, abortSignal, summaryTimeoutMs = 0 } = input;
  if (maxTokens < leastSummaryTokens) {
    const content = emptiedContent(omittedSummary, previous ?? emptyContent(''));
    return { content, usage: { inputTokens: 0, outputTokens: 0 } };
  }
  const timeoutMs = Math.max(strategyTimeoutMs, summaryTimeoutMs);
  const output = await withSignals([abortSignal, giveUp], async (either) =>
    withDeadline(either, timeoutMs, (signal) =>
      strategy.summarize({ ...input, abortSignal: signal }),
    ),
  );
  const slices = timeSlices({ abortSignal });
  const written = await checkedContent(output, strategy.name, redactionDoor(redact));
  const fitted = await fitContent(withCheckedOrigins(written, input), {
    maxTokens,
    count,
    slices,
  });
  const content = fitted.summary === '' ? emptiedContent(omittedSummary, fitted) : fitted;
  return { ...output, content };
}

async function checkedContent(
  { content, usage }: SummaryOutput,
  strategy: string,
  clean: RedactionDoor,
): Promise<SummaryContent> {
  // Only when a summary is made: the library of the schema takes longer to load than the rest.
  const { summaryContentSchema } = await import('../../record/record-schemas.ts');
  const parsed = summaryContentSchema.safeParse(content);
  const written = parsed.success ? cleanContent(parsed.data, clean) : undefined;
  if (written?.summary === withheldText) throw withDetails(redactFailure(), { usage });
  const isRawCut = parsed.data?.context.raw !== undefined && written?.context.raw === undefined;
  if (written !== undefined && written.summary.trim() !== '' && !isRawCut) return written;
  const paths = parsed.error?.issues.map((issue) => issue.path.join('.') || 'content') ?? [
    isRawCut ? 'context.raw' : 'summary',
  ];
  throw new SummarizationError({
    reason: 'invalid-output',
    message: `The strategy ${strategy} returned no usable summary: ${paths.join(', ')} is wrong or empty.`,
    usage,
  });
}
