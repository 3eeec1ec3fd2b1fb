import { resolvePlacement } from '../injection/resolve-placement.ts';
import { resolvePolicy, type Policy } from '../options/resolve-policy.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../state/stored-summary.ts';
import { summaryState, type SummaryState } from '../state/summary-state.ts';
import { upperBoundTokens } from '../tokens/upper-bound-tokens.ts';
import { decide, type TriggerDecision, type TriggerSnapshot } from '../trigger/decide.ts';
import type { CallContext } from './call-context.ts';
import { ownCallOptions, type OwnCall } from './call-options.ts';
import { composePrompt, type Composition, type CompositionStyle } from './compose-prompt.ts';
import { viewConversation, type ConversationView } from './conversation-view.ts';
import { isServerManaged } from './is-server-managed.ts';
import { tokenMeasure, type TokenMeasure } from './token-measure.ts';

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
  /** Tokens that the prompt as it stands cannot exceed. */
  readonly bound: number;
  /** Tokens of the prompt as it stands; an estimate when `measure` is `undefined`. */
  readonly tokens: number;
  /** The exact measure, opened only when a bound could not decide. */
  readonly measure: TokenMeasure | undefined;
}

/** Bytes a token takes in English: what a bound by bytes comes to when it was enough to decide. */
const bytesPerToken = 4;

/** Reads state and sizes of a call and decides. Writes nothing, calls no model. */
export async function inspectCall(
  context: CallContext,
  given: CallOptions,
): Promise<CallInspection> {
  const { options, model, store, keys } = context;
  const own = ownCallOptions(given);
  const { params, callOptions } = own;
  const policy = resolvePolicy(options, model, params, context.limits.recall(model));
  const style: CompositionStyle = {
    placement: resolvePlacement(policy.placement, model, params),
    // Four characters a token, the usual figure for English.
    userTextCharacters: options.preserveUserTurns === true ? 4 * policy.maxSummaryTokens : 0,
  };
  const view = viewConversation(own, options.pin, (error) =>
    context.emitForCall({ type: 'failed', stage: 'pin', reason: 'the pin function threw', error }),
  );
  const { conversationId } = callOptions;
  const state = summaryState({ store, keys, identity: view.identity, conversationId });
  const standAside = standAsideReason(
    options.enabled !== false && callOptions.enabled !== false,
    params,
  );

  const stored = standAside === undefined ? await state.find() : undefined;
  const composition = stored && applyStored(view, style, stored);
  const applied = composition === undefined ? undefined : stored;
  const prompt = composition?.prompt ?? params.prompt;

  const snapshot = (tokens: number, fixedTokens: number): TriggerSnapshot => {
    const last = applied?.lastSummarization;
    return {
      standAside,
      forced: callOptions.force === true,
      tokens,
      fixedTokens,
      limit: policy.limit,
      messageCount: view.identity.significantBefore(view.conversation.length),
      newUserTurns: userTurnsAfter(view, last?.messageCount ?? 0),
      last,
    };
  };
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
  const bound = Math.ceil(upperBoundTokens({ ...params, prompt }, model) * policy.tokenMultiplier);
  const boundDecision = decide(snapshot(bound, 0), policy);
  // Below the trigger even at the bound: the exact figure is not needed.
  if (standAside !== undefined || boundDecision.reason === 'below-trigger') {
    return {
      ...inspection,
      decision: boundDecision,
      bound,
      tokens: Math.ceil(bound / bytesPerToken),
      measure: undefined,
    };
  }

  const measure = await tokenMeasure(params, model, policy.tokenMultiplier);
  const tokens = measure.prompt(prompt);
  const fixedTokens = measure.prompt(view.systems);
  return {
    ...inspection,
    decision: decide(snapshot(tokens, fixedTokens), policy),
    bound,
    tokens,
    measure,
  };
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
  if (cut === undefined || !view.groups.boundaries.includes(cut)) return undefined;
  return composePrompt(view, style, record, cut);
}

function userTurnsAfter({ identity, conversation }: ConversationView, count: number): number {
  const start = identity.indexAfter(count) ?? conversation.length;
  return conversation.slice(start).filter((message) => message.role === 'user').length;
}
