import {
  composePrompt,
  type Composition,
  type CompositionStyle,
} from '../../planning/composing/compose-prompt.ts';
import { fitMedia } from '../fitting/fit-media.ts';
import { resolvePlacement } from '../../planning/composing/place-summary.ts';
import { safeFileIdentity } from '../../prompt/identity/file-address.ts';
import { ownCallOptions } from '../options/call-options.ts';
import { resolvePolicy } from '../options/resolve-policy.ts';
import { nearTrigger, triggerTokens, type TriggerSnapshot } from '../../planning/plan/decide.ts';
import type { Policy } from '../../planning/plan/plan.ts';
import type { CallOptions, Prompt } from '../../prompt/messages/prompt-types.ts';
import { historyAtProvider } from '../../prompt/messages/provider-options.ts';
import type { LastSummarization } from '../../foundations/record/summary-record.ts';
import { compactRequest, openingMessages } from '../../planning/selection/cuts.ts';
import {
  viewConversation,
  type ConversationView,
} from '../../planning/selection/conversation-view.ts';
import {
  base64OfValues,
  holdsResultFile,
  adaptForProvider,
  withoutResultFiles,
} from '../../planning/selection/sent-messages.ts';
import { modelCalibration, type ModelCalibration } from '../../planning/sizing/calibration.ts';
import { sizeOf, type SizeInterval } from '../../planning/sizing/size-call.ts';
import { usageScope } from '../../planning/sizing/usage.ts';
import {
  RequestDocuments,
  type ConversationState,
} from '../../state/conversation/conversation-state.ts';
import type { WholeRecord } from '../../state/conversation/document.ts';
import { modelName, storedUsages } from '../../state/conversation/keep-summary.ts';
import { emptyState, readConversation } from '../../state/conversation/read-conversation.ts';
import { sendingRulesOf } from '../../sizes/tokens/model-family.ts';
import { scanPrompt, totalOf, type PromptScan } from '../../sizes/tokens/scan-prompt.ts';
import type { CallContext } from './call-context.ts';
import type { CallCost } from './cost-of-call.ts';

/** A call as it was read: all that is known of it before anything is done. */
export interface Call {
  readonly context: CallContext;
  /** The call as it came. */
  readonly given: CallOptions;
  /** The call without the package's own options. */
  readonly params: CallOptions;
  readonly policy: Policy;
  readonly style: CompositionStyle;
  readonly view: ConversationView;
  /** State of the conversation when the call was read. */
  readonly state: ConversationState;
  /** The stored record as it stands in the prompt. */
  readonly composition: Composition | undefined;
  /** The stored summary that applies. */
  readonly stored: WholeRecord | undefined;
  /** Whether the prepared summary can replace the stored one when a summary is due. */
  readonly canPutInPlace: boolean;
  /** Input of the trigger, except the size. */
  readonly snapshot: Omit<TriggerSnapshot, 'tokens' | 'fixedTokens'>;
  /** Intervals of the call's size, ever narrower. */
  readonly sizes: AsyncIterable<SizeInterval>;
  /** The prompt that the call would be sent with if nothing were done, and its sizes. */
  readonly scan: PromptScan;
  readonly calibration: ModelCalibration;
  /** Costs of the call, if they decide (`optimizeFor`). */
  readonly cost: CallCost | undefined;
  readonly order: SummaryOrder;
}

/** The summary that the caller or the agent asks for. */
interface SummaryOrder {
  /** Index up to which it is wanted. Moved to a legal cut. */
  readonly boundary: number | undefined;
  /** Whether the caller has set its end or its guidance, so that no other one will do. */
  readonly isToOrder: boolean;
  /** Guidance for it, in the words of the caller. */
  readonly instructions: string | undefined;
}

/**
 * Reads a call, its state, and the way to find its size. Writes nothing, calls no model.
 *
 * @param known - State of the conversation, if it was read before.
 */
export async function readCall(
  context: CallContext,
  given: CallOptions,
  known?: ConversationState,
): Promise<Call> {
  const { options, model, memory, modelKey, place, emit } = context;
  const own = ownCallOptions(given);
  const { params, callOptions } = own;
  const policy = resolvePolicy(options, model, params, memory.limits.recall(modelKey).limit);
  const { limit } = policy;
  const isEnabled = options.enabled && callOptions.enabled !== false;
  const history = isEnabled ? historyAtProvider(params, model) : undefined;
  const isManaged =
    history === 'held' || (history === 'cut' && options.providerCompaction !== 'ignore');
  const isOurs = isEnabled && !isManaged;
  const style: CompositionStyle = {
    placement: resolvePlacement(policy.placement, model, params),
    // Four characters a token, the usual figure for English.
    userTextCharacters: options.preserveUserTurns ? 4 * policy.maxSummaryTokens : 0,
  };

  const failing = (stage: 'pin' | 'fileIdentity', reason: string) => (error: unknown) =>
    emit({ type: 'failed', stage, reason: `${stage} ${reason}`, error });
  const onPinError = failing('pin', 'threw or gave no boolean');
  const onError = failing('fileIdentity', 'threw or gave no text');
  const fileIdentity = safeFileIdentity(options.fileIdentity, onError);
  const sendAs = isOurs ? adaptForProvider(model) : undefined;
  const { pin } = options;
  const { maxToolOutputTokens } = policy;
  // Loaded on demand, as the patterns of names are long.
  const shortenAs =
    isOurs && maxToolOutputTokens !== undefined
      ? (await import('../fitting/shorter-messages.ts')).shortenOutputs(maxToolOutputTokens)
      : undefined;
  const viewed = { ...own, model, pin, onPinError, fileIdentity, sendAs, shortenAs };
  const sent = viewConversation(viewed);
  const onGap = (): void => emit({ type: 'history-gap' });
  const { minMessages } = policy;
  const fields = { identity: sent.identity, conversation: sent.originals, minMessages, onGap };
  const read = isOurs ? readConversation : emptyState;
  const state = known ?? (await read(new RequestDocuments({ ...place, ...fields })));
  const { found: applied, prepared, takesPrepared, undone, writing } = state;
  // A conversation that was found by its id may be a window: the state knows the history that it ends.
  const isWindow = state.identity !== state.documents.options.identity;
  let view = isWindow ? viewConversation(viewed, state.identity) : sent;
  const { identity, conversation } = view;
  const cut = applied && cutAfter(view, applied.record.coveredMessages);
  const rules = sendingRulesOf(model);
  // The whole history decides, so that a file stays what it is once a summary is in the prompt.
  const base64 = isOurs ? base64OfValues(view.originals) : 0;
  const mayGiveWay =
    base64 > 0 || (isOurs && rules.writesJson && view.conversation.some(holdsResultFile));
  const scanned = (prompt: Prompt): PromptScan => scanPrompt({ ...params, prompt }, rules);
  if (mayGiveWay && mayTrigger(scanned(promptOf(view, params.prompt)), base64, policy))
    view = viewConversation({ ...viewed, sendAs: withoutResultFiles(model) }, identity);
  const composition =
    applied && cut !== undefined
      ? composePrompt(view, style, { record: applied.record, cut })
      : undefined;
  let scan = scanned(composition?.prompt ?? promptOf(view, params.prompt));
  const stored = composition && applied;
  if (history === 'foreign') await tellOnce(context, view);
  const last =
    undone === undefined ? stored?.lastSummarization : latestOf(stored?.lastSummarization, undone);

  const { force = false, instructions } = callOptions;
  // A caller that asked for a summary has it in the applied record.
  const forced = force !== false && !takesPrepared;
  const upTo = typeof force === 'object' ? force.upTo : undefined;
  const request =
    isOurs && own.compactTools.size > 0
      ? compactRequest(view, own.compactTools, composition?.cut ?? 0)
      : undefined;
  const isToOrder = upTo !== undefined || (forced && instructions !== undefined);

  const fitted = isOurs ? fitMedia(scan.prompt, policy, scan.overhead.bound) : scan.prompt;
  if (fitted !== scan.prompt) scan = scanned(fitted);
  let cost: CallCost | undefined;
  if (options.optimizeFor === 'cost' && isOurs) {
    const { costOfCall } = await import('./cost-of-call.ts');
    cost = await costOfCall(context, { view, composition, policy, last }, scan);
    if (cost.prompt !== undefined) scan = scanned(cost.prompt);
  }
  const calibration = modelCalibration(modelKey, policy);
  const sized = { params, systems: view.systems, model, scan, calibration, limit };
  const scope = usageScope(modelKey, composition);
  // Sizes are stored by prompts near their trigger alone: a smaller one continues none of them.
  const mayBeStored = isOurs && !place.store.isLocal && scan.bound >= nearTrigger(policy);
  for (const { model: name, recordId, prompt: sizes, usage } of mayBeStored
    ? await storedUsages(state)
    : [])
    if (name === modelName(model) && recordId === composition?.record.id)
      memory.usage.restore(scope, sizes, usage);
  return {
    context,
    given,
    params,
    policy,
    style,
    view,
    state,
    composition,
    stored,
    scan,
    calibration,
    cost,
    order: {
      boundary: forced ? upTo : request?.boundary,
      isToOrder,
      instructions: instructions ?? request?.instructions,
    },
    canPutInPlace:
      prepared !== undefined &&
      !takesPrepared &&
      !isToOrder &&
      cutAfter(view, prepared.record.coveredMessages) !== undefined,
    snapshot: {
      standAside: isOurs ? undefined : isEnabled ? 'server-managed' : 'disabled',
      forced,
      requested: request !== undefined,
      limit,
      messageCount: identity.significantBefore(conversation.length),
      newUserTurns: policy.turnThreshold === undefined ? 0 : userTurnsSince(view, last),
      soonAdded: policy.ahead ? soonAdded(scan) * calibration.rates().multiplier : undefined,
      pays: cost?.figures.pays,
      isPrepared: prepared !== undefined || writing !== undefined,
      last,
    },
    sizes: sizeOf({ ...sized, usage: memory.usage, scope }),
  };
}

/** Returns the prompt as it is sent without a summary: the same object if nothing changes. */
function promptOf({ systems, conversation, originals }: ConversationView, given: Prompt): Prompt {
  return conversation.every((each, index) => each === originals[index])
    ? given
    : [...systems, ...conversation];
}

/** Bytes of text in a token: rather too few, so that notes replace files before a summary is due. */
const bytesPerToken = 3;

/**
 * Whether a prompt may be beyond its trigger with the files that tools answered.
 *
 * @param base64 - Characters of its texts that are base64.
 */
function mayTrigger({ bound, frames, files }: PromptScan, base64: number, policy: Policy): boolean {
  // Base64 has half as many bytes in a token.
  const tokens = (bound - frames - files + base64) / bytesPerToken + frames + files;
  return tokens * policy.tokenMultiplier >= triggerTokens(policy.limit, policy);
}

/** Reports, once per conversation and model, that a prompt holds a compaction of another provider. */
async function tellOnce(
  { memory, modelKey, emit }: CallContext,
  { identity }: ConversationView,
): Promise<void> {
  const key = `${modelKey} ${await identity.prefixDigest(openingMessages)}`;
  if (memory.switched.get(key) === undefined) emit({ type: 'foreign-compaction' });
  memory.switched.set(key, true);
}

/** Finds the index after so many covered messages, if the conversation can be cut there; otherwise `undefined`. */
export function cutAfter(
  { identity, groups }: ConversationView,
  count: number,
): number | undefined {
  const cut = identity.indexAfter(count);
  return cut === undefined || !groups.isBoundary(cut) ? undefined : cut;
}

/** Counts the user messages since the start of growth. */
function userTurnsSince(
  { identity, conversation }: ConversationView,
  last: LastSummarization | undefined,
): number {
  const start = identity.indexAfter(last?.messageCount ?? 0) ?? conversation.length;
  return conversation.slice(start).filter(({ role }) => role === 'user').length;
}

/** Answers that predict the size of the next ones, each with the messages after it: outputs of tools differ much. */
const lastAnswers = 8;

/** Estimates the tokens that two more answers will add, by the last ones. */
function soonAdded({ prompt, start, sizes }: PromptScan): number {
  const isAnswer = (index: number): boolean => prompt[start + index]?.role === 'assistant';
  const answers = Array.from(sizes.keys()).filter(isAnswer).slice(-lastAnswers);
  const { estimate } = totalOf(sizes.slice(answers[0]));
  return (2 * estimate) / Math.max(1, answers.length);
}

/** Returns the start of growth: a summary, or the place where a later one was undone. */
function latestOf(last: LastSummarization | undefined, held: LastSummarization): LastSummarization {
  if (last !== undefined && last.messageCount >= held.messageCount) return last;
  return { ...held, depth: last?.depth ?? 0 };
}
