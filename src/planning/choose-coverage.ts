import { renderSummary } from '../composing/render-summary.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { emptyContent } from '../record/empty-content.ts';
import { chooseCut } from '../selection/choose-cut.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import { anchorMessages } from '../summaries/summary-state.ts';
import { timeSlices } from '../util/time-slices.ts';
import { targetTokens } from './decide.ts';
import type { CallInspection } from '../call/inspect-call.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';

/** What the next record will cover. */
export interface Coverage {
  /** Index in the conversation of the first message that no record covers yet. */
  readonly start: number;
  /** Index in the conversation at which the tail begins. */
  readonly cut: number;
  /** Significant messages before the cut. */
  readonly count: number;
}

/**
 * A summary must free at least this share of the prompt, unless the caller asked for it or the prompt
 * does not fit: it would cost a model call and the provider's prompt cache for next to nothing.
 */
const leastFreedShare = 0.02;

/** A summary that says nothing: what even the shortest one costs. */
function emptySummary(): Message {
  const record = { ...emptyContent(''), id: '0'.repeat(16), depth: 0 };
  return { role: 'system', content: renderSummary(record) };
}

/** The least number of messages a tail is ever shrunk to. */
const minTailMessages = 2;

/** Chooses what to cover. `undefined` when there is nothing that would help. */
export async function chooseCoverage(
  inspection: CallInspection,
  measure: TokenMeasure,
): Promise<Coverage | undefined> {
  const { view, policy, style, decision, composition, tokens, params } = inspection;
  const { conversation, identity, systems } = view;
  const start = composition?.cut ?? 0;
  const messageTokens = conversation.map((message, index) =>
    index < start ? 0 : measure.message(message),
  );
  const slices = timeSlices({ abortSignal: params.abortSignal });
  const keptTokens = async (cut: number): Promise<number> => {
    await slices.pause();
    let total = 0;
    for (const index of keptMessages({ ...view, cut }).indexes)
      total += measure.messages(conversation.slice(index, index + 1));
    return total;
  };

  // The summary and the user's texts beside it, at their largest.
  const summaryTokens = policy.maxSummaryTokens * (style.userTextCharacters > 0 ? 2 : 1);
  // With an absolute trigger, or on demand, the context may be far from full: the tail then takes its
  // share of what is there, or it would take all.
  const bySize = decision.reason === 'token-ratio' || decision.reason === 'context-overflow';
  const cut = await chooseCut({
    messageTokens,
    candidates: legalCuts(inspection),
    keptTokens,
    preserveRecent: policy.preserveRecent,
    preserveRecentTokens:
      policy.preserveRecentTokenRatio * (bySize ? policy.limit : Math.min(tokens, policy.limit)),
    budget: targetTokens(policy.limit, policy) - measure.prompt(systems) - summaryTokens,
  });
  if (cut === undefined) return undefined;

  const keptBefore = start === 0 ? 0 : await keptTokens(start);
  const keptAfter = await keptTokens(cut);
  const freed = measure.messages(conversation.slice(start, cut)) + keptBefore - keptAfter;
  const demanded = decision.act === 'emergency' || decision.reason === 'forced';
  const leastFreed = Math.max(
    demanded ? 1 : tokens * leastFreedShare,
    measure.message(emptySummary()) - (composition?.record.metrics.outputTokens ?? 0),
  );
  return freed <= leastFreed ? undefined : { start, cut, count: identity.significantBefore(cut) };
}

/**
 * The indexes at which the next record may end, ascending: past the last record and the anchor messages,
 * before a call that waits for its result, with a tail left.
 */
export function legalCuts({
  view,
  composition,
}: Pick<CallInspection, 'view' | 'composition'>): readonly number[] {
  const { conversation, groups, identity } = view;
  const first = Math.max(
    (composition?.cut ?? 0) + 1,
    identity.indexAfter(anchorMessages) ?? Number.POSITIVE_INFINITY,
  );
  const last = Math.min(groups.firstUnanswered, conversation.length - minTailMessages);
  return groups.boundaries.filter(
    (index) =>
      index >= first &&
      index <= last &&
      // Where a stored record will be taken to end: behind a message that identifies the conversation.
      identity.indexAfter(identity.significantBefore(index)) === index,
  );
}
