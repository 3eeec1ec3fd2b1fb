import { describe, expect, it } from 'vitest';
import type { TriggerReason } from '../../../../src/index.ts';
import {
  decide,
  ratioIfUndone,
  type TriggerPolicy,
  type TriggerSnapshot,
} from '../../../../src/planning/plan/decide.ts';

/** The default thresholds. */
const policy: TriggerPolicy = {
  triggerTokenRatio: 0.8,
  resetTokenRatio: 0.7,
  minMessages: 12,
  cooldownMessages: 4,
  maxSummaryChainDepth: 3,
  atMaxDepth: 'rebase',
};
/** A call that is due for its first summary. */
const snapshot: TriggerSnapshot = {
  forced: false,
  tokens: 850,
  fixedTokens: 50,
  limit: 1000,
  messageCount: 30,
  newUserTurns: 3,
};
/** What was decided for the summary before; it stood for 20 messages, and left 0.4 of the limit. */
const last = (more: Partial<NonNullable<TriggerSnapshot['last']>> = {}) => ({
  last: { depth: 0, messageCount: 20, tokenRatio: 0.4, ...more },
});

const forced = { forced: true };
const small = { tokens: 10 };
const cheaper = { ...small, pays: true };
const full = { tokens: 1000 };
const all: Partial<TriggerSnapshot> = { ...forced, tokens: 1200, messageCount: 1, ...last() };
const halt: Partial<TriggerPolicy> = { atMaxDepth: 'halt' };
const deepest = last({ depth: 3 });
const half: Partial<TriggerPolicy> = { triggerTokenRatio: 0.5, resetTokenRatio: 0.25 };
const low: Partial<TriggerPolicy> = { tokenThreshold: 300 };
const requested = { requested: true };
const fixed = { fixedTokens: 800 };
const recent = last({ messageCount: 27, tokenRatio: 0.9 });

type Act = 'none' | 'summarize' | 'emergency';
type Row = [string, Partial<TriggerSnapshot>, Partial<TriggerPolicy>, TriggerReason];

const due =
  'forced requested token-ratio token-threshold price-step turn-threshold refresh cost'.split(' ');

const order: readonly Act[] = ['none', 'summarize', 'emergency'];

function actOf(reason: TriggerReason): Act {
  if (reason === 'context-overflow') return 'emergency';
  return due.includes(reason) ? 'summarize' : 'none';
}

describe('decide', () => {
  it.each<Row>([
    // What goes before what: each row would be decided by the next one, too.
    ['disabled before all else', { ...all, standAside: 'disabled' }, {}, 'disabled'],
    ['managed by the provider', { ...all, standAside: 'server-managed' }, {}, 'server-managed'],
    ['forced, although it does not fit', all, {}, 'forced'],
    ['forced, with few messages', { ...forced, ...small, messageCount: 2 }, {}, 'forced'],
    ['not fitting, not armed', { ...full, ...last({ tokenRatio: 0.99 }) }, {}, 'context-overflow'],
    ['forced, halted', { ...forced, ...deepest }, halt, 'max-depth'],
    ['forced below the trigger, halted', { ...forced, ...small, ...deepest }, halt, 'max-depth'],
    ['forced for the first time', forced, halt, 'forced'],
    ['forced one below the cap', { ...forced, ...last({ depth: 2 }) }, halt, 'forced'],
    ['requested, few messages', { ...requested, ...small, messageCount: 5 }, {}, 'requested'],
    ['requested, not fitting', { ...requested, ...full }, {}, 'context-overflow'],
    ['requested in the cooldown', { ...requested, ...small, ...recent }, {}, 'cooldown'],
    ['requested, halted', { ...requested, ...small, ...deepest }, halt, 'below-trigger'],
    ['few messages', { messageCount: 11, ...last({ messageCount: 10 }) }, {}, 'min-messages'],
    ['in the cooldown', recent, {}, 'cooldown'],
    ['nothing to shorten', { ...fixed, ...last({ tokenRatio: 0.9 }) }, {}, 'fixed-overhead'],
    ['not armed again', last({ depth: 3, tokenRatio: 0.76 }), halt, 'hysteresis'],
    ['halted at the depth cap', deepest, halt, 'max-depth'],
    ['rebased at the depth cap', deepest, {}, 'token-ratio'],
    // The triggers.
    ['at the ratio', { tokens: 800 }, {}, 'token-ratio'],
    ['just below the ratio', { tokens: 799 }, {}, 'below-trigger'],
    ['at the absolute threshold', { tokens: 300 }, low, 'token-threshold'],
    ['below a price step', { tokens: 539 }, { priceStep: 600 }, 'below-trigger'],
    ['near a price step', { tokens: 540 }, { priceStep: 600 }, 'price-step'],
    ['at a threshold below a step', { tokens: 540 }, { ...low, priceStep: 600 }, 'token-threshold'],
    ['at the ratio, whatever the step', { tokens: 800 }, { priceStep: 600 }, 'token-ratio'],
    ['where a summary is cheaper', cheaper, {}, 'cost'],
    ['cheaper, with few messages', { ...cheaper, messageCount: 11 }, {}, 'min-messages'],
    ['cheaper, in the cooldown', { ...cheaper, ...recent }, {}, 'cooldown'],
    ['after enough user turns', small, { turnThreshold: 3 }, 'turn-threshold'],
    ['due for a refresh', { ...small, ...last() }, { forceRefreshAfterMessages: 10 }, 'refresh'],
    // The edges of the brakes.
    ['with the least number of messages', { messageCount: 12 }, {}, 'token-ratio'],
    ['at the end of the cooldown', last({ messageCount: 26 }), {}, 'token-ratio'],
    ['without a cooldown before the first', { messageCount: 3 }, { minMessages: 1 }, 'token-ratio'],
    ['armed by growth', { tokens: 625, ...last({ tokenRatio: 0.375 }) }, half, 'token-ratio'],
    ['armed at the target', { tokens: 800, ...last({ tokenRatio: 0.69 }) }, {}, 'token-ratio'],
    ['armed behind it', { tokens: 861, ...last({ tokenRatio: 0.76 }) }, {}, 'token-ratio'],
    ['not armed again', { tokens: 300, ...last({ tokenRatio: 0.29 }) }, low, 'hysteresis'],
  ])('%s', (_name, given, thresholds, reason) => {
    const decision = decide({ ...snapshot, ...given }, { ...policy, ...thresholds });
    expect(decision).toEqual({ act: actOf(reason), reason });
  });

  it.each<[string, Partial<TriggerSnapshot>, boolean, true | undefined]>([
    ['from the target on', { tokens: 700 }, true, true],
    ['from two turns before it is due', { tokens: 740, soonAdded: 60 }, true, true],
    ['not before', { tokens: 739, soonAdded: 60 }, true, undefined],
    [
      'not before the target where turns are long',
      { tokens: 699, soonAdded: 400 },
      true,
      undefined,
    ],
    ['not where summaries are not prepared', { tokens: 700 }, false, undefined],
    ['not while one is prepared', { tokens: 700, isPrepared: true }, true, undefined],
    ['when it has cooled down', { tokens: 700, ...last(), messageCount: 24 }, true, true],
    ['not before it is armed', { tokens: 799, ...last({ tokenRatio: 0.75 }) }, true, undefined],
    ['not beside what is too large by itself', { tokens: 799, ...fixed }, true, undefined],
  ])('prepares a summary %s', (_name, given, background, ahead) => {
    const decision = decide({ ...snapshot, ...given }, { ...policy, ahead: background });
    expect(decision).toEqual({ act: 'none', reason: 'below-trigger', ahead });
  });

  it.each<[string, number, number, Partial<TriggerPolicy>, number]>([
    ['what leads to the trigger', 850, 300, {}, 1.35],
    ['what arms it again, behind a summary that left much', 900, 750, {}, 1],
    ['what leads to the absolute threshold', 400, 100, low, 0.6],
  ])('takes a prompt without its summary by %s', (_name, before, after, thresholds, ratio) => {
    const found = ratioIfUndone(before, after, { ...policy, ...thresholds, limit: 1000 });
    expect(found).toBeCloseTo(ratio, 9);
  });

  it('acts whenever the prompt does not fit, and never on fewer tokens where not on more', () => {
    const sizes = Array.from({ length: 60 }, (_, index) => 300 + 15 * index);
    const policies = [{}, half, low, halt, { turnThreshold: 3 }, { forceRefreshAfterMessages: 10 }];
    for (const thresholds of policies)
      for (const messageCount of [5, 22, 40])
        for (const before of [{}, last(), last({ depth: 3, tokenRatio: 0.7 }), recent]) {
          const given = { ...snapshot, ...before, messageCount };
          const acts = sizes.map(
            (tokens) => decide({ ...given, tokens }, { ...policy, ...thresholds }).act,
          );
          expect(acts).toEqual(
            acts.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)),
          );
          expect(acts.indexOf('emergency')).toBe(sizes.findIndex((tokens) => tokens >= 1000));
        }
  });
});
