import type { CompositionStyle } from '../composing/compose-prompt.ts';
import { resolvePlacement } from '../composing/resolve-placement.ts';
import { ownCallOptions, type OwnCall } from '../options/call-options.ts';
import { resolvePolicy, type Policy } from '../options/resolve-policy.ts';
import { triggerTokens, type TriggerSnapshot } from '../planning/decide.ts';
import { isServerManaged } from '../planning/is-server-managed.ts';
import type { CallFacts, Plan } from '../planning/plan.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { LastSummarization, StoredSummary } from '../record/stored-summary.ts';
import { compactRequest } from '../selection/compact-request.ts';
import { viewConversation, type ConversationView } from '../selection/conversation-view.ts';
import { modelCalibration, type ModelCalibration } from '../sizing/model-calibration.ts';
import { sizeCall } from '../sizing/size-call.ts';
import type { ConversationState, ConversationStateOptions } from '../state/conversation-state.ts';
import { summaryState } from '../state/summary-state.ts';
import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { scanSteps, type PromptScan } from '../tokens/scan-prompt.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { announcedBefore } from './announcement.ts';
import { applyStored, cutOf } from './apply-stored.ts';
import type { CallContext } from './call-context.ts';
import { liveStateOf } from './live-state.ts';
import { considerSummary } from './consider-summary.ts';

/** A call as it stands before anything is decided: the facts of its plan, and where they come from. */
export interface CallReading extends CallFacts {
  /** The call as it came. */
  readonly given: CallOptions;
  readonly callOptions: OwnCall['callOptions'];
  readonly policy: Policy;
  readonly style: CompositionStyle;
  readonly state: ConversationState;
  /** The stored summary that applies. */
  readonly stored: StoredSummary | undefined;
  /** The summary that is prepared to be put in the place of it. */
  readonly prepared: StoredSummary | undefined;
  /** How it stands where the newest summary was undone. */
  readonly held: LastSummarization | undefined;
  /** The prompt as it would be sent if nothing were done. */
  readonly scan: PromptScan;
  readonly calibration: ModelCalibration;
  /** What a summary should look to, in the words of who asked for it. */
  readonly instructions: string | undefined;
}

/** A call and what is to be done about it. */
export type PlannedCall = CallReading & Plan;

/**
 * Reads the state of a call, and how its size is found. Writes nothing, calls no model.
 *
 * @param takePrepared - Whether a prepared summary is in its place.
 */
export async function readCall(
  context: CallContext,
  given: CallOptions,
  takePrepared: boolean,
): Promise<CallReading> {
  const { options, model, memory, modelKey } = context;
  const slices = timeSlices({ abortSignal: given.abortSignal });
  const own = ownCallOptions(given);
  const { params, callOptions } = own;
  const policy = resolvePolicy(options, model, params, memory.limits.recall(modelKey));
  const style = {
    placement: resolvePlacement(policy.placement, model, params),
    // Four characters a token, the usual figure for English.
    userTextCharacters: options.preserveUserTurns === true ? 4 * policy.maxSummaryTokens : 0,
    liveState: liveStateOf(context, policy),
  };
  const onPinError = (error: unknown): void =>
    context.emit({ type: 'failed', stage: 'pin', reason: 'the pin function threw', error });
  const viewed = { ...own, model, pin: options.pin, onPinError };
  const sentView = viewConversation(viewed, memory.prefixes);
  const state = stateOf(context, sentView, { ...callOptions, minMessages: policy.minMessages });
  const isEnabled = options.enabled !== false && callOptions.enabled !== false;
  const standAside = standAsideReason(isEnabled, params);

  await slices.pause();
  const known = standAside === undefined ? await state.find() : undefined;
  const found = (takePrepared ? await state.take() : undefined) ?? known;
  const identity = state.identity();
  const view =
    identity === sentView.identity ? sentView : viewConversation(viewed, memory.prefixes, identity);
  const { systems, conversation } = view;
  const composition = found && (await applyStored(view, style, found, slices));
  await slices.pause();
  const stored = composition === undefined ? undefined : found;
  const held = standAside === undefined ? await state.held() : undefined;
  const last = latestOf(stored?.lastSummarization, held);
  const prepared = standAside === undefined ? await state.findPrepared() : undefined;
  const writing = standAside === undefined ? await state.findWriting() : undefined;
  const { force = false } = callOptions;
  // Who asked for a summary has it in what is put in place.
  const isForced = force !== false && !takePrepared;
  const upTo = typeof force === 'object' ? force.upTo : undefined;
  const request =
    standAside === undefined
      ? await compactRequest(view, own.compactTools, composition?.cut ?? 0, slices)
      : undefined;
  const isToOrder = upTo !== undefined || (isForced && callOptions.instructions !== undefined);
  const isOffered = prepared !== undefined && !takePrepared && !isToOrder;
  if (isOffered) await view.read(slices);
  const canPutInPlace = isOffered && cutOf(view, prepared.record) !== undefined;
  const recordId = composition?.record.id;
  const composed = composition?.prompt ?? params.prompt;
  const prompt =
    standAside === undefined
      ? ((await announcedBefore(context, { prompt: composed, view, recordId, slices })) ?? composed)
      : composed;
  const sent = prompt === params.prompt ? params : { ...params, prompt };
  const scan = await runInSlices(scanSteps(sent, mediaFamilyOf(model)), slices);
  const calibration = modelCalibration(context, policy);
  const scope = { model: modelKey, recordId };
  return {
    given,
    params,
    callOptions,
    policy,
    style,
    view,
    state,
    stored,
    prepared,
    held,
    composition,
    prompt,
    scan,
    calibration,
    snapshot: {
      standAside,
      forced: isForced,
      requested: request !== undefined,
      limit: policy.limit,
      messageCount: identity.significantBefore(conversation.length),
      newUserTurns:
        policy.turnThreshold === undefined ? 0 : userTurnsAfter(view, last?.messageCount ?? 0),
      isPrepared: prepared !== undefined || writing !== undefined,
      last,
    },
    boundary: isForced ? upTo : request?.boundary,
    instructions: callOptions.instructions ?? request?.instructions,
    canPutInPlace,
    writing,
    sizes: sizeCall({
      params: sent,
      systems,
      model,
      scan,
      calibration,
      findReported: () => memory.usage.find(scan, scope, slices),
      limit: policy.limit,
      trigger: triggerTokens(policy.limit, policy),
    }),
    canSummarize: context.strategy !== undefined,
    condensing: options.condenseToolResults === true ? context.toolResults : undefined,
    consider: considerSummary(context, params.abortSignal),
    recentFailure: async (count) => context.failures.recall(await state.keyOf(count)),
  };
}

function stateOf(
  { store, copy, keyring, times, archive, emit, erasures }: CallContext,
  { conversation, identity }: ConversationView,
  options: Pick<ConversationStateOptions, 'conversationId' | 'minMessages'>,
): ConversationState {
  return summaryState({
    store,
    copy,
    keyring,
    times,
    archive,
    identity,
    conversation,
    onGap: () => emit({ type: 'history-gap' }),
    erasures,
    ...options,
  });
}

/** What growth counts from: a summary, or where a later one was undone. */
function latestOf(
  last: LastSummarization | undefined,
  held: LastSummarization | undefined,
): LastSummarization | undefined {
  if (held === undefined) return last;
  if (last !== undefined && last.messageCount >= held.messageCount) return last;
  return { ...held, depth: last?.depth ?? 0 };
}

function standAsideReason(enabled: boolean, params: CallOptions): TriggerSnapshot['standAside'] {
  if (!enabled) return 'disabled';
  return isServerManaged(params) ? 'server-managed' : undefined;
}

function userTurnsAfter({ identity, conversation }: ConversationView, count: number): number {
  const start = identity.indexAfter(count) ?? conversation.length;
  return conversation.slice(start).filter((message) => message.role === 'user').length;
}
