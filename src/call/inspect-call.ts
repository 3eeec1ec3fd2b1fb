import { resolvePlacement } from '../composing/resolve-placement.ts';
import { resolvePolicy, type Policy } from '../options/resolve-policy.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import { summaryState, type SummaryState } from '../summaries/summary-state.ts';
import { decide, type TriggerDecision, type TriggerSnapshot } from '../planning/decide.ts';
import type { CallContext } from './call-context.ts';
import { ownCallOptions, type OwnCall } from '../options/call-options.ts';
import {
  composePrompt,
  type Composition,
  type CompositionStyle,
} from '../composing/compose-prompt.ts';
import { viewConversation, type ConversationView } from '../selection/conversation-view.ts';
import { isServerManaged } from '../planning/is-server-managed.ts';
import { measureCall, type CallSize } from '../sizing/measure-call.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';

/** A call as it stands before anything is done about it. */
export interface CallInspection {
  /** The call without the package's own options. */
  readonly params: CallOptions;
  readonly callOptions: OwnCall['callOptions'];
  readonly policy: Policy;
  readonly style: CompositionStyle;
  readonly view: ConversationView;
  readonly state: SummaryState;
  /** The stored summary that applies, and the prompt with it in place. */
  readonly stored: StoredSummary | undefined;
  readonly composition: Composition | undefined;
  readonly decision: TriggerDecision;
  /** Tokens of the prompt as it stands: the best figure at hand, see {@link CallSize}. */
  readonly tokens: number;
  readonly size: CallSize;
  /** As in {@link CallSize}. */
  readonly measure: TokenMeasure | undefined;
}

/** Reads state and sizes of a call and decides. Writes nothing, calls no model. */
export async function inspectCall(
  context: CallContext,
  given: CallOptions,
): Promise<CallInspection> {
  const { options, model, store, keys, memory } = context;
  const own = ownCallOptions(given);
  const { params, callOptions } = own;
  const policy = resolvePolicy(options, model, params, memory.limits.recall(context.modelKey));
  const style: CompositionStyle = {
    placement: resolvePlacement(policy.placement, model, params),
    // Four characters a token, the usual figure for English.
    userTextCharacters: options.preserveUserTurns === true ? 4 * policy.maxSummaryTokens : 0,
  };
  const onPinError = (error: unknown): void =>
    context.emitForCall({ type: 'failed', stage: 'pin', reason: 'the pin function threw', error });
  const view = viewConversation({ ...own, model }, options.pin, onPinError, memory.prefixes);
  const { conversationId } = callOptions;
  const { identity } = view;
  const { reader } = memory;
  const state = summaryState({ store, keys, identity, conversationId, reader });
  const standAside = standAsideReason(
    options.enabled !== false && callOptions.enabled !== false,
    params,
  );

  const stored = standAside === undefined ? await state.find() : undefined;
  const composition = stored && applyStored(view, style, stored);
  const applied = composition === undefined ? undefined : stored;
  const prompt = composition?.prompt ?? params.prompt;

  const last = applied?.lastSummarization;
  const fixed = {
    standAside,
    forced: callOptions.force === true,
    limit: policy.limit,
    messageCount: identity.significantBefore(view.conversation.length),
    newUserTurns:
      policy.turnThreshold === undefined ? 0 : userTurnsAfter(view, last?.messageCount ?? 0),
    last,
  };
  const snapshot = (tokens: number, fixedTokens: number): TriggerSnapshot => ({
    ...fixed,
    tokens,
    fixedTokens,
  });
  const inspection = {
    params,
    callOptions,
    policy,
    style,
    view,
    state,
    stored: applied,
    composition,
  };
  const size = await measureCall(context, {
    params: prompt === params.prompt ? params : { ...params, prompt },
    systems: view.systems,
    policy,
    recordId: composition?.record.id,
    decide: (tokens, fixedTokens) => decide(snapshot(tokens, fixedTokens), policy),
  });
  const { decision, tokens, measure } = size;
  return { ...inspection, decision, tokens, size, measure };
}

function standAsideReason(enabled: boolean, params: CallOptions): TriggerSnapshot['standAside'] {
  if (!enabled) return 'disabled';
  return isServerManaged(params) ? 'server-managed' : undefined;
}

/** Puts a stored record in place, unless the conversation as it is now cannot be cut there. */
function applyStored(
  view: ConversationView,
  style: CompositionStyle,
  { record }: StoredSummary,
): Composition | undefined {
  const cut = view.identity.indexAfter(record.originalMessageIds.length);
  if (cut === undefined || !view.groups.isBoundary(cut)) return undefined;
  return composePrompt(view, style, { record, cut });
}

function userTurnsAfter({ identity, conversation }: ConversationView, count: number): number {
  const start = identity.indexAfter(count) ?? conversation.length;
  return conversation.slice(start).filter((message) => message.role === 'user').length;
}
