import type { LastSummarization } from '../../foundations/record/summary-record.ts';

/** Everything a decision rests on. Tokens are of the prompt as it would be sent, stored record applied. */
export interface TriggerSnapshot {
  /** Why the history is not ours to touch, if so. */
  readonly standAside?: 'disabled' | 'server-managed' | undefined;
  /** Whether the caller asked for a summary now. */
  readonly forced: boolean;
  /** Whether the agent asked for one with a tool. */
  readonly requested?: boolean | undefined;
  /** Tokens of the prompt, tools and response schema included. */
  readonly tokens: number;
  /** Tokens of what no summary can shorten: leading system messages, tools, response schema. */
  readonly fixedTokens: number;
  /** Tokens the model accepts, room for the answer already taken off. */
  readonly limit: number;
  /** Messages of the conversation, covered ones included. */
  readonly messageCount: number;
  /** User messages since the last summarization. */
  readonly newUserTurns: number;
  /** Tokens that the next two answers will add, with what follows them, as the last ones did. */
  readonly soonAdded?: number | undefined;
  /** Whether the next summary is prepared, or being written. */
  readonly isPrepared?: boolean | undefined;
  /** Whether a summary now is cheaper than to go on without; asked with `optimizeFor: 'cost'` alone. */
  readonly pays?: boolean | undefined;
  /** The last summarization of this conversation. */
  readonly last?: LastSummarization | undefined;
}

/** The thresholds of one model; see the options of the same names. */
export interface TriggerPolicy {
  readonly triggerTokenRatio: number;
  readonly resetTokenRatio: number;
  readonly tokenThreshold?: number | undefined;
  /** Tokens above which the model costs more, where prompts are to stay below that. */
  readonly priceStep?: number | undefined;
  readonly turnThreshold?: number | undefined;
  readonly minMessages: number;
  readonly cooldownMessages: number;
  readonly forceRefreshAfterMessages?: number | undefined;
  readonly maxSummaryChainDepth: number;
  readonly atMaxDepth: 'rebase' | 'halt';
  /** Tokens to which prompts are kept where they can be. Default: the limit. */
  readonly keptTo?: number | undefined;
  /** Whether summaries are prepared before they are due. */
  readonly ahead?: boolean | undefined;
}

/**
 * Why a call is summarized, or is not. `requested`: an agent called `compactTool`. `cost`: it is cheaper than to go
 * on (`optimizeFor`). `price-step`: a longer prompt would cost more (`beyondPriceStep`). `ahead`: the summary is
 * prepared before it is due (`background`).
 */
export type TriggerReason =
  | 'disabled'
  | 'server-managed'
  | 'forced'
  | 'requested'
  | 'context-overflow'
  | 'fixed-overhead'
  | 'min-messages'
  | 'cooldown'
  | 'hysteresis'
  | 'max-depth'
  | 'token-ratio'
  | 'token-threshold'
  | 'price-step'
  | 'turn-threshold'
  | 'refresh'
  | 'cost'
  | 'ahead'
  | 'below-trigger';

/** Decision about one call, and its reason. */
export interface TriggerDecision {
  readonly act: 'none' | 'summarize' | 'emergency';
  readonly reason: TriggerReason;
  /** Whether a summary will be due soon, and is to be prepared beside the answer. */
  readonly ahead?: true | undefined;
}

/**
 * Decides whether to summarize. Pure: the same snapshot and policy give the same decision. In order:
 * disabled or managed by the provider, forced, emergency (the prompt does not fit), requested by the agent
 * (after the cooldown), too few messages, cooldown, not armed again since the last summarization, depth cap,
 * thresholds.
 */
export function decide(snapshot: TriggerSnapshot, policy: TriggerPolicy): TriggerDecision {
  const { tokens, limit, last, messageCount } = snapshot;
  if (snapshot.standAside !== undefined) return none(snapshot.standAside);

  const halted =
    last !== undefined && last.depth >= policy.maxSummaryChainDepth && policy.atMaxDepth === 'halt';
  if (snapshot.forced && !halted) return { act: 'summarize', reason: 'forced' };
  const trigger = triggerTokens(limit, policy);
  const isFixed = snapshot.fixedTokens >= trigger;
  // Messages that no summary can shorten may take the room of the answer.
  if (tokens >= (isFixed ? limit : (policy.keptTo ?? limit)))
    return { act: 'emergency', reason: 'context-overflow' };
  if (snapshot.forced) return none('max-depth');

  const newMessages = messageCount - (last?.messageCount ?? 0);
  const isCooling = last !== undefined && newMessages < policy.cooldownMessages;
  const requested = snapshot.requested === true && !halted;
  if (requested && !isCooling) return { act: 'summarize', reason: 'requested' };

  const { turnThreshold = Infinity, forceRefreshAfterMessages = Infinity } = policy;
  let other: TriggerReason | undefined = snapshot.pays === true ? 'cost' : undefined;
  if (newMessages >= forceRefreshAfterMessages) other = 'refresh';
  if (snapshot.newUserTurns >= turnThreshold) other = 'turn-threshold';
  if (tokens < trigger && other === undefined) {
    if (requested) return none('cooldown');
    const mayBeNear = policy.ahead === true && snapshot.isPrepared !== true;
    // Where there would be no summary at the trigger, none is near.
    const atTrigger = { ...snapshot, tokens: trigger, requested: false };
    const { soonAdded = Infinity } = snapshot;
    const near = Math.max(resetTokens(limit, policy), trigger - soonAdded);
    const isNear = mayBeNear && tokens >= near && decide(atTrigger, policy).act !== 'none';
    return isNear ? { ...none('below-trigger'), ahead: true } : none('below-trigger');
  }
  if (messageCount < policy.minMessages) return none('min-messages');
  if (isCooling) return none('cooldown');
  if (tokens >= trigger) {
    // Since the last summarization the prompt has to have grown by as much as trigger and target are apart, as it has
    // where that brought it below the target.
    const growth = trigger - resetTokens(limit, policy);
    const isGrown = tokens - (last?.tokenRatio ?? 0) * limit >= growth;
    if (isGrown && !isFixed) other = reasonOfSize(tokens, limit, policy);
    else if (other === undefined) return none(isFixed ? 'fixed-overhead' : 'hysteresis');
  }
  return halted || other === undefined ? none('max-depth') : { act: 'summarize', reason: other };
}

function none(reason: TriggerReason): TriggerDecision {
  return { act: 'none', reason };
}

function reasonOfSize(tokens: number, limit: number, policy: TriggerPolicy): TriggerReason {
  if (tokens >= limit * policy.triggerTokenRatio) return 'token-ratio';
  return tokens >= (policy.tokenThreshold ?? Infinity) ? 'token-threshold' : 'price-step';
}

/** Share of a price step at which a summary is due: the turns that follow it stay below. */
const shareOfStep = 0.9;

/** Tokens at which the ratio, the absolute threshold or a price step fires, whichever is lowest. */
export function triggerTokens(
  limit: number,
  {
    triggerTokenRatio,
    tokenThreshold = Infinity,
    priceStep = Infinity,
  }: Pick<TriggerPolicy, 'triggerTokenRatio' | 'tokenThreshold' | 'priceStep'>,
): number {
  return Math.min(limit * triggerTokenRatio, tokenThreshold, shareOfStep * priceStep);
}

/** Share of the trigger from which one of the next calls may have to be counted. */
const nearCountingShare = 0.7;

/** Tokens from which one of the next calls may have to be counted. */
export function nearTrigger(policy: TriggerPolicy & { readonly limit: number }): number {
  return nearCountingShare * triggerTokens(policy.limit, policy);
}

/** Tokens a summarization aims at: as far below the trigger as the two ratios are apart. */
export function resetTokens(limit: number, policy: TriggerPolicy): number {
  return triggerTokens(limit, policy) * (policy.resetTokenRatio / policy.triggerTokenRatio);
}

/**
 * The largest prompt over the limit for which a summary is not due again, for the case that a summary is undone.
 *
 * @param tokens - Size of the prompt without the summary.
 * @param tokensAfter - With it.
 */
export function ratioIfUndone(
  tokens: number,
  tokensAfter: number,
  policy: TriggerPolicy & { readonly limit: number },
): number {
  const { limit } = policy;
  const trigger = triggerTokens(limit, policy);
  const due = Math.max(trigger, tokensAfter + trigger - resetTokens(limit, policy));
  return (due + tokens - tokensAfter) / limit;
}
