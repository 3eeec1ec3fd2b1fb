import { describe, expect, it } from 'vitest';
import { isCheaperLater } from '../../../src/planning/is-cheaper-later.ts';

const step = [{ role: 'assistant' }, { role: 'tool' }] as const;
const messages = [...step, ...step, ...step];

interface Sizes {
  readonly resent?: number;
  readonly growth?: number;
}

/** Ten calls since the last time; now each of them costs (1,200 + 0.1 x 1,500) / 10 = 135. */
function choose(leaving: readonly number[], given: Sizes = {}): boolean {
  return isCheaperLater({
    messages,
    recentStart: 0,
    end: messages.length,
    freed: (start, end) =>
      leaving.slice(start / 2, end / 2).reduce((total, tokens) => total + tokens, 0),
    spare: 1500,
    held: 1500,
    resent: 1200,
    calls: 10,
    growth: 0,
    read: 0.1,
    rewrite: 1,
    ...given,
  });
}

describe('isCheaperLater', () => {
  it.each<[string, boolean, readonly number[], Sizes?]>([
    ['not where the next calls cost more than the mean', false, [0, 0, 0]],
    ['where they cost less', true, [0, 0, 0], { resent: 1400 }],
    ['not where what they add is sent anew too', false, [0, 0, 0], { resent: 1400, growth: 10 }],
    ['where a large output leaves with the next call', true, [1000, 0, 0]],
    ['where it leaves three calls later', true, [0, 0, 1000]],
    ['not where what leaves is little', false, [16, 0, 0]],
    ['where it is a little more', true, [20, 0, 0]],
  ])('says so %s', (_where, later, leaving, given) => {
    expect(choose(leaving, given)).toBe(later);
  });
});
