import type { CallOptions } from '../prompt/prompt-types.ts';
import { contextOverflowOf, type ContextOverflow } from '../overflow/context-overflow.ts';
import { quotedIn } from '../overflow/quoted-text.ts';
import type { SentCall } from '../report/report-call.ts';

/** Share of the limit from which a prompt may have been too long for a model whose word is in doubt. */
const leastFullness = 0.5;

/**
 * The overflow that the error of a call stands for, if it does. Words that stand in the prompt too may be
 * a quotation: of an overflow that nothing else speaks of, only a prompt near the limit is believed, and
 * nothing is learned from it.
 */
export function overflowOfCall(
  { inspection, report }: Pick<SentCall, 'inspection' | 'report'>,
  { prompt }: Pick<CallOptions, 'prompt'>,
  error: unknown,
): ContextOverflow | undefined {
  const overflow = contextOverflowOf(error, quotedIn(prompt));
  if (overflow?.isQuoted !== true) return overflow;
  const isFull = report.tokens >= inspection.policy.limit * leastFullness;
  return isFull ? { isUnexplained: true } : undefined;
}
