import { describe, expect, it } from 'vitest';
import type { CallFailure } from '../../../../src/strategies/models/classify-failure.ts';
import {
  mustWait,
  nextMove,
  type TurnStanding,
} from '../../../../src/strategies/models/next-move.ts';

/** One call has failed; the first of two models may be asked. */
const standing: TurnStanding = {
  isItsTurn: true,
  hasNext: true,
  msLeft: 1000,
  failures: 1,
  running: 1,
  isWorking: false,
};
const passing: CallFailure = { outcome: 'transport-error', retry: 'soon', detail: 'HTTP 500' };
const overflow = { isUnexplained: true };
const came = {
  answer: { outcome: 'ok' },
  unusable: { outcome: 'invalid-output', detail: 'no text' },
  tooLong: { outcome: 'transport-error', retry: 'never', detail: 'too long', overflow },
  passing,
  passingIn: { ...passing, retryAfterMs: 40 },
  later: { ...passing, retry: 'later' },
  never: { ...passing, retry: 'never' },
} as const satisfies Record<string, { readonly outcome: 'ok' } | CallFailure>;

const answer = { to: 'answer' };
const giveUp = { to: 'give-up' };
const nextModel = { to: 'next-model' };
const shorten = { to: 'shorten', refused: overflow };

describe('nextMove', () => {
  it.each<[keyof typeof came, number, Partial<TurnStanding>, unknown]>([
    ['answer', 1, {}, answer],
    ['answer', 2, { isItsTurn: false, failures: 3 }, answer],
    ['unusable', 1, {}, giveUp],
    ['unusable', 1, { isItsTurn: false }, giveUp],
    ['tooLong', 1, {}, shorten],
    ['tooLong', 2, { hasNext: false }, shorten],
    ['tooLong', 1, { isItsTurn: false }, nextModel],
    ['tooLong', 1, { failures: 3 }, nextModel],
    ['passing', 1, {}, { to: 'retry', afterMs: 250 }],
    ['passing', 1, { failures: 2 }, { to: 'retry', afterMs: 500 }],
    ['passing', 1, { hasNext: false }, { to: 'retry', afterMs: 250 }],
    ['passingIn', 1, { failures: 2 }, { to: 'retry', afterMs: 40 }],
    ['passingIn', 1, { msLeft: 40 }, { to: 'retry', afterMs: 40 }],
    ['passingIn', 1, { msLeft: 39 }, nextModel],
    ['passing', 2, {}, nextModel],
    ['passing', 1, { isItsTurn: false }, nextModel],
    ['passing', 1, { failures: 3 }, nextModel],
    ['later', 1, {}, nextModel],
    ['never', 1, {}, nextModel],
  ])('%s at call %i with %j: %j', (what, attempt, given, expected) => {
    expect(nextMove(came[what], attempt, { ...standing, ...given })).toEqual(expected);
  });
});

describe('mustWait', () => {
  it.each<[string, Partial<TurnStanding>, boolean]>([
    ['the first call', { failures: 0, running: 0 }, false],
    ['a second one while there is another model', { failures: 0, running: 1 }, true],
    ['a third one of the last model', { hasNext: false, failures: 0, running: 2 }, false],
    ['a fourth one of the last model', { hasNext: false, failures: 0, running: 3 }, true],
    ['any number once calls are answered', { isWorking: true, failures: 0, running: 90 }, false],
    ['a second one after a failure', { isWorking: true, failures: 1, running: 1 }, false],
    ['a third one after a failure', { isWorking: true, failures: 1, running: 2 }, true],
    ['a second one after two failures', { isWorking: true, failures: 2, running: 1 }, true],
  ])('%s: %j waits: %s', (_, given, waits) => {
    expect(mustWait({ ...standing, ...given })).toBe(waits);
  });
});
