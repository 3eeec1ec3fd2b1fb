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

  it('goes all the way where it is told to', () => {
    const calibration = tokenCalibration();
    calibration.learn(model, 1.35, { counted: 10_000, reported: 17_000 }, 1);
    expect(calibration.multiplier(model, 1.35)).toBeCloseTo(1.7);
  });

  it.each([
    [9, 2],
    [0.1, 0.5],
  ])('stays within half and twice the start when told of %d elsewhere', (learned, limit) => {
    const calibration = tokenCalibration();
    calibration.adopt(model, learned);
    expect(calibration.multiplier(model, 1)).toBe(limit);
    expect(observedMultiplier(1, { counted: 10_000, reported: 10_000 * learned })).toBe(limit);
  });

  it.each([
    ['too small a prompt', { counted: 100, reported: 300 }],
    ['a prompt that was cut', { counted: 10_000, reported: 4900 }],
    ['more than any tokenizer makes of it', { counted: 10_000, reported: 21_000 }],
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
