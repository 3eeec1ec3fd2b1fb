import { decideBySize } from './decide.ts';
import type { CallFacts, FirstPlan } from './plan.ts';

/**
 * Plans what is done about a call: all that decides is in here and in what it calls. Reads nothing but
 * its input and writes nothing: a call carries the plan out, `explainSummarization` returns it.
 */
export async function planCall(facts: CallFacts): Promise<FirstPlan> {
  const { snapshot, policy, sizes, composition } = facts;
  const { decision, size } = await decideBySize(sizes, snapshot, policy);
  const figures = { decision, size, tokens: Math.ceil(size.tokens), reason: decision.reason };
  if (snapshot.standAside !== undefined) return { ...figures, step: 'stand-aside' };
  const { measure } = size;
  if (decision.act === 'none' || measure === undefined)
    return { ...figures, step: composition === undefined ? 'send' : 'apply' };
  if (facts.canPutInPlace) return { ...figures, step: 'put-in-place' };
  // A module of its own: most calls have nothing to do.
  const { planSummary } = await import('./plan-summary.ts');
  return planSummary(facts, { ...figures, measure });
}
