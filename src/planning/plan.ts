import type { Composition, CompositionStyle } from '../composing/compose-prompt.ts';
import { renderSummary } from '../composing/render-summary.ts';
import type { SummarizationError } from '../errors/summarization-error.ts';
import { condenseToolResults } from '../fitting/shorter-messages.ts';
import type { CallOptions, Message, Prompt } from '../prompt/prompt-types.ts';
import { emptyContent } from '../record/content-items.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import { chooseRecentMessages, legalCuts } from '../selection/cuts.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import type { SizeInterval } from '../sizing/size-call.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import { readableOfPrompt } from '../strategies/models/readable-tokens.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { sumsFrom } from '../util/numbers.ts';
import {
  decide,
  resetTokens,
  triggerTokens,
  type TriggerDecision,
  type TriggerPolicy,
  type TriggerReason,
  type TriggerSnapshot,
} from './decide.ts';

/** What the next record will summarise. */
export interface SummaryRange {
  /** Index in the conversation of the first message that no record summarises yet. */
  readonly start: number;
  /** Index in the conversation at which the recent messages begin. */
  readonly cut: number;
  /** Messages before the cut that identify the conversation. */
  readonly count: number;
}

/** How much of a conversation is summarised. */
export interface RangePolicy {
  /** Tokens the prompt may take. */
  readonly limit: number;
  /** Messages to keep at the end. */
  readonly preserveRecent: number;
  /** Share of the limit up to which the recent messages grow beyond `preserveRecent`. */
  readonly preserveRecentTokenRatio: number;
  /** Tokens the injected summary may take. */
  readonly maxSummaryTokens: number;
}

/** What a summary would do. */
export interface SummarizationPlan {
  /** Messages the record would cover, from the beginning. */
  readonly coveredMessages: number;
  /** Messages of the tail that stay verbatim. */
  readonly tailMessages: number;
  /** Tokens of the messages a summarising model would read, before its own instructions. */
  readonly summarizerInputTokens: number;
  /** Calls of it that this would take, where none fails: an estimate; 0 where code writes. */
  readonly summarizerCalls: number;
  /** The most tokens the summary would take. */
  readonly maxSummaryTokens: number;
}

/** A summary that is about to be made. */
export interface ProposedSummary extends SummarizationPlan {
  /** What triggered it. */
  readonly reason: TriggerReason;
  /** The messages that no summary stands for so far, and this one would. */
  readonly messages: readonly Message[];
  /** Tokens of the prompt as it stands. */
  readonly tokens: number;
  /** Tokens the model accepts, less the room for the answer. */
  readonly limit: number;
  /** Whether the prompt could be sent as it stands. */
  readonly fits: boolean;
}

/** What of a proposal is to be done: all of it, nothing, or up to an index. */
type Verdict = boolean | { readonly upTo: number };

/** What is known of a call before anything is done about it. */
export interface CallFacts {
  /** The call without the package's own options. */
  readonly params: CallOptions;
  readonly view: ConversationView;
  /** The prompt as it would be sent if nothing were done. */
  readonly prompt: Prompt;
  /** The stored record that applies, in its place. */
  readonly composition: Composition | undefined;
  readonly snapshot: Omit<TriggerSnapshot, 'tokens' | 'fixedTokens'>;
  readonly policy: TriggerPolicy & RangePolicy;
  /**
   * Index in the conversation up to which a summary is wanted by who asked for one, caller or agent. Moved to a
   * legal cut.
   */
  readonly boundary?: number | undefined;
  /** Whether the caller has said where a summary ends or what it looks to, so that no other one will do. */
  readonly isToOrder: boolean;
  /** Sizes of the prompt as it stands, see `sizeCall`. */
  readonly sizes: AsyncIterable<SizeInterval>;
  /** What stands beside a summary. */
  readonly style: Pick<CompositionStyle, 'userTextCharacters'>;
  /** Calls of models that a summary of so many tokens would take, as o200k counts them. */
  readonly callsFor: (tokens: number) => number;
  /** Whether there is a strategy to summarise with. */
  readonly canSummarize: boolean;
  /** How old tool results are condensed, where that is to be tried before a summary. */
  readonly condensing: ToolResultOptions | undefined;
  /** Whether a summary is prepared that can be put in place when one is due. */
  readonly canPutInPlace: boolean;
  /** Messages that the summary stands for that is being written already; `undefined` where there is none. */
  readonly writing: number | undefined;
  /** How a summary of so many messages that identify the conversation failed a short while ago. */
  readonly recentFailure: (count: number) => Promise<SummarizationError | undefined>;
  /** Whether summaries of a window that slides were paid for before, and not found again. */
  readonly isSliding: () => Promise<boolean>;
  /** Asks the application about a summary that would be made. Does not fail. */
  readonly consider?:
    | ((proposal: ProposedSummary, abortSignal: AbortSignal | undefined) => Promise<Verdict>)
    | undefined;
}

/** What `onBeforeSummarize` may answer. */
export type SummaryVerdict = Verdict | undefined | void;

/** Whether another summary of the conversation that is being written is waited for instead of making one. */
export type Joins = 'any' | 'none';

/** Why a plan is what it is: why it was triggered, or why nothing is summarised although it was. */
export type PlanReason =
  | TriggerReason
  | 'no-strategy'
  | 'nothing-to-cover'
  | 'recent-failure'
  | 'sliding-window'
  | 'declined';

/** What every plan says. */
interface PlanFigures {
  readonly reason: PlanReason;
  /** What the trigger says. */
  readonly decision: TriggerDecision;
  /** The size that it was decided at, known as well as the decision needed. */
  readonly size: SizeInterval;
  /** Tokens of the prompt as it stands, a stored record applied: the best figure at hand. */
  readonly tokens: number;
}

/** A call whose trigger has fired. */
interface TriggeredCall extends PlanFigures {
  readonly measure: TokenMeasure;
}

/** What is to be done about a call. */
export type Plan = PlanFigures &
  (
    | {
        /**
         * The call is not ours to touch; is sent as it is; is sent with its stored record; is planned anew with the
         * prepared summary in its place, which is due.
         */
        readonly step: 'stand-aside' | 'send' | 'apply' | 'put-in-place';
        readonly measure?: undefined;
      }
    | ({ readonly measure: TokenMeasure } & (
        | {
            /** Condensing old tool results is enough. */
            readonly step: 'condense';
            readonly prompt: Prompt;
          }
        | { readonly step: 'summarize'; readonly range: SummaryRange; readonly joins: Joins }
        | {
            /** No summary will be made: the prompt is sent as it stands, shortened if it has to be. */
            readonly step: 'fit';
            /** How the same summary failed a short while ago. */
            readonly failure?: SummarizationError | undefined;
          }
      ))
  );

/** What a summary would cost and save, in tokens at the price of uncached input of the model of the conversation. */
export interface SummaryCost {
  /** Whether it pays. */
  readonly pays: boolean;
  /** What it costs now: reading, writing, and sending what stays anew. */
  readonly cost: number;
  /** What it saves with each call to come. */
  readonly savingPerCall: number;
  /** Calls to come that are assumed: as many again as there were. */
  readonly callsAssumed: number;
  /** What the calls since the last summary have paid more than they would have with one. */
  readonly paidMore: number;
}

/** What came of the summary that stands in the prompt, in the unit of {@link SummaryCost}. */
export interface SummaryOutcome {
  /** Calls since it was made. */
  readonly calls: number;
  /** What it has cost and saved by now, by the prices and the sizes that its record holds. */
  readonly cost: number;
  readonly saved: number;
}

/**
 * Plans what is done about a call: all that decides is in here and in what it calls. Reads nothing but
 * its input and writes nothing: a call carries the plan out, `explainSummarization` returns it.
 */
export async function planCall(facts: CallFacts): Promise<Plan> {
  const { decision, size } = await decideBySize(facts);
  const figures = { decision, size, tokens: Math.ceil(size.tokens), reason: decision.reason };
  if (facts.snapshot.standAside !== undefined) return { ...figures, step: 'stand-aside' };
  const { measure } = size;
  if (decision.act === 'none' || measure === undefined)
    return { ...figures, step: facts.composition === undefined ? 'send' : 'apply' };
  if (facts.canPutInPlace) return { ...figures, step: 'put-in-place' };
  return planSummary(facts, { ...figures, measure });
}

/** Decides on a call as soon as its size is known well enough; on the last of the intervals as it stands. */
async function decideBySize({
  sizes,
  snapshot,
  policy,
}: CallFacts): Promise<Pick<Plan, 'decision' | 'size'>> {
  let last: Pick<Plan, 'decision' | 'size'> | undefined;
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

/** Plans what is done about a call whose trigger has fired. */
export async function planSummary(facts: CallFacts, figures: TriggeredCall): Promise<Plan> {
  const { policy, snapshot, composition, condensing, params, view } = facts;
  const { measure, reason, decision, tokens } = figures;
  const { limit } = policy;
  params.abortSignal?.throwIfAborted();
  const without = (why: PlanReason): Plan => ({ ...figures, step: 'fit', reason: why });
  const depth = composition?.record.depth ?? -1;
  if (policy.atMaxDepth === 'halt' && depth >= policy.maxSummaryChainDepth)
    return without('max-depth');
  if (!facts.canSummarize) return without('no-strategy');
  const isAsked = snapshot.forced || reason === 'requested';
  // Who says where a summary ends or what it looks to has no other one in mind.
  const joins = facts.isToOrder || reason === 'requested' ? 'none' : 'any';
  const begun = joins === 'none' ? undefined : rangeBegun(facts);
  const range = begun ?? (await chooseRange(facts, figures));
  if (range === undefined) return without('nothing-to-cover');
  // Where it pays, it has been done.
  if (condensing !== undefined && !isAsked && reason !== 'cost') {
    const stale = new Set(view.conversation.slice(0, range.cut));
    const prompt = condenseToolResults(facts.prompt, stale, condensing);
    await measure.count(prompt, params.abortSignal);
    if (measure.prompt(prompt) <= resetTokens(limit, policy))
      return { ...figures, step: 'condense', prompt };
  }
  const summarize = async (chosen: SummaryRange): Promise<Plan> => {
    const isBegun = isAsked || begun !== undefined || composition !== undefined;
    if (!isBegun && (await facts.isSliding())) return without('sliding-window');
    const failure = snapshot.forced ? undefined : await facts.recentFailure(chosen.count);
    return failure === undefined
      ? { ...figures, step: 'summarize', range: chosen, joins }
      : { ...figures, step: 'fit', reason: 'recent-failure', failure };
  };
  const plan = await summarize(range);
  if (plan.step !== 'summarize' || facts.consider === undefined) return plan;
  const proposal: ProposedSummary = {
    ...planOf(facts, measure, range),
    reason: decision.reason,
    messages: view.conversation.slice(range.start, range.cut),
    tokens,
    limit,
    fits: decision.act !== 'emergency' && tokens < limit,
  };
  const verdict = await facts.consider(proposal, params.abortSignal);
  // A prompt that does not fit cannot wait for a better moment.
  if (verdict === true || !proposal.fits) return plan;
  if (verdict === false) return without('declined');
  const narrower = await chooseRange(facts, figures, Math.min(verdict.upTo, range.cut));
  return narrower === undefined ? without('declined') : summarize(narrower);
}

/** What a summary of a range would do. */
export function planOf(
  { view: { conversation }, policy, composition, callsFor }: CallFacts,
  measure: TokenMeasure,
  { start, cut }: SummaryRange,
): SummarizationPlan {
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

/** What the summary stands for that is being written already: another one would be paid for besides. */
export function rangeBegun({
  view,
  composition,
  writing: count,
}: Pick<CallFacts, 'view' | 'composition' | 'writing'>): SummaryRange | undefined {
  const start = composition?.cut ?? 0;
  const cut = count === undefined ? undefined : view.identity.indexAfter(count);
  if (count === undefined || cut === undefined || cut <= start) return undefined;
  return view.groups.isBoundary(cut) ? { start, cut, count } : undefined;
}

/**
 * A summary must free at least this share of the prompt, unless the caller asked for it or the prompt
 * does not fit: it would cost a model call and the provider's prompt cache for next to nothing.
 */
const leastFreedShare = 0.02;

/** A context in tokens at its trigger, by the default ratio. */
const wholeOfTrigger = 1.25;

const reasonsOfSize: ReadonlySet<PlanReason> = new Set([
  'token-ratio',
  'context-overflow',
  'ahead',
]);

/** Tokens of the JSON around a message in a transcript, beyond what is counted for the frame of one. */
const transcriptFrameTokens = 10;

/** Share of what a summary should cover that one call has to be able to read, for the rest to wait. */
const leastReadShare = 0.5;

/**
 * Chooses what to summarise. `undefined` when there is nothing that would help.
 *
 * @param narrower - Index up to which it is to be, at the most: moved to a legal cut.
 */
async function chooseRange(
  { view, composition, policy, style, boundary }: CallFacts,
  { decision, tokens, measure }: TriggeredCall,
  narrower?: number,
): Promise<SummaryRange | undefined> {
  const { conversation, identity, systems } = view;
  const { limit } = policy;
  // A summary is not paid for when the call is refused anyway, as what must stay leaves no room.
  const latestUser = conversation.findLast(({ role }) => role === 'user');
  if (measure.prompt([...systems, ...(latestUser ? [latestUser] : [])]) > limit) return undefined;

  const start = composition?.cut ?? 0;
  const prior = composition?.record.metrics.outputTokens ?? 0;
  const keptTokens = (cut: number): number =>
    measure.messages(
      [...keptMessages({ ...view, cut }).indexes].flatMap((index) => conversation[index] ?? []),
    );
  const isForced = decision.reason === 'forced';
  // Looked for among all cuts, not only behind the record that applies: asked again, it is the same.
  const asked = isForced || decision.reason === 'requested' ? boundary : undefined;
  const wanted = narrower ?? asked;
  const cuts = legalCuts(view, narrower === undefined ? 0 : start);
  const wantedCut =
    wanted === undefined ? undefined : (cuts.findLast((cut) => cut <= wanted) ?? cuts[0]);

  const choose = async (): Promise<number | undefined> => {
    // With a trigger far from the limit, or on demand, the context may be far from full: recent messages then take
    // their share of what a prompt may grow to, or of what is there, or they would take all.
    const trigger = triggerTokens(limit, policy);
    const whole = reasonsOfSize.has(decision.reason) ? Math.ceil(wholeOfTrigger * trigger) : tokens;
    // It will be in place when the prompt has grown to the trigger.
    const growth = decision.reason === 'ahead' ? Math.max(0, trigger - tokens) : 0;
    // The summary and the user's texts beside it, at their largest.
    const summaryTokens = policy.maxSummaryTokens * (style.userTextCharacters > 0 ? 2 : 1);
    const aim = resetTokens(limit, policy);
    const budget = aim - growth - measure.prompt(systems) - summaryTokens;
    const candidates = legalCuts(view, Math.max(start, (wantedCut ?? 0) - 1));
    const messageTokens = conversation.map((message, index) =>
      index < start ? 0 : measure.message(message),
    );
    const chosen = await chooseRecentMessages({
      messageTokens,
      candidates,
      keptTokens,
      budget,
      preserveRecent: policy.preserveRecent,
      preserveRecentTokens: policy.preserveRecentTokenRatio * Math.min(whole, limit),
    });
    if (chosen === undefined) return undefined;
    // What one call can read, where the rest then stays; else the summariser reads in pieces.
    const tokensFrom = sumsFrom(messageTokens);
    const read = (cut: number): number =>
      (tokensFrom[start] ?? 0) -
      (tokensFrom[cut] ?? 0) +
      transcriptFrameTokens * measure.multiplier * (cut - start);
    const readable = readableOfPrompt(limit, prior);
    const shorter = candidates.findLast((cut) => cut <= chosen && read(cut) <= readable);
    // A context that is small is a budget, or read in pieces: two calls now are better than one each few messages.
    if (shorter === undefined || read(shorter) < leastReadShare * read(chosen)) return chosen;
    // What is more than a summary aims at may stay, but no more than the model takes.
    const isRoom = keptTokens(shorter) + (tokensFrom[shorter] ?? 0) <= budget + limit - aim;
    return isRoom ? shorter : chosen;
  };
  const cut = wantedCut !== undefined && tokens < limit ? wantedCut : await choose();
  if (cut === undefined || cut <= start) return undefined;

  const keptBefore = start === 0 ? 0 : keptTokens(start);
  const freed = measure.messages(conversation.slice(start, cut)) + keptBefore - keptTokens(cut);
  // A summary that says nothing: what even the shortest one costs more than the one before.
  const shortest = renderSummary({ ...emptyContent(''), id: '0'.repeat(16), depth: 0 });
  const added = measure.message({ role: 'system', content: shortest }) - prior;
  const isDemanded = isForced || decision.act === 'emergency';
  if (freed <= Math.max(isDemanded ? 1 : tokens * leastFreedShare, added)) return undefined;
  return { start, cut, count: identity.significantBefore(cut) };
}
