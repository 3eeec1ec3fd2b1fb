import type { TriggerPolicy, TriggerSnapshot } from '../../../src/planning/decide.ts';
import type { TriggerReason } from '../../../src/index.ts';

/** The default thresholds. */
export const policy: TriggerPolicy = {
  triggerTokenRatio: 0.8,
  resetTokenRatio: 0.7,
  minMessages: 12,
  cooldownMessages: 4,
  maxSummaryChainDepth: 3,
  atMaxDepth: 'rebase',
};
/** A call that is due for its first summary. */
export const snapshot: TriggerSnapshot = {
  forced: false,
  tokens: 850,
  fixedTokens: 50,
  limit: 1000,
  messageCount: 30,
  newUserTurns: 3,
};
const last = { depth: 0, messageCount: 20, tokenRatio: 0.4 };
const deepest = { ...last, depth: 3 };

/** A call and what is decided about it. */
export interface DecisionCase {
  readonly name: string;
  readonly snapshot?: Partial<TriggerSnapshot>;
  readonly policy?: Partial<TriggerPolicy>;
  readonly act: 'none' | 'summarize' | 'emergency';
  readonly reason: TriggerReason;
}

const everything: Partial<TriggerSnapshot> = { forced: true, tokens: 1200, messageCount: 1, last };

/** Every reason, and what goes before what. */
export const decisionCases: readonly DecisionCase[] = [
  // What goes before what: each row would be decided by the next one, too.
  {
    name: 'disabled before all else',
    snapshot: { ...everything, standAside: 'disabled' },
    act: 'none',
    reason: 'disabled',
  },
  {
    name: 'managed by the provider',
    snapshot: { ...everything, standAside: 'server-managed' },
    act: 'none',
    reason: 'server-managed',
  },
  {
    name: 'forced, although it does not fit',
    snapshot: everything,
    act: 'summarize',
    reason: 'forced',
  },
  {
    name: 'forced below the trigger, with few messages',
    snapshot: { forced: true, tokens: 10, messageCount: 2 },
    act: 'summarize',
    reason: 'forced',
  },
  {
    name: 'not fitting, with few messages in the cooldown',
    snapshot: { ...everything, forced: false },
    act: 'emergency',
    reason: 'context-overflow',
  },
  {
    name: 'not fitting, not armed',
    snapshot: { tokens: 1000, last: { ...last, tokenRatio: 0.99 } },
    act: 'emergency',
    reason: 'context-overflow',
  },
  {
    name: 'not fitting, halted',
    snapshot: { tokens: 1000, last: deepest },
    policy: { atMaxDepth: 'halt' },
    act: 'emergency',
    reason: 'context-overflow',
  },
  {
    name: 'forced, halted',
    snapshot: { forced: true, last: deepest },
    policy: { atMaxDepth: 'halt' },
    act: 'none',
    reason: 'max-depth',
  },
  {
    name: 'forced below the trigger, halted',
    snapshot: { forced: true, tokens: 10, last: deepest },
    policy: { atMaxDepth: 'halt' },
    act: 'none',
    reason: 'max-depth',
  },
  {
    name: 'forced for the first time, where the depth cap halts',
    snapshot: { forced: true },
    policy: { atMaxDepth: 'halt' },
    act: 'summarize',
    reason: 'forced',
  },
  {
    name: 'forced one below the depth cap, where that halts',
    snapshot: { forced: true, last: { ...last, depth: 2 } },
    policy: { atMaxDepth: 'halt' },
    act: 'summarize',
    reason: 'forced',
  },
  {
    name: 'requested by the agent, below the trigger, with few messages',
    snapshot: { requested: true, tokens: 10, messageCount: 5 },
    act: 'summarize',
    reason: 'requested',
  },
  {
    name: 'requested, not fitting',
    snapshot: { requested: true, tokens: 1000 },
    act: 'emergency',
    reason: 'context-overflow',
  },
  {
    name: 'requested below the trigger, in the cooldown',
    snapshot: { requested: true, tokens: 10, last: { ...last, messageCount: 27 } },
    act: 'none',
    reason: 'cooldown',
  },
  {
    name: 'requested, halted, below the trigger',
    snapshot: { requested: true, tokens: 10, last: deepest },
    policy: { atMaxDepth: 'halt' },
    act: 'none',
    reason: 'below-trigger',
  },
  {
    name: 'too few messages',
    snapshot: { messageCount: 11, last: { ...last, messageCount: 10 } },
    act: 'none',
    reason: 'min-messages',
  },
  {
    name: 'in the cooldown',
    snapshot: { last: { ...last, messageCount: 27, tokenRatio: 0.9 } },
    act: 'none',
    reason: 'cooldown',
  },
  {
    name: 'nothing to shorten',
    snapshot: { fixedTokens: 800, last: { ...last, tokenRatio: 0.9 } },
    act: 'none',
    reason: 'fixed-overhead',
  },
  {
    name: 'not armed again',
    snapshot: { last: { ...deepest, tokenRatio: 0.76 } },
    policy: { atMaxDepth: 'halt' },
    act: 'none',
    reason: 'hysteresis',
  },
  {
    name: 'halted at the depth cap',
    snapshot: { last: deepest },
    policy: { atMaxDepth: 'halt' },
    act: 'none',
    reason: 'max-depth',
  },
  {
    name: 'rebased at the depth cap',
    snapshot: { last: deepest },
    act: 'summarize',
    reason: 'token-ratio',
  },
  // The triggers.
  { name: 'at the ratio', snapshot: { tokens: 800 }, act: 'summarize', reason: 'token-ratio' },
  { name: 'just below the ratio', snapshot: { tokens: 799 }, act: 'none', reason: 'below-trigger' },
  {
    name: 'at the absolute threshold',
    snapshot: { tokens: 300 },
    policy: { tokenThreshold: 300 },
    act: 'summarize',
    reason: 'token-threshold',
  },
  {
    name: 'after enough user turns',
    snapshot: { tokens: 10 },
    policy: { turnThreshold: 3 },
    act: 'summarize',
    reason: 'turn-threshold',
  },
  {
    name: 'after too few user turns',
    snapshot: { tokens: 10 },
    policy: { turnThreshold: 4 },
    act: 'none',
    reason: 'below-trigger',
  },
  {
    name: 'due for a refresh',
    snapshot: { tokens: 10, last },
    policy: { forceRefreshAfterMessages: 10 },
    act: 'summarize',
    reason: 'refresh',
  },
  {
    name: 'not yet due for a refresh',
    snapshot: { tokens: 10, last },
    policy: { forceRefreshAfterMessages: 11 },
    act: 'none',
    reason: 'below-trigger',
  },
  // The edges of the brakes.
  {
    name: 'with the least number of messages',
    snapshot: { messageCount: 12 },
    act: 'summarize',
    reason: 'token-ratio',
  },
  {
    name: 'at the end of the cooldown',
    snapshot: { last: { ...last, messageCount: 26 } },
    act: 'summarize',
    reason: 'token-ratio',
  },
  {
    name: 'without a cooldown before the first summary',
    snapshot: { messageCount: 3 },
    policy: { minMessages: 1 },
    act: 'summarize',
    reason: 'token-ratio',
  },
  {
    name: 'armed by growth as large as trigger and target are apart',
    snapshot: { tokens: 625, last: { ...last, tokenRatio: 0.375 } },
    policy: { triggerTokenRatio: 0.5, resetTokenRatio: 0.25 },
    act: 'summarize',
    reason: 'token-ratio',
  },
  {
    name: 'not armed by less growth than that',
    snapshot: { tokens: 624, last: { ...last, tokenRatio: 0.375 } },
    policy: { triggerTokenRatio: 0.5, resetTokenRatio: 0.25 },
    act: 'none',
    reason: 'hysteresis',
  },
  {
    name: 'armed by a summary that reached its target',
    snapshot: { tokens: 800, last: { ...last, tokenRatio: 0.69 } },
    act: 'summarize',
    reason: 'token-ratio',
  },
  {
    name: 'armed by growth since a summary that did not',
    snapshot: { tokens: 861, last: { ...last, tokenRatio: 0.76 } },
    act: 'summarize',
    reason: 'token-ratio',
  },
  {
    name: 'with an absolute threshold, not armed by its own target',
    snapshot: { tokens: 300, last: { ...last, tokenRatio: 0.29 } },
    policy: { tokenThreshold: 300 },
    act: 'none',
    reason: 'hysteresis',
  },
];
