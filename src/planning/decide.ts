import type { SizeInterval } from '../sizing/size-call.ts';

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
  /** User messages since the last summarisation. */
  readonly newUserTurns: number;
  /** Whether the next summary is prepared, or being written. */
  readonly isPrepared?: boolean | undefined;
  /** Whether a summary now is cheaper than to go on without; asked with `optimizeFor: 'cost'` alone. */
  readonly pays?: boolean | undefined;
  /** The last summarisation of this conversation. */
  readonly last?:
    | { readonly depth: number; readonly messageCount: number; readonly tokenRatio: number }
    | undefined;
}

/** The thresholds of one model; see the options of the same names. */
export interface TriggerPolicy {
  readonly triggerTokenRatio: number;
  readonly resetTokenRatio: number;
  readonly tokenThreshold?: number | undefined;
  readonly turnThreshold?: number | undefined;
  readonly minMessages: number;
  readonly cooldownMessages: number;
  readonly forceRefreshAfterMessages?: number | undefined;
  readonly maxSummaryChainDepth: number;
  readonly atMaxDepth: 'rebase' | 'halt';
  /** Whether summaries are prepared before they are due. */
  readonly ahead?: boolean | undefined;
}

/**
 * Why a call is summarised, or is not. `requested`: an agent called `compactTool`. `cost`: it is cheaper than to go
 * on (`optimizeFor`). `ahead`: the summary is prepared before it is due (`background`).
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
  | 'turn-threshold'
  | 'refresh'
  | 'cost'
  | 'ahead'
  | 'below-trigger';

/** What to do with one call, and why. */
export interface TriggerDecision {
  readonly act: 'none' | 'summarize' | 'emergency';
  readonly reason: TriggerReason;
  /** Whether a summary will be due soon, and is to be prepared beside the answer. */
  readonly ahead?: true | undefined;
}

/**
 * Decides whether to summarise. Pure: the same snapshot and policy give the same decision. In order:
 * disabled or managed by the provider, forced, emergency (the prompt does not fit), requested by the agent
 * (after the cooldown), too few messages, cooldown, not armed again since the last summarisation, depth cap,
 * thresholds.
 */
export function decide(snapshot: TriggerSnapshot, policy: TriggerPolicy): TriggerDecision {
  const { tokens, limit, last, messageCount } = snapshot;
  if (snapshot.standAside !== undefined) return none(snapshot.standAside);

  const halted =
    last !== undefined && last.depth >= policy.maxSummaryChainDepth && policy.atMaxDepth === 'halt';
  if (snapshot.forced && !halted) return { act: 'summarize', reason: 'forced' };
  if (tokens >= limit) return { act: 'emergency', reason: 'context-overflow' };
  if (snapshot.forced) return none('max-depth');

  const newMessages = messageCount - (last?.messageCount ?? 0);
  const isCooling = last !== undefined && newMessages < policy.cooldownMessages;
  const requested = snapshot.requested === true && !halted;
  if (requested && !isCooling) return { act: 'summarize', reason: 'requested' };
  const fired = firedThresholds(snapshot, policy, newMessages);
  if (fired.length === 0 && requested) return none('cooldown');
  if (fired.length === 0) return nothingYet(snapshot, policy);
  if (messageCount < policy.minMessages) return none('min-messages');
  if (isCooling) return none('cooldown');
  const blocked = blockedBySize(snapshot, policy);
  const reason = fired.find((each) => blocked === undefined || !sizeReasons.has(each));
  if (reason === undefined) return none(blocked ?? 'below-trigger');
  return halted ? none('max-depth') : { act: 'summarize', reason };
}

/** Tokens at which the ratio or the absolute threshold fires, whichever is lower. */
export function triggerTokens(limit: number, policy: TriggerPolicy): number {
  return Math.min(
    limit * policy.triggerTokenRatio,
    policy.tokenThreshold ?? Number.POSITIVE_INFINITY,
  );
}

/** Tokens a summarisation aims at: as far below the trigger as the two ratios are apart. */
export function resetTokens(limit: number, policy: TriggerPolicy): number {
  return triggerTokens(limit, policy) * (policy.resetTokenRatio / policy.triggerTokenRatio);
}

/** A call that is below the trigger: whether a summary is prepared before it is due. */
function nothingYet(snapshot: TriggerSnapshot, policy: TriggerPolicy): TriggerDecision {
  const { tokens, limit } = snapshot;
  const isAhead =
    policy.ahead === true && snapshot.isPrepared !== true && tokens >= resetTokens(limit, policy);
  if (!isAhead) return none('below-trigger');
  const atTrigger = { ...snapshot, tokens: triggerTokens(limit, policy), requested: false };
  // Where there would be no summary at the trigger, none is near.
  if (decide(atTrigger, policy).act === 'none') return none('below-trigger');
  return { ...none('below-trigger'), ahead: true };
}

function none(reason: TriggerReason): TriggerDecision {
  return { act: 'none', reason };
}

function firedThresholds(
  { tokens, limit, newUserTurns, pays = false }: TriggerSnapshot,
  policy: TriggerPolicy,
  newMessages: number,
): readonly TriggerReason[] {
  const thresholds: readonly (readonly [TriggerReason, number, number | undefined])[] = [
    ['token-ratio', tokens, limit * policy.triggerTokenRatio],
    ['token-threshold', tokens, policy.tokenThreshold],
    ['turn-threshold', newUserTurns, policy.turnThreshold],
    ['refresh', newMessages, policy.forceRefreshAfterMessages],
    ['cost', Number(pays), 1],
  ];
  return thresholds.flatMap(([reason, value, threshold]) =>
    threshold !== undefined && value >= threshold ? [reason] : [],
  );
}

const sizeReasons: ReadonlySet<TriggerReason> = new Set(['token-ratio', 'token-threshold']);

/**
 * Why the size of a prompt beyond the trigger is no reason to summarise, if so. Hysteresis: since the last
 * summarisation the prompt has to have grown by as much as trigger and target are apart, as it has where
 * that brought it below the target.
 */
function blockedBySize(
  { tokens, fixedTokens, limit, last }: TriggerSnapshot,
  policy: TriggerPolicy,
): 'fixed-overhead' | 'hysteresis' | undefined {
  const trigger = triggerTokens(limit, policy);
  if (fixedTokens >= trigger) return 'fixed-overhead';
  const growth = tokens - (last?.tokenRatio ?? 0) * limit;
  return growth >= trigger - resetTokens(limit, policy) ? undefined : 'hysteresis';
}

/**
 * Decides on a call as soon as its size is known well enough: no more of the intervals is asked for. The
 * last of them is decided on as it stands.
 *
 * @param sizes - Ever narrower intervals, one at the least.
 */
export async function decideBySize(
  sizes: AsyncIterable<SizeInterval>,
  snapshot: Omit<TriggerSnapshot, 'tokens' | 'fixedTokens'>,
  policy: TriggerPolicy,
): Promise<{ readonly decision: TriggerDecision; readonly size: SizeInterval }> {
  let last: Awaited<ReturnType<typeof decideBySize>> | undefined;
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

/**
 * What the whole prompt can have at most while a summary of it is not due again, over the limit: what is kept for the
 * case that a summary is undone.
 *
 * @param tokens - Of the prompt without the summary.
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
