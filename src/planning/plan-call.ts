import { condenseToolResults } from '../fitting/shorter-messages.ts';
import { chooseRange, rangeBegun } from './choose-range.ts';
import { decideBySize, resetTokens } from './decide.ts';
import type {
  CallFacts,
  Joins,
  Plan,
  PlanReason,
  ProposedSummary,
  SummarizationPlan,
  SummaryRange,
  TriggeredCall,
} from './plan.ts';

/**
 * Plans what is done about a call: all that decides is in here and in what it calls. Reads nothing but
 * its input and writes nothing: a call carries the plan out, `explainSummarization` returns it.
 */
export async function planCall(facts: CallFacts): Promise<Plan> {
  const { snapshot, policy, sizes, composition } = facts;
  const { decision, size } = await decideBySize(sizes, snapshot, policy);
  const figures = { decision, size, tokens: Math.ceil(size.tokens), reason: decision.reason };
  if (snapshot.standAside !== undefined) return { ...figures, step: 'stand-aside' };
  const { measure } = size;
  if (decision.act === 'none' || measure === undefined)
    return { ...figures, step: composition === undefined ? 'send' : 'apply' };
  if (facts.canPutInPlace) return { ...figures, step: 'put-in-place' };
  return planSummary(facts, { ...figures, measure });
}

/** Plans what is done about a call whose trigger has fired. */
export async function planSummary(facts: CallFacts, call: TriggeredCall): Promise<Plan> {
  const { policy, snapshot, composition, condensing, params, prompt: whole } = facts;
  const { measure } = call;
  params.abortSignal?.throwIfAborted();
  const without = (reason: PlanReason): Plan => ({ ...call, step: 'fit', reason });
  const depth = composition?.record.depth ?? -1;
  if (policy.atMaxDepth === 'halt' && depth >= policy.maxSummaryChainDepth)
    return without('max-depth');
  if (!facts.canSummarize) return without('no-strategy');
  const isAsked = snapshot.forced || call.reason === 'requested';
  const joins = joinsOf(facts, call.reason);
  const begun = joins === 'none' ? undefined : rangeBegun(facts);
  const choose = async (): Promise<SummaryRange | undefined> =>
    canFit(facts, measure) ? chooseRange({ ...facts, ...call }) : undefined;
  const range = begun ?? (await choose());
  if (range === undefined) return without('nothing-to-cover');
  // Where it pays, it has been done.
  if (condensing !== undefined && !isAsked && call.reason !== 'cost') {
    const stale = new Set(facts.view.conversation.slice(0, range.cut));
    const prompt = condenseToolResults(whole, stale, condensing);
    await measure.count(prompt, params.abortSignal);
    if (measure.prompt(prompt) <= resetTokens(policy.limit, policy))
      return { ...call, step: 'condense', prompt };
  }
  const summarize = async (chosen: SummaryRange): Promise<Plan> => {
    const isBegun = isAsked || begun !== undefined || composition !== undefined;
    if (!isBegun && (await facts.isSliding())) return without('sliding-window');
    const failure = snapshot.forced ? undefined : await facts.recentFailure(chosen.count);
    return failure === undefined
      ? { ...call, step: 'summarize', range: chosen, joins }
      : { ...call, step: 'fit', reason: 'recent-failure', failure };
  };
  const plan = await summarize(range);
  if (plan.step !== 'summarize' || facts.consider === undefined) return plan;
  const proposal = proposalOf(facts, call, range);
  const verdict = await facts.consider(proposal);
  // A prompt that does not fit cannot wait for a better moment.
  if (verdict === true || !proposal.fits) return plan;
  if (verdict === false) return without('declined');
  const narrower = await chooseRange({ ...facts, ...call }, Math.min(verdict.upTo, range.cut));
  return narrower === undefined ? without('declined') : summarize(narrower);
}

/** Who says where a summary ends or what it looks to has no other one in mind. */
function joinsOf({ isToOrder }: CallFacts, reason: PlanReason): Joins {
  return isToOrder || reason === 'requested' ? 'none' : 'any';
}

/** Whether what must stay leaves any room: a summary is not paid for when the call is refused anyway. */
function canFit(
  { view: { systems, conversation }, policy }: CallFacts,
  measure: TriggeredCall['measure'],
): boolean {
  const latestUser = conversation.findLast(({ role }) => role === 'user');
  const least = latestUser === undefined ? systems : [...systems, latestUser];
  return measure.prompt(least) <= policy.limit;
}

/** What a summary of a range would do. */
export function planOf(
  { view, policy, composition, callsFor }: CallFacts,
  measure: TriggeredCall['measure'],
  { start, cut }: SummaryRange,
): SummarizationPlan {
  const { conversation } = view;
  const tokens = measure.messages(conversation.slice(start, cut));
  const prior = composition?.record.metrics.outputTokens ?? 0;
  return {
    coveredMessages: cut,
    tailMessages: conversation.length - cut,
    summarizerInputTokens: tokens,
    summarizerCalls: callsFor((tokens + prior) / measure.multiplier),
    maxSummaryTokens: policy.maxSummaryTokens,
  };
}

/** Describes a summary to who may decline it. */
function proposalOf(
  facts: CallFacts,
  { tokens, decision, measure }: TriggeredCall,
  range: SummaryRange,
): ProposedSummary {
  const { view, policy } = facts;
  const { limit } = policy;
  return {
    ...planOf(facts, measure, range),
    reason: decision.reason,
    messages: view.conversation.slice(range.start, range.cut),
    tokens,
    limit,
    fits: decision.act !== 'emergency' && tokens < limit,
  };
}
