import type { SizeInterval } from '../sizing/size-interval.ts';
import {
  decide,
  type TriggerDecision,
  type TriggerPolicy,
  type TriggerSnapshot,
} from './decide.ts';

/**
 * Decides on a call as soon as its size is known well enough: no more of the intervals is asked for. The
 * last of them is decided on as it stands.
 *
 * @param sizes - Ever narrower intervals, one at the least.
 */
export async function decideBySize(
  sizes: AsyncIterable<SizeInterval>,
  snapshot: Omit<TriggerSnapshot, 'tokens' | 'fixedTokens'>,
  policy: TriggerPolicy,
): Promise<{ readonly decision: TriggerDecision; readonly size: SizeInterval }> {
  let last: Awaited<ReturnType<typeof decideBySize>> | undefined;
  for await (const size of sizes) {
    const { least, most, fixedTokens } = size;
    const decision = decide({ ...snapshot, tokens: most, fixedTokens }, policy);
    last = { decision, size };
    if (decision.act !== 'none') continue;
    // Anywhere within the interval nothing is to be done, and for one reason.
    const atLeast = decide({ ...snapshot, tokens: least, fixedTokens }, policy);
    if (atLeast.reason === decision.reason && atLeast.ahead === decision.ahead) return last;
  }
  if (last === undefined) throw new RangeError('A call without a size cannot be decided on.');
  return last;
}
