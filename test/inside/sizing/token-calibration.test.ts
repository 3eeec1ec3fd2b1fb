import { describe, expect, it } from 'vitest';
import { multiplierOfRest, tokenCalibration } from '../../../src/sizing/token-calibration.ts';

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
    [9, 1.35, 2.7],
    [0.1, 1.35, 1],
    [0.1, 0.8, 0.8],
  ])('stays between the count and twice the start: %d of %d is %d', (learned, start, expected) => {
    const calibration = tokenCalibration();
    calibration.adopt(model, learned);
    expect(calibration.multiplier(model, start)).toBe(expected);
  });

  it.each([
    ['the least prompt that says anything', { counted: 500, reported: 750 }, 1.5],
    ['half of what is counted', { counted: 1000, reported: 500 }, 1],
    ['twice of what is counted', { counted: 1000, reported: 2000 }, 2],
  ])('learns from %s', (_, observed, expected) => {
    const calibration = tokenCalibration();
    calibration.learn(model, 1, observed, 1);
    expect(calibration.learned(model)).toBe(expected);
    expect(calibration.learned('openai:gpt-5')).toBeUndefined();
  });

  it.each([
    ['too small a prompt', { counted: 499, reported: 748 }],
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
    expect(calibration.learned(model)).toBe(1.5);
  });
});

describe('multiplierOfRest', () => {
  const known = (counted: number, reported: number, texts = counted) => ({
    counted,
    texts,
    reported,
  });

  it.each([
    ['a prompt as long as what is new, half', known(5000, 5000), 5000, (1.35 + 1) / 2],
    ['a prompt much longer than what is new', known(100_000, 150_000), 10, 1.5],
    ['a prompt much shorter than what is new', known(600, 600), 1_000_000, 1.35],
    ['the least prompt that says anything', known(500, 500), 500, (1.35 + 1) / 2],
    ['a prompt too short to say anything', known(499, 499), 10, 1.35],
    ['a greeting', known(16, 5), 179_000, 1.35],
    ['as much as any tokenizer makes of it', known(1000, 2700), 0, 2.7],
    ['more than any tokenizer makes of it', known(1000, 6000), 10, 1.35],
    ['no figure', known(1000, Number.NaN), 10, 1.35],
    ['frames that the provider does not have', known(10_000, 7000, 5000), 1, 1.35],
  ])('believes %s', (_what, observed, added, expected) => {
    expect(multiplierOfRest(1.35, 1.35, observed, added)).toBeCloseTo(expected, 2);
  });

  it('never makes less of a text than was counted', () => {
    expect(multiplierOfRest(1, 1, known(10_000, 6000), 10)).toBe(1);
    expect(multiplierOfRest(1.35, 1.1, known(10_000, 7000), 0)).toBe(1);
  });
});
