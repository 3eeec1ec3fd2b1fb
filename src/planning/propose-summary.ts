import type { CallFacts, SummaryRange, TriggeredCall } from './plan.ts';
import type { ProposedSummary, SummarizationPlan } from './proposed-summary.ts';

/** What a summary of a range would do. */
export function planOf(
  { view, policy }: Pick<CallFacts, 'view' | 'policy'>,
  measure: TriggeredCall['measure'],
  { start, cut }: SummaryRange,
): SummarizationPlan {
  const { conversation } = view;
  return {
    coveredMessages: cut,
    tailMessages: conversation.length - cut,
    summarizerInputTokens: measure.messages(conversation.slice(start, cut)),
    maxSummaryTokens: policy.maxSummaryTokens,
  };
}

/** Describes a summary to who may decline it. */
export function proposalOf(
  facts: Pick<CallFacts, 'view' | 'policy'>,
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
