import { describe, expect, it } from 'vitest';
import { modelCalibration, promptTokens } from '../../../../src/planning/sizing/calibration.ts';

let models = 0;

function calibrationOf(given = false) {
  models += 1;
  const policy = { tokenMultiplier: 1.35, tokenMultiplierGiven: given, limit: 10_000 };
  return modelCalibration(`model ${models}`, policy);
}

describe('the factor of a model', () => {
  it.each([
    ['goes a fifth of the way to what is reported', { counted: 1000, reported: 1000 }, 1.28],
    ['stays after a prompt that is too short to tell', { counted: 499, reported: 499 }, 1.35],
    ['stays after a report of another prompt', { counted: 1000, reported: 3000 }, 1.35],
    ['stays after a report of less than half', { counted: 1000, reported: 600 }, 1.35],
  ])('%s', (_, observed, multiplier) => {
    const calibration = calibrationOf();
    calibration.learn(observed);
    expect(calibration.rates().multiplier).toBeCloseTo(multiplier);
  });

  it('is what the options say, whatever is reported', () => {
    const calibration = calibrationOf(true);
    calibration.learn({ counted: 1000, reported: 2000 });
    expect(calibration.rates()).toEqual({ multiplier: 1.35, least: 1.35, hidden: 0 });
  });

  it('leaves room for what a provider adds, by the least of the last four reports', () => {
    const calibration = calibrationOf();
    for (const tokens of [9000, 600, 500, 700, 800]) calibration.learnHidden(tokens);
    expect(calibration.rates().hidden).toBe(500);
    expect(promptTokens(100, 2, calibration.rates())).toBe(100 + 500 + 2 * 4);
    expect(promptTokens(10_000, 2, calibration.rates())).toBe(13_500 + 2 * 4);
  });
});
