import { describe, expect, it } from 'vitest';
import { fitRoom } from '../../../src/fitting/fit-room.ts';

describe('fitRoom', () => {
  it.each([
    [6000, 0, 22_738, { room: 5952, step: 512, growth: 302 }],
    [6000, 0, 22_782, { room: 5952, step: 512, growth: 258 }],
    [6000, 0, 23_041, { room: 5952, step: 512, growth: 511 }],
    [6000, 5000, 9000, { room: 992, step: 128, growth: 88 }],
    [10, 5, 100, { room: 5, step: 1, growth: 0 }],
  ])('of %i tokens less %i for a history of %i', (target, fixed, history, expected) => {
    expect(fitRoom(target, fixed, history)).toEqual(expected);
  });

  it('is none where the fixed part takes it all', () => {
    expect(fitRoom(1000, 1000, 500).room).toBeLessThanOrEqual(0);
    expect(fitRoom(1000, 1400, 500).room).toBeLessThanOrEqual(0);
  });

  it('is the same for targets that differ by little', () => {
    expect(fitRoom(6010, 0, 22_738)).toEqual(fitRoom(5960, 0, 22_738));
  });
});
