import type {
  CallFacts,
  ProposedSummary,
  SummarizationPlan,
  SummaryRange,
  TriggeredCall,
} from './plan.ts';

type ProposedFacts = Pick<CallFacts, 'view' | 'policy' | 'composition' | 'callsFor'>;

/** What a summary of a range would do. */
export function planOf(
  { view, policy, composition, callsFor }: ProposedFacts,
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
export function proposalOf(
  facts: ProposedFacts,
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
