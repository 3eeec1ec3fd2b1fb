import {
  composePrompt,
  type Composition,
  type CompositionStyle,
} from '../composing/compose-prompt.ts';
import { placementKey, resolvePlacement } from '../composing/place-summary.ts';
import { ownCallOptions } from '../options/call-options.ts';
import { declaredContextLengths, resolvePolicy, type Policy } from '../options/resolve-policy.ts';
import { planCall, type CallFacts, type Plan } from '../planning/plan.ts';
import type { CallOptions, Prompt } from '../prompt/prompt-types.ts';
import { historyAtProvider } from '../prompt/provider-options.ts';
import type { LastSummarization, StoredSummary } from '../record/stored-summary.ts';
import { compactRequest } from '../selection/cuts.ts';
import { viewConversation, type ConversationView } from '../selection/conversation-view.ts';
import { modelCalibration, type ModelCalibration } from '../sizing/calibration.ts';
import { sizeOf } from '../sizing/size-call.ts';
import { ConversationState } from '../state/conversation-state.ts';
import type { WholeRecord } from '../state/document.ts';
import { isSlidingOn } from '../summaries/sliding-window.ts';
import { callsFor } from '../strategies/models/readable-tokens.ts';
import { mediaFamilyOf } from '../tokens/model-family.ts';
import { scanPrompt, type PromptScan } from '../tokens/scan-prompt.ts';
import { withDeadline } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import type { CallContext } from './call-context.ts';
import type { CallCost } from './cost-of-call.ts';

/** The call's carrier: all that is known of it, the facts of its plan among them. */
export interface Call extends CallContext, CallFacts {
  /** As it came. */
  readonly given: CallOptions;
  readonly policy: Policy;
  readonly style: CompositionStyle;
  readonly state: ConversationState;
  /** The stored summary that applies. */
  readonly stored: WholeRecord | undefined;
  /** The summary that is prepared to be put in the place of it. */
  readonly prepared: WholeRecord | undefined;
  /** How it stands where the newest summary was undone. */
  readonly held: LastSummarization | undefined;
  /** Sizes of the prompt as it would be sent if nothing were done. */
  readonly scan: PromptScan;
  readonly calibration: ModelCalibration;
  /** What it costs, where that decides (`optimizeFor`). */
  readonly cost: CallCost | undefined;
  /** What a summary should look to, in the words of who asked for it. */
  readonly instructions: string | undefined;
}

/** A call and what is done about it. */
export interface PlannedCall {
  readonly call: Call;
  readonly plan: Plan;
  /** When it began to wait for a summary, on the clock of `clockMs`. */
  readonly waitsSince: number;
  /** Tokens of the prompt without the prepared summary that is put in place; `undefined` where none is. */
  readonly tokensBefore?: number | undefined;
}

/**
 * Reads a call and plans what is done about it. Before a summary is paid for, the store is asked whether
 * another process has one: only this process's own knowledge is believed without waiting. One that was
 * prepared is put in its place when it is due, and the call is planned anew.
 */
export async function planReading(
  context: CallContext,
  given: CallOptions,
  takePrepared = false,
): Promise<PlannedCall> {
  let call = await readCall(context, given, takePrepared);
  let plan = await planCall(call);
  const waitsSince = clockMs();
  if (plan.step === 'summarize') {
    const { state, stored, prepared, held } = call;
    // It goes on from what is being written; others join that.
    if (plan.joins === 'none') await writtenHere(call, plan);
    // Not by its id: what was erased and is written anew has the same.
    const isKnown =
      (await state.findBeforePaying())?.token === stored?.token &&
      (await state.findPrepared())?.token === prepared?.token &&
      (await state.held()) === held;
    if (!isKnown) {
      // What was found is known to this process now, and may be prepared to take its place.
      call = await readCall(context, given, takePrepared);
      plan = await planCall(call);
    }
  }
  if (plan.step === 'put-in-place')
    return { ...(await planReading(context, given, true)), tokensBefore: plan.tokens };
  return { call, plan, waitsSince };
}

/** Waits for the summary of the conversation that this process prepares or writes, as long as the call may. */
async function writtenHere(
  { options, state, policy, params: { abortSignal } }: Call,
  { size }: Plan,
): Promise<void> {
  const waitMs = size.most < policy.limit ? options.maxWaitMs : options.summaryTimeoutMs;
  try {
    await withDeadline(abortSignal, waitMs, async () => state.written());
  } catch {
    abortSignal?.throwIfAborted();
  }
}

/**
 * Reads a call, its state, and how its size is found. Writes nothing, calls no model.
 *
 * @param takePrepared - Whether a prepared summary is in its place.
 */
async function readCall(
  context: CallContext,
  given: CallOptions,
  takePrepared: boolean,
): Promise<Call> {
  const { options, model, memory, modelKey, emit, strategy } = context;
  const own = ownCallOptions(given);
  const { params, callOptions } = own;
  const policy = resolvePolicy(options, model, params, memory.limits.recall(modelKey));
  const { limit } = policy;
  const isEnabled = options.enabled && callOptions.enabled !== false;
  const history = isEnabled ? historyAtProvider(params) : undefined;
  const isManaged = history === 'held' || (history === 'cut' && options.native !== 'never');
  const isOurs = isEnabled && !isManaged;
  const taken = memory.placements.get(placementKey(model));
  const style: CompositionStyle = {
    placement: resolvePlacement(policy.placement, model, { ...params, taken }),
    // Four characters a token, the usual figure for English.
    userTextCharacters: options.preserveUserTurns ? 4 * policy.maxSummaryTokens : 0,
  };

  const onPinError = (error: unknown): void =>
    emit({ type: 'failed', stage: 'pin', reason: 'pin threw or gave no boolean', error });
  const viewed = { ...own, model, pin: options.pin, priority: options.priority, onPinError };
  const sent = viewConversation(viewed);
  const state = new ConversationState({
    ...context,
    identity: sent.identity,
    conversation: sent.conversation,
    times: options,
    onGap: () => emit({ type: 'history-gap' }),
    minMessages: policy.minMessages,
  });
  const found = isOurs ? await state.find() : undefined;
  const applied = (takePrepared ? await state.take() : undefined) ?? found;
  // Found by its id, a window of a history is known as what it is the end of.
  const view = state.identity === sent.identity ? sent : viewConversation(viewed, state.identity);
  const { identity, conversation } = view;
  const cut = applied && cutOf(view, applied.record);
  const composition: Composition | undefined =
    applied && cut !== undefined
      ? composePrompt(view, style, { record: applied.record, cut })
      : undefined;
  const stored = composition && applied;
  const held = isOurs ? await state.held() : undefined;
  const prepared = isOurs ? await state.findPrepared() : undefined;
  const writing = isOurs ? (await state.findWriting())?.count : undefined;
  const last = latestOf(stored?.lastSummarization, held);
  const lastEnd = identity.indexAfter(last?.messageCount ?? 0) ?? conversation.length;

  const { force = false, instructions } = callOptions;
  // Who asked for a summary has it in what is put in place.
  const forced = force !== false && !takePrepared;
  const upTo = typeof force === 'object' ? force.upTo : undefined;
  const request = isOurs
    ? compactRequest(view, own.compactTools, composition?.cut ?? 0)
    : undefined;
  const isToOrder = upTo !== undefined || (forced && instructions !== undefined);

  const scanOf = (prompt: Prompt): PromptScan =>
    scanPrompt({ ...params, prompt }, mediaFamilyOf(model));
  const composed = composition?.prompt ?? params.prompt;
  const whole = scanOf(composed);
  const isWeighed = options.optimizeFor === 'cost' && isOurs;
  const { costOfCall } = isWeighed ? await import('./cost-of-call.ts') : {};
  const cost = await costOfCall?.(context, { view, composition, policy }, whole, last);
  const prompt = cost?.prompt ?? composed;
  const scan = prompt === composed ? whole : scanOf(prompt);
  const calibration = modelCalibration(context, policy);
  const recordId = composition?.record.id;
  return {
    ...context,
    given,
    params,
    policy,
    style,
    view,
    state,
    composition,
    stored,
    prepared,
    writing,
    held,
    prompt,
    scan,
    calibration,
    cost,
    boundary: forced ? upTo : request?.boundary,
    isToOrder,
    instructions: instructions ?? request?.instructions,
    canPutInPlace:
      prepared !== undefined &&
      !takePrepared &&
      !isToOrder &&
      cutOf(view, prepared.record) !== undefined,
    snapshot: {
      standAside: isOurs ? undefined : isEnabled ? 'server-managed' : 'disabled',
      forced,
      requested: request !== undefined,
      limit,
      messageCount: identity.significantBefore(conversation.length),
      newUserTurns: conversation.slice(lastEnd).filter(({ role }) => role === 'user').length,
      pays: cost?.figures.pays,
      isPrepared: prepared !== undefined || writing !== undefined,
      last,
    },
    sizes: sizeOf({
      params: prompt === params.prompt ? params : { ...params, prompt },
      systems: view.systems,
      model,
      scan,
      calibration,
      findReported: () => memory.usage.find(scan, { model: modelKey, recordId }),
      limit,
    }),
    canSummarize: strategy !== undefined,
    callsFor: (tokens) => summaryCalls(context, policy, tokens),
    condensing: options.condenseToolResults === true ? context.toolResults : undefined,
    consider: considering(context),
    recentFailure: async (count) => context.failures.recall(await state.keyOf(count)),
    isSliding: async () => isSlidingOn(context, { view, state }),
  };
}

/** Where the conversation as it is now is cut behind a record; `undefined` where it cannot be. */
function cutOf(
  { identity, groups }: ConversationView,
  { coveredMessages }: StoredSummary['record'],
): number | undefined {
  const cut = identity.indexAfter(coveredMessages);
  return cut === undefined || !groups.isBoundary(cut) ? undefined : cut;
}

/** What growth counts from: a summary, or where a later one was undone. */
function latestOf(
  last: LastSummarization | undefined,
  held: LastSummarization | undefined,
): LastSummarization | undefined {
  if (held === undefined || (last !== undefined && last.messageCount >= held.messageCount))
    return last;
  return { ...held, depth: last?.depth ?? 0 };
}

/** Calls that a summary of so many tokens takes: of the model that is asked first. */
function summaryCalls(
  { options, model, strategy }: CallContext,
  { contextLength, contextLengthKnown, tokenMultiplier }: Policy,
  tokens: number,
): number {
  if (strategy === undefined || strategy.name === 'rule-based') return 0;
  const [first = model] = [options.summarizerModelPreference ?? []].flat();
  const reader = typeof first === 'string' ? { provider: 'gateway', modelId: first } : first;
  const input = {
    model,
    maxTranscriptTokens: options.maxTranscriptTokens,
    declaredContextLength: declaredContextLengths(options),
    contextLength: contextLengthKnown ? contextLength : undefined,
    tokenMultiplier,
  };
  return callsFor(tokens, input, reader);
}

/** Milliseconds for which the application may think about a summary. */
const considerMs = 2000;

/** Asks the application about a summary, where it wants to be asked. What it cannot say counts as yes. */
function considering({ options, emit }: CallContext): CallFacts['consider'] {
  const { onBeforeSummarize: ask } = options;
  if (ask === undefined) return undefined;
  return async (proposal, abortSignal) => {
    try {
      const answer = await withDeadline(abortSignal, considerMs, async () => ask(proposal));
      if (answer === undefined || typeof answer === 'boolean') return answer ?? true;
      if (Number.isSafeInteger(answer.upTo) && answer.upTo >= 1) return { upTo: answer.upTo };
      throw new TypeError(
        'onBeforeSummarize answers a boolean, nothing, or { upTo } with an integer of at least 1.',
      );
    } catch (error) {
      abortSignal?.throwIfAborted();
      const reason = 'onBeforeSummarize threw, took too long or answered something else';
      emit({ type: 'failed', stage: 'onBeforeSummarize', reason, error });
      return true;
    }
  };
}
