import { resetTokens, triggerTokens, type TriggerPolicy } from './decide.ts';
import type { RangePolicy } from './plan.ts';

/**
 * What the whole prompt can have at most while a summary of it is not due again, over the limit: what is kept for the
 * case that a summary is undone.
 *
 * @param tokens - Of the prompt without the summary.
 * @param tokensAfter - With it.
 */
export function ratioIfUndone(
  tokens: number,
  tokensAfter: number,
  policy: TriggerPolicy & Pick<RangePolicy, 'limit'>,
): number {
  const { limit } = policy;
  const trigger = triggerTokens(limit, policy);
  const due = Math.max(trigger, tokensAfter + trigger - resetTokens(limit, policy));
  return (due + tokens - tokensAfter) / limit;
}
