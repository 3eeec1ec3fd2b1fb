import { condenseToolResults } from '../fitting/condense-tool-results.ts';
import type { Prompt } from '../prompt/prompt-types.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import { timeSlices } from '../util/time-slices.ts';
import { chooseRange, type SummaryRange } from './choose-range.ts';
import { targetTokens, type TriggerDecision } from './decide.ts';
import type { CallFacts, Plan, PlanReason } from './plan.ts';

/** The call's size and what the trigger says of it. */
interface TriggeredCall {
  readonly decision: TriggerDecision;
  readonly tokens: number;
  readonly measure: TokenMeasure;
}

type SummaryPlan = Pick<Extract<Plan, { measure: TokenMeasure }>, 'measure'> &
  (
    | { readonly step: 'condense'; readonly prompt: Prompt }
    | { readonly step: 'summarize'; readonly range: SummaryRange }
    | Pick<Extract<Plan, { step: 'fit' }>, 'step' | 'failure' | 'reason'>
  );

/** Plans what is done about a call whose trigger has fired. */
export async function planSummary(facts: CallFacts, call: TriggeredCall): Promise<SummaryPlan> {
  const { policy, snapshot, composition, condensing, params } = facts;
  const { measure } = call;
  const without = (reason: PlanReason): SummaryPlan => ({ step: 'fit', measure, reason });
  const depth = composition?.record.depth ?? -1;
  if (policy.atMaxDepth === 'halt' && depth >= policy.maxSummaryChainDepth)
    return without('max-depth');
  if (!facts.canSummarize) return without('no-strategy');
  const range = canFit(facts, measure) ? await chooseRange({ ...facts, ...call }) : undefined;
  if (range === undefined) return without('nothing-to-cover');
  if (condensing !== undefined && !snapshot.forced) {
    const stale = new Set(facts.view.conversation.slice(0, range.cut));
    const slices = timeSlices({ abortSignal: params.abortSignal });
    const whole = composition?.prompt ?? params.prompt;
    const prompt = await condenseToolResults(whole, stale, slices, condensing);
    await measure.count(prompt, params.abortSignal);
    if (measure.prompt(prompt) <= targetTokens(policy.limit, policy))
      return { step: 'condense', measure, prompt };
  }
  const failure = snapshot.forced ? undefined : await facts.recentFailure(range.count);
  if (failure !== undefined) return { step: 'fit', measure, reason: 'recent-failure', failure };
  return { step: 'summarize', measure, range };
}

/** Whether what must stay leaves any room: a summary is not paid for when the call is refused anyway. */
function canFit(
  { view: { systems, conversation }, policy }: CallFacts,
  measure: TokenMeasure,
): boolean {
  const latestUser = conversation.findLast(({ role }) => role === 'user');
  const least = latestUser === undefined ? systems : [...systems, latestUser];
  return measure.prompt(least) <= policy.limit;
}
