import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decide,
  targetTokens,
  triggerTokens,
  type TriggerPolicy,
  type TriggerReason,
  type TriggerSnapshot,
} from '../../src/trigger/decide.ts';

const policy: TriggerPolicy = {
  triggerTokenRatio: 0.8,
  resetTokenRatio: 0.7,
  minMessages: 12,
  cooldownMessages: 4,
  maxSummaryChainDepth: 3,
  atMaxDepth: 'rebase',
};
const halting: TriggerPolicy = { ...policy, atMaxDepth: 'halt' };
const snapshot: TriggerSnapshot = {
  forced: false,
  tokens: 850,
  fixedTokens: 50,
  limit: 1000,
  messageCount: 30,
  newUserTurns: 3,
};
const last = { depth: 0, messageCount: 20, tokenRatio: 0.4 };
const deepest = { ...last, depth: 3 };

interface Case {
  readonly name: string;
  readonly snapshot?: Partial<TriggerSnapshot>;
  readonly policy?: Partial<TriggerPolicy>;
  readonly act: 'none' | 'summarize' | 'emergency';
  readonly reason: TriggerReason;
}

const everything: Partial<TriggerSnapshot> = { forced: true, tokens: 1200, messageCount: 1, last };

const cases: readonly Case[] = [
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
    name: 'below the absolute threshold',
    snapshot: { tokens: 299 },
    policy: { tokenThreshold: 300 },
    act: 'none',
    reason: 'below-trigger',
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
    name: 'with an absolute threshold, armed by its own target',
    snapshot: { tokens: 300, last: { ...last, tokenRatio: 0.29 } },
    policy: { tokenThreshold: 300 },
    act: 'none',
    reason: 'hysteresis',
  },
];

describe('decide', () => {
  it.each(cases)('$name: $act, $reason', (row) => {
    expect(decide({ ...snapshot, ...row.snapshot }, { ...policy, ...row.policy })).toEqual({
      act: row.act,
      reason: row.reason,
    });
  });

  const snapshots = fc.record({
    forced: fc.constant(false),
    tokens: fc.integer({ min: 300, max: 1200 }),
    fixedTokens: fc.constant(0),
    limit: fc.constant(1000),
    messageCount: fc.integer({ min: 5, max: 60 }),
    newUserTurns: fc.integer({ min: 0, max: 20 }),
    last: fc.option(
      fc.record({
        depth: fc.nat(4),
        messageCount: fc.integer({ min: 0, max: 40 }),
        tokenRatio: fc.double({ min: 0.3, max: 1, noNaN: true }),
      }),
      { nil: undefined },
    ),
  });
  const policies = fc.record({
    triggerTokenRatio: fc.constantFrom(0.5, 0.8, 1),
    resetTokenRatio: fc.constantFrom(0.2, 0.45),
    tokenThreshold: fc.option(fc.integer({ min: 1, max: 1200 }), { nil: undefined }),
    turnThreshold: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
    forceRefreshAfterMessages: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    minMessages: fc.constantFrom(0, 12),
    cooldownMessages: fc.constantFrom(0, 4),
    maxSummaryChainDepth: fc.nat(3),
    atMaxDepth: fc.constantFrom('rebase', 'halt'),
  });

  it('never acts on fewer tokens where it would not on more', () => {
    fc.assert(
      fc.property(snapshots, policies, fc.nat(600), (given, thresholds, more) => {
        const acts = (tokens: number): boolean =>
          decide({ ...given, tokens }, thresholds).act !== 'none';
        if (acts(given.tokens)) expect(acts(given.tokens + more)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('acts whenever the prompt does not fit', () => {
    fc.assert(
      fc.property(snapshots, policies, (given, thresholds) => {
        fc.pre(given.tokens >= given.limit);
        expect(decide(given, thresholds).act).toBe('emergency');
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same answer to the same question', () => {
    expect(decide(snapshot, halting)).toEqual(decide({ ...snapshot }, { ...halting }));
  });
});

describe('triggerTokens and targetTokens', () => {
  it.each([
    { trigger: 0.8, reset: 0.7, threshold: undefined, fires: 800, aims: 700 },
    { trigger: 0.8, reset: 0.4, threshold: 200, fires: 200, aims: 100 },
    { trigger: 0.5, reset: 0.25, threshold: 900, fires: 500, aims: 250 },
  ])('$trigger with $threshold fires at $fires and aims at $aims', (row) => {
    const thresholds: TriggerPolicy = {
      ...policy,
      triggerTokenRatio: row.trigger,
      resetTokenRatio: row.reset,
      tokenThreshold: row.threshold,
    };
    expect(triggerTokens(1000, thresholds)).toBeCloseTo(row.fires);
    expect(targetTokens(1000, thresholds)).toBeCloseTo(row.aims);
  });
});
