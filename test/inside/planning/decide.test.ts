import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/planning/decide.ts';
import { decisionCases, policy, snapshot } from './decision-cases.ts';

const last = { depth: 0, messageCount: 20, tokenRatio: 0.4 };

describe('decide', () => {
  it.each(decisionCases)('$name: $act, $reason', (row) => {
    expect(decide({ ...snapshot, ...row.snapshot }, { ...policy, ...row.policy })).toEqual({
      act: row.act,
      reason: row.reason,
    });
  });

  it.each([
    { name: 'from the target on', tokens: 700, ahead: true },
    { name: 'not below it', tokens: 699, ahead: undefined },
    { name: 'not where summaries are not prepared', tokens: 700, background: false },
    { name: 'not while one is prepared or written', tokens: 700, given: { isPrepared: true } },
    { name: 'not for few messages', tokens: 700, given: { messageCount: 11 } },
    { name: 'not soon after another', tokens: 700, given: { last, messageCount: 23 } },
    {
      name: 'when it has cooled down',
      tokens: 700,
      given: { last, messageCount: 24 },
      ahead: true,
    },
    {
      name: 'not before the trigger would fire',
      tokens: 799,
      given: { last: { ...last, tokenRatio: 0.75 } },
    },
    {
      name: 'not beside a prompt that is too large by itself',
      tokens: 799,
      given: { fixedTokens: 800 },
    },
  ])('prepares a summary $name', ({ tokens, given, background = true, ahead }) => {
    const decision = decide({ ...snapshot, tokens, ...given }, { ...policy, ahead: background });
    expect(decision).toEqual({ act: 'none', reason: 'below-trigger', ahead });
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
        fc.pre(acts(given.tokens));
        expect(acts(given.tokens + more)).toBe(true);
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
    );
  });
});
