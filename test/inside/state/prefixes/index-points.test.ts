import { describe, expect, it } from 'vitest';
import { readPoints, writtenPoints } from '../../../../src/state/prefixes/index-points.ts';

const counts = Array.from({ length: 600 }, (_, index) => index + 2);

describe('the points at which records are listed', () => {
  it('are asked for by whoever has a message more, up to a third more', () => {
    for (const count of counts)
      for (const most of [count, Math.floor(count * 1.3)])
        expect(readPoints(most).some((point) => writtenPoints(count).includes(point))).toBe(true);
  });

  it('are asked for from far behind, up to eight times as many messages', () => {
    for (const count of counts)
      for (let most = count; most <= 8 * count; most += Math.ceil(count / 3))
        expect(readPoints(most).some((point) => writtenPoints(count).includes(point))).toBe(true);
  });

  it('are ten at most, and never beyond the messages there are', () => {
    for (const most of [...counts, 10_000, 1_000_000]) {
      expect(readPoints(most).length).toBeLessThanOrEqual(10);
      expect(Math.max(...readPoints(most))).toBeLessThanOrEqual(most);
    }
    expect(readPoints(1)).toEqual([]);
  });
});
