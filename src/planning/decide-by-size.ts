import type { SizeInterval } from '../sizing/size-interval.ts';
import {
  decide,
  type TriggerDecision,
  type TriggerPolicy,
  type TriggerSnapshot,
} from './decide.ts';

/** Everything a decision rests on but the sizes. */
export type UnsizedSnapshot = Omit<TriggerSnapshot, 'tokens' | 'fixedTokens'>;

/** A decision, and the size it was made at. */
export interface SizedDecision {
  readonly decision: TriggerDecision;
  readonly size: SizeInterval;
}

/**
 * Decides on a call as soon as its size is known well enough: no more of the intervals is asked for. The
 * last of them is decided on as it stands.
 *
 * @param sizes - Ever narrower intervals, one at the least.
 */
export async function decideBySize(
  sizes: AsyncIterable<SizeInterval>,
  snapshot: UnsizedSnapshot,
  policy: TriggerPolicy,
): Promise<SizedDecision> {
  let last: SizeInterval | undefined;
  for await (const size of sizes) {
    const decision = inactionWithin(size, snapshot, policy);
    if (decision !== undefined) return { decision, size };
    last = size;
  }
  if (last === undefined) throw new RangeError('A call without a size cannot be decided on.');
  return { decision: decideAt(last.most, last, snapshot, policy), size: last };
}

/** What is decided anywhere within an interval, if that is to do nothing and for one reason. */
function inactionWithin(
  size: Pick<SizeInterval, 'least' | 'most' | 'fixedTokens'>,
  snapshot: UnsizedSnapshot,
  policy: TriggerPolicy,
): TriggerDecision | undefined {
  const atMost = decideAt(size.most, size, snapshot, policy);
  if (atMost.act !== 'none') return undefined;
  const atLeast = decideAt(size.least, size, snapshot, policy);
  return atLeast.reason === atMost.reason ? atMost : undefined;
}

function decideAt(
  tokens: number,
  { fixedTokens }: Pick<SizeInterval, 'fixedTokens'>,
  snapshot: UnsizedSnapshot,
  policy: TriggerPolicy,
): TriggerDecision {
  return decide({ ...snapshot, tokens, fixedTokens }, policy);
}
