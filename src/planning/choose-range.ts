import { renderSummary } from '../composing/render-summary.ts';
import { emptyContent } from '../record/content-items.ts';
import { chooseRecentMessages, type CutChoice, legalCuts } from '../selection/cuts.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import { readableOfPrompt } from '../strategies/models/readable-tokens.ts';
import { sumsFrom } from '../util/numbers.ts';
import { resetTokens, triggerTokens, type TriggerReason } from './decide.ts';
import type { CallFacts, SummaryRange, TriggeredCall } from './plan.ts';

/** A call of which a part is to be summarised. */
type RangeInput = TriggeredCall &
  Pick<CallFacts, 'params' | 'view' | 'composition' | 'policy' | 'style' | 'boundary'>;

/**
 * A summary must free at least this share of the prompt, unless the caller asked for it or the prompt
 * does not fit: it would cost a model call and the provider's prompt cache for next to nothing.
 */
const leastFreedShare = 0.02;

/**
 * Chooses what to summarise. `undefined` when there is nothing that would help.
 *
 * @param narrower - Index up to which it is to be, at the most: moved to a legal cut.
 */
export async function chooseRange(
  input: RangeInput,
  narrower?: number,
): Promise<SummaryRange | undefined> {
  const { view, composition, tokens, measure } = input;
  const { conversation, identity } = view;
  const start = composition?.cut ?? 0;
  const keptTokens = (cut: number): number => {
    let total = 0;
    for (const index of keptMessages({ ...view, cut }).indexes)
      total += measure.messages(conversation.slice(index, index + 1));
    return total;
  };
  const messageTokens = [
    ...Array<number>(start).fill(0),
    ...conversation.slice(start).map(measure.message),
  ];
  const asked = askedCut(input, narrower);
  const choose = async (): Promise<number | undefined> => {
    const candidates = legalCuts(view, Math.max(start, (asked ?? 0) - 1));
    const choice = { messageTokens, candidates, keptTokens, ...roomOf(input) };
    const wanted = await chooseRecentMessages(choice);
    return wanted === undefined ? wanted : readableCut(input, { ...choice, start, wanted });
  };
  const cut = asked !== undefined && tokens < input.policy.limit ? asked : await choose();
  if (cut === undefined || cut <= start) return undefined;

  const keptBefore = start === 0 ? 0 : keptTokens(start);
  const keptAfter = keptTokens(cut);
  const summarised = measure.messages(conversation.slice(start, cut));
  const freed = summarised + keptBefore - keptAfter;
  if (freed <= leastFreed(input)) return undefined;
  return { start, cut, count: identity.significantBefore(cut) };
}

/** Tokens of the JSON around a message in a transcript, beyond what is counted for the frame of one. */
const transcriptFrameTokens = 10;

/** Share of what a summary should cover that one call has to be able to read, for the rest to wait. */
const leastReadShare = 0.5;

/**
 * The last cut up to which one call can read, where what then stays fits; else the one that is wanted, and the
 * summariser reads in pieces.
 */
function readableCut(
  { policy, composition, measure }: RangeInput,
  {
    messageTokens,
    candidates,
    keptTokens,
    budget,
    start,
    wanted,
  }: CutChoice & { readonly start: number; readonly wanted: number },
): number {
  const tokensFrom = sumsFrom(messageTokens);
  const between = (from: number, to: number): number =>
    (tokensFrom[from] ?? 0) -
    (tokensFrom[to] ?? 0) +
    transcriptFrameTokens * measure.multiplier * (to - from);
  const readable = readableOfPrompt(policy.limit, composition?.record.metrics.outputTokens ?? 0);
  if (between(start, wanted) <= readable) return wanted;
  const cut = candidates.findLast((each) => each < wanted && between(start, each) <= readable);
  // A context that is small is a budget, or read in pieces: two calls now are better than one each few messages.
  if (cut === undefined || between(start, cut) < leastReadShare * between(start, wanted))
    return wanted;
  // What is more than a summary aims at may stay, but no more than the model takes.
  const room = budget + policy.limit - resetTokens(policy.limit, policy);
  return keptTokens(cut) + (tokensFrom[cut] ?? 0) <= room ? cut : wanted;
}

/** Tokens that a summary has to free, beside what a new one costs more than the one before. */
function leastFreed({ decision, composition, tokens, measure }: RangeInput): number {
  const isDemanded = decision.act === 'emergency' || decision.reason === 'forced';
  // A summary that says nothing: what even the shortest one costs.
  const shortest = renderSummary({ ...emptyContent(''), id: '0'.repeat(16), depth: 0 });
  return Math.max(
    isDemanded ? 1 : tokens * leastFreedShare,
    measure.message({ role: 'system', content: shortest }) -
      (composition?.record.metrics.outputTokens ?? 0),
  );
}

/**
 * Where who asked for a summary wants the recent messages to begin: the last legal cut up to there, else the first of all.
 * Looked for among all of them, not only behind the record that applies: asked again, it is the same.
 */
function askedCut(
  { view, decision, boundary, composition }: RangeInput,
  narrower: number | undefined,
): number | undefined {
  if (narrower !== undefined) return nearestCut(legalCuts(view, composition?.cut ?? 0), narrower);
  const isAsked = decision.reason === 'forced' || decision.reason === 'requested';
  if (!isAsked || boundary === undefined) return undefined;
  return nearestCut(legalCuts(view, 0), boundary);
}

function nearestCut(cuts: readonly number[], boundary: number): number | undefined {
  return cuts.findLast((cut) => cut <= boundary) ?? cuts[0];
}

/** A context in tokens at its trigger, by the default ratio. */
const wholeOfTrigger = 1.25;

const reasonsOfSize: ReadonlySet<TriggerReason> = new Set([
  'token-ratio',
  'context-overflow',
  'ahead',
]);

/** What recent messages may take, and all that stays. */
function roomOf(
  input: RangeInput,
): Pick<CutChoice, 'preserveRecent' | 'preserveRecentTokens' | 'budget'> {
  const { policy, style, decision, tokens, measure, view } = input;
  // The summary and the user's texts beside it, at their largest.
  const summaryTokens = policy.maxSummaryTokens * (style.userTextCharacters > 0 ? 2 : 1);
  // With a trigger far from the limit, or on demand, the context may be far from full: recent messages then take
  // their share of what a prompt may grow to, or of what is there, or they would take all.
  const bySize = reasonsOfSize.has(decision.reason);
  const trigger = triggerTokens(policy.limit, policy);
  // It will be in place when the prompt has grown to the trigger.
  const growth = decision.reason === 'ahead' ? Math.max(0, trigger - tokens) : 0;
  const whole = Math.min(bySize ? Math.ceil(wholeOfTrigger * trigger) : tokens, policy.limit);
  return {
    preserveRecent: policy.preserveRecent,
    preserveRecentTokens: policy.preserveRecentTokenRatio * whole,
    budget:
      resetTokens(policy.limit, policy) - growth - measure.prompt(view.systems) - summaryTokens,
  };
}

/** What the summary stands for that is being written already: another one would be paid for besides. */
export function rangeBegun({
  view,
  composition,
  writing: count,
}: Pick<CallFacts, 'view' | 'composition' | 'writing'>): SummaryRange | undefined {
  if (count === undefined) return undefined;
  const start = composition?.cut ?? 0;
  const cut = view.identity.indexAfter(count) ?? start;
  return cut > start && view.groups.isBoundary(cut) ? { start, cut, count } : undefined;
}
