import type { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { condenseToolResults } from '../fitting/condensed-messages.ts';
import {
  decide,
  resetTokens,
  triggerTokens,
  type TriggerDecision,
} from '../../planning/plan/decide.ts';
import type {
  ChangedMessage,
  JoinPolicy,
  PlanReason,
  ProposedSummary,
  SummarizationPlan,
  SummaryRange,
} from '../../planning/plan/plan.ts';
import type { CallOptions, Prompt } from '../../prompt/messages/prompt-types.ts';
import { legalCuts } from '../../planning/selection/cuts.ts';
import { keptMessages } from '../../planning/selection/kept-messages.ts';
import type { SizeInterval } from '../../planning/sizing/size-call.ts';
import type { TokenMeasure } from '../../planning/sizing/token-measure.ts';
import { readableOfPrompt } from '../../summaries/models/readable-tokens.ts';
import { changedMessage, isUnreusedWindow } from '../writing/unfound-summaries.ts';
import { findFlight, type ConversationState } from '../../state/conversation/conversation-state.ts';
import { readConversation } from '../../state/conversation/read-conversation.ts';
import { clockMs, withDeadline } from '../../foundations/util/async/waiting.ts';
import { countUpTo, bisectFirst, sumsBefore } from '../../foundations/util/numbers.ts';
import type { CallContext } from './call-context.ts';
import { type Call, cutAfter, readCall } from './read-call.ts';

/** Fields of every plan. */
interface PlanFigures {
  readonly reason: PlanReason;
  /** Decision of the trigger. */
  readonly decision: TriggerDecision;
  /** The size of the decision, known as well as the decision needed. */
  readonly size: SizeInterval;
  /** Tokens of the prompt as it stands, a stored record applied: the best figure at hand. */
  readonly tokens: number;
}

/** A call whose trigger has fired. */
interface TriggeredCall extends PlanFigures {
  readonly measure: TokenMeasure;
}

/** Plan of a call: the step to take. */
export type Plan =
  | (PlanFigures & {
      /**
       * The call is bypassed; is sent as it is; is sent with its stored record; is planned anew with the prepared
       * summary, which is due.
       */
      readonly step: 'stand-aside' | 'send' | 'apply' | 'put-in-place';
      readonly measure?: undefined;
    })
  | (TriggeredCall & {
      /** Condensing old tool results is enough. */
      readonly step: 'condense';
      readonly prompt: Prompt;
    })
  | SummarizingPlan
  | (TriggeredCall & {
      /** No summary will be made: the prompt is sent as it stands, shortened if it has to be. */
      readonly step: 'fit';
      /** Recent failure of the same summary. */
      readonly failure?: SummarizationError | undefined;
      /** The message that changes beneath the summaries, so that none is paid for, and the range of one. */
      readonly changed?: (ChangedMessage & { readonly range: SummaryRange }) | undefined;
    });

/** A plan by which a summary is to be made. */
export interface SummarizingPlan extends TriggeredCall {
  readonly step: 'summarize';
  readonly range: SummaryRange;
  readonly joins: JoinPolicy;
}

/** A call and its plan. */
export interface PlannedCall {
  readonly call: Call;
  readonly plan: Plan;
  /** Time when the call began to wait for a summary, on the clock of `clockMs`. */
  readonly waitsSince: number;
  /** Tokens of the prompt without the prepared summary that is put in place; `undefined` without one. */
  readonly tokensBefore?: number | undefined;
}

/**
 * Reads a call and plans its next step. Before a summary is paid for, the store is asked whether another process has
 * one: only this process's own knowledge is believed without waiting. A prepared record is used when it is due, and the
 * call is planned anew.
 */
export async function readAndPlan(
  context: CallContext,
  given: CallOptions,
  known?: ConversationState,
): Promise<PlannedCall> {
  let call = await readCall(context, given, known);
  let plan = await planCall(call);
  const waitsSince = clockMs();
  if (plan.step === 'summarize') {
    // The summary continues the one that is being written; other calls join that.
    if (plan.joins === 'none') await writtenHere(call, plan);
    const { documents, takesPrepared, version } = call.state;
    const state = await readConversation(documents, { isPaying: true, takesPrepared });
    if (state.version !== version) {
      call = await readCall(context, given, state);
      plan = await planCall(call);
    }
  }
  if (plan.step === 'put-in-place') {
    const state = await readConversation(call.state.documents, { takesPrepared: true });
    return { ...(await readAndPlan(context, given, state)), tokensBefore: plan.tokens };
  }
  return { call, plan, waitsSince };
}

/** Waits for the summary of the conversation that this process prepares or writes, as long as the call may. */
async function writtenHere(
  { context: { options }, state, policy, params: { abortSignal } }: Call,
  { size }: Plan,
): Promise<void> {
  const waitMs = size.most < policy.keptTo ? options.maxWaitMs : options.summaryTimeoutMs;
  try {
    await withDeadline(abortSignal, waitMs, async () => (await findFlight(state))?.flight.ended);
  } catch {
    abortSignal?.throwIfAborted();
  }
}

/**
 * Plans the next step of a call that was read: all decisions are made here and below. Writes nothing: a call carries
 * the plan out, `explainSummarization` returns it.
 */
export async function planCall(call: Call): Promise<Plan> {
  const { decision, size } = await decideBySize(call);
  const figures = { decision, size, tokens: Math.ceil(size.tokens), reason: decision.reason };
  if (call.snapshot.standAside !== undefined) return { ...figures, step: 'stand-aside' };
  const { measure } = size;
  if (decision.act === 'none' || measure === undefined)
    return { ...figures, step: call.composition === undefined ? 'send' : 'apply' };
  if (call.canPutInPlace) return { ...figures, step: 'put-in-place' };
  return planSummary(call, { ...figures, measure });
}

type SizedDecision = Pick<Plan, 'decision' | 'size'>;

/** Decides on a call as soon as its size is known well enough; on the last of the intervals as it stands. */
async function decideBySize({ sizes, snapshot, policy, view }: Call): Promise<SizedDecision> {
  let last: SizedDecision | undefined;
  for await (const size of sizes) {
    const { least, most, measure } = size;
    const fixedTokens = measure?.prompt(view.systems) ?? 0;
    const decision = decide({ ...snapshot, tokens: most, fixedTokens }, policy);
    last = { decision, size };
    if (decision.act !== 'none') continue;
    // The whole interval has the same decision, for the same reason.
    const atLeast = decide({ ...snapshot, tokens: least, fixedTokens }, policy);
    if (atLeast.reason === decision.reason && atLeast.ahead === decision.ahead) return last;
  }
  if (last === undefined) throw new RangeError('A call without a size cannot be decided on.');
  return last;
}

/** Plans the step of a call whose trigger has fired. */
export async function planSummary(call: Call, figures: TriggeredCall): Promise<Plan> {
  const { context, policy, snapshot, composition, params, view } = call;
  const { options, strategy, failures, toolResults } = context;
  const { measure, reason, decision, tokens } = figures;
  const { limit } = policy;
  params.abortSignal?.throwIfAborted();
  const without = (why: PlanReason): Plan => ({ ...figures, step: 'fit', reason: why });
  const depth = composition?.record.depth ?? -1;
  if (policy.atMaxDepth === 'halt' && depth >= policy.maxSummaryChainDepth)
    return without('max-depth');
  if (strategy === undefined) return without('no-strategy');
  const isAsked = snapshot.forced || reason === 'requested';
  // A caller that sets the end or the guidance of a summary wants no other one.
  const joins = call.order.isToOrder || reason === 'requested' ? 'none' : 'any';
  const { writing } = call.state;
  const begun =
    joins === 'none' || writing === undefined ? undefined : rangeInProgress(call, writing);
  const range = begun ?? (await chooseRange(call, figures));
  if (range === undefined) return without('nothing-to-cover');
  // A call with the reason `cost` has its tool results condensed already where that pays.
  if (options.condenseToolResults === true && !isAsked && reason !== 'cost') {
    const stale = new Set(view.conversation.slice(0, range.cut));
    const prompt = condenseToolResults(call.scan.prompt, stale, toolResults);
    await measure.count(prompt, params.abortSignal);
    if (measure.prompt(prompt) <= resetTokens(limit, policy))
      return { ...figures, step: 'condense', prompt };
  }
  const isBegun = isAsked || begun !== undefined || composition !== undefined;
  if (!isBegun && (await isUnreusedWindow(call))) return without('sliding-window');
  const changed =
    isAsked || begun !== undefined || strategy.name === 'rule-based'
      ? undefined
      : await changedMessage(call, range);
  if (changed !== undefined)
    return { ...figures, step: 'fit', reason: 'changed-history', changed: { ...changed, range } };
  const failure = snapshot.forced
    ? undefined
    : failures.recall(await call.state.keyOf(range.count));
  if (failure !== undefined) return { ...figures, step: 'fit', reason: 'recent-failure', failure };
  if (options.onBeforeSummarize !== undefined) {
    const fits = decision.act !== 'emergency' && tokens < policy.keptTo;
    const messages = view.conversation.slice(range.start, range.cut);
    const proposed = { reason: decision.reason, messages, tokens, limit, fits };
    const proposal = { ...summaryPlanOf(call, measure, range), ...proposed };
    // A prompt that does not fit cannot wait for a better moment.
    if (!(await isAgreed(proposal, options.onBeforeSummarize, call)) && fits)
      return without('declined');
  }
  return { ...figures, step: 'summarize', range, joins };
}

/** Effect of a summary of a range. */
export function summaryPlanOf(
  { view: { conversation }, policy: { maxSummaryTokens } }: Call,
  measure: TokenMeasure,
  { start, cut }: SummaryRange,
): SummarizationPlan {
  return {
    coveredMessages: cut,
    tailMessages: conversation.length - cut,
    summarizerInputTokens: measure.messages(conversation.slice(start, cut)),
    maxSummaryTokens,
  };
}

/** Milliseconds for which the application may think about a summary. */
const considerMs = 2000;

/** Asks the application about a summary that would be made. Without an answer it counts as yes. */
async function isAgreed(
  proposal: ProposedSummary,
  ask: (proposal: ProposedSummary) => unknown,
  { context: { emit }, params: { abortSignal } }: Call,
): Promise<boolean> {
  try {
    const answer = await withDeadline(abortSignal, considerMs, async () => ask(proposal));
    if (answer === undefined || typeof answer === 'boolean') return answer ?? true;
    throw new TypeError('onBeforeSummarize answers a boolean, or nothing.');
  } catch (error) {
    abortSignal?.throwIfAborted();
    const reason = 'onBeforeSummarize threw, took too long or answered something else';
    emit({ type: 'failed', stage: 'onBeforeSummarize', reason, error });
    return true;
  }
}

/** Range of the summary in progress: another one would be paid for as well. */
export function rangeInProgress(
  { view, composition }: Pick<Call, 'view' | 'composition'>,
  count: number,
): SummaryRange | undefined {
  const start = composition?.cut ?? 0;
  const cut = cutAfter(view, count);
  return cut === undefined || cut <= start ? undefined : { start, cut, count };
}

/**
 * A summary must free at least this share of the prompt, unless the caller asked for it or the prompt
 * does not fit: it would cost a model call and the provider's prompt cache for next to nothing.
 */
const leastFreedShare = 0.02;

/** Tokens of a summary that says nothing. */
const leastSummaryTokens = 40;

/** Chooses the messages to summarize. `undefined` if no summary would help. */
async function chooseRange(call: Call, figures: TriggeredCall): Promise<SummaryRange | undefined> {
  const { view, composition, policy, order } = call;
  const { decision, tokens, measure } = figures;
  const { conversation, identity, systems } = view;
  // A summary is not paid for when the call is refused anyway, as what must stay leaves no room.
  const latestUser = conversation.findLast(({ role }) => role === 'user');
  if (measure.prompt([...systems, ...(latestUser ? [latestUser] : [])]) > policy.limit)
    return undefined;

  const start = composition?.cut ?? 0;
  const keptTokens = (cut: number): number =>
    measure.messages(
      [...keptMessages({ ...view, cut }).indexes].flatMap((index) => conversation[index] ?? []),
    );
  const isForced = decision.reason === 'forced';
  // The search covers all cuts, not only those after the record that applies, so that a second request finds the same
  // one.
  const wanted = isForced || decision.reason === 'requested' ? order.boundary : undefined;
  const cuts = wanted === undefined ? [] : legalCuts(view, 0);
  const wantedCut = cuts.findLast((cut) => cut <= (wanted ?? 0)) ?? cuts[0];
  const candidates = legalCuts(view, Math.max(start, (wantedCut ?? 0) - 1));
  const cut =
    wantedCut !== undefined && tokens < policy.keptTo
      ? wantedCut
      : await chooseCut(call, figures, candidates, keptTokens);
  if (cut === undefined || cut <= start) return undefined;

  const keptBefore = start === 0 ? 0 : keptTokens(start);
  const freed = measure.messages(conversation.slice(start, cut)) + keptBefore - keptTokens(cut);
  // Tokens by which even the shortest summary exceeds the previous one.
  const added = leastSummaryTokens - (composition?.record.metrics.outputTokens ?? 0);
  const isDemanded = isForced || decision.act === 'emergency';
  if (freed <= Math.max(isDemanded ? 1 : tokens * leastFreedShare, added)) return undefined;
  return { start, cut, count: identity.significantBefore(cut) };
}

/** A context in tokens at its trigger, by the default ratio. */
const wholeOfTrigger = 1.25;

const reasonsOfSize: ReadonlySet<PlanReason> = new Set([
  'token-ratio',
  'price-step',
  'context-overflow',
  'ahead',
]);

/** Tokens of the JSON around a message in a transcript, beyond those counted for its frame. */
const transcriptFrameTokens = 10;

/** Share of a summary's messages that one call has to be able to read, for the rest to wait. */
const leastReadShare = 0.5;

/**
 * Chooses among cuts where the recent messages begin: `preserveRecent` of them and back to the next cut, more while they
 * fit their share, fewer while they do not fit beside the summary. `undefined` when there is nothing to summarize.
 */
async function chooseCut(
  { view: { conversation, systems }, composition, policy, style }: Call,
  { decision: { reason }, tokens, measure }: TriggeredCall,
  candidates: readonly number[],
  keptTokens: (cut: number) => number,
): Promise<number | undefined> {
  const start = composition?.cut ?? 0;
  const { limit, preserveRecent, preserveRecentTokenRatio } = policy;
  // With a trigger far from the limit, or on demand, the context may be far from full: recent messages then take their
  // share of the largest prompt, or of the present one, or they would take all.
  const trigger = triggerTokens(limit, policy);
  const whole = reasonsOfSize.has(reason) ? Math.ceil(wholeOfTrigger * trigger) : tokens;
  // A summary made ahead will be in place when the prompt has grown to the trigger.
  const growth = reason === 'ahead' ? Math.max(0, trigger - tokens) : 0;
  const share = preserveRecentTokenRatio * Math.min(whole, limit) - growth;
  // The summary and the user's texts beside it, at their largest.
  const summaryTokens = policy.maxSummaryTokens * (style.userTextCharacters > 0 ? 2 : 1);
  const aim = resetTokens(limit, policy);
  const budget = aim - growth - measure.prompt(systems) - summaryTokens;
  const sums = sumsBefore(
    conversation.map((message, index) => (index < start ? 0 : measure.message(message))),
  );
  const tokensFrom = (cut: number): number => (sums.at(-1) ?? 0) - (sums[cut] ?? 0);

  // Two answers, each with what follows it, are about to come before a summary made ahead is in place.
  const recent = reason === 'ahead' ? Math.max(2, preserveRecent - 4) : preserveRecent;
  let position = countUpTo(candidates, conversation.length - recent) - 1;
  if (position === -1) {
    // The whole conversation is shorter than its recent part should be.
    if (tokensFrom(0) <= budget) return undefined;
    position = 0;
  }
  while (position > 0 && tokensFrom(candidates[position - 1] ?? 0) <= share) position -= 1;
  // Recent messages that are too long by themselves need no look at the messages before them.
  const fits = (cut: number): boolean =>
    tokensFrom(cut) <= budget && keptTokens(cut) + tokensFrom(cut) <= budget;
  const chosen = (await bisectFirst(candidates.slice(position), fits)) ?? candidates.at(-1);
  if (chosen === undefined) return undefined;

  // The range that one call can read, if the rest then stays; otherwise the summarizer reads in pieces.
  const read = (cut: number): number =>
    tokensFrom(start) -
    tokensFrom(cut) +
    transcriptFrameTokens * measure.multiplier * (cut - start);
  const readable = readableOfPrompt(limit, composition?.record.metrics.outputTokens ?? 0);
  const shorter = candidates.findLast((cut) => cut <= chosen && read(cut) <= readable);
  // A context that is small is a budget, or read in pieces: two calls now are better than one each few messages.
  if (shorter === undefined || read(shorter) < leastReadShare * read(chosen)) return chosen;
  // A prompt above the goal of a summary may stay, but never above the limit of the model.
  const isRoom = keptTokens(shorter) + tokensFrom(shorter) <= budget + policy.keptTo - aim;
  return isRoom ? shorter : chosen;
}
