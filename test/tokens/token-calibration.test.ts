import { describe, expect, it } from 'vitest';
import { observedMultiplier, tokenCalibration } from '../../src/tokens/token-calibration.ts';

const model = 'anthropic:claude';

describe('tokenCalibration', () => {
  it('starts where it is told', () => {
    expect(tokenCalibration().multiplier(model, 1.35)).toBe(1.35);
  });

  it('moves to what is observed in small steps', () => {
    const calibration = tokenCalibration();
    const observed = { counted: 10_000, reported: 17_000 };
    calibration.learn(model, 1.35, observed);
    expect(calibration.multiplier(model, 1.35)).toBeCloseTo(1.42);
    for (let call = 0; call < 30; call += 1) calibration.learn(model, 1.35, observed);
    expect(calibration.multiplier(model, 1.35)).toBeCloseTo(1.7, 2);
  });

  it.each([
    [100_000, 2],
    [10, 0.5],
  ])('stays within half and twice the start when %d tokens are reported', (reported, limit) => {
    const calibration = tokenCalibration();
    for (let call = 0; call < 100; call += 1)
      calibration.learn(model, 1, { counted: 10_000, reported });
    expect(calibration.multiplier(model, 1)).toBeCloseTo(limit, 5);
    expect(observedMultiplier(1, { counted: 10_000, reported })).toBe(limit);
  });

  it.each([
    ['too small a prompt', { counted: 100, reported: 300 }],
    ['no usage', { counted: 10_000, reported: 0 }],
    ['a usage that is no number', { counted: 10_000, reported: Number.NaN }],
  ])('learns nothing from %s', (_, observed) => {
    const calibration = tokenCalibration();
    calibration.learn(model, 1, observed);
    expect(calibration.learned(model)).toBeUndefined();
  });

  it('takes over what was learned elsewhere until it has learned itself', () => {
    const calibration = tokenCalibration();
    calibration.adopt(model, 1.5);
    expect(calibration.multiplier(model, 1.35)).toBe(1.5);
    calibration.adopt(model, 1.9);
    expect(calibration.multiplier(model, 1.35)).toBe(1.5);
  });
});
