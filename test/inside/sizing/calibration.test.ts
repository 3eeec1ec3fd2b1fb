import { describe, expect, it } from 'vitest';
import { modelCalibration, promptTokens } from '../../../src/sizing/calibration.ts';
import { boundedMap } from '../../../src/util/maps/bounded-map.ts';
import { untyped } from '../../support/untyped.ts';

/** The calibration of a model, of which the store knows a factor. */
function calibrationOf(stored: string | undefined, policy: { readonly given?: boolean } = {}) {
  const written: string[] = [];
  const calibration = modelCalibration(
    {
      model: { provider: 'any', modelId: 'any' },
      modelKey: 'any',
      memory: { calibrations: boundedMap(10) },
      learned: untyped({
        keys: { key: async () => 'key' },
        read: async () => ({ text: stored }),
        write: async (_key: string, text: string) => {
          written.push(text);
          return { outcome: 'written' };
        },
      }),
    },
    { tokenMultiplier: 1.35, tokenMultiplierGiven: policy.given ?? false, limit: 10_000 },
  );
  return { calibration, written };
}

describe('the factor of a model', () => {
  it.each([
    ['goes a fifth of the way to what is reported', { counted: 1000, reported: 1000 }, 1.28],
    ['stays after a prompt that is too short to tell', { counted: 499, reported: 499 }, 1.35],
    ['stays after a report of another prompt', { counted: 1000, reported: 3000 }, 1.35],
    ['stays after a report of less than half', { counted: 1000, reported: 600 }, 1.35],
  ])('%s', (_, observed, multiplier) => {
    const { calibration } = calibrationOf(undefined);
    calibration.learn(observed);
    expect(calibration.rates().multiplier).toBeCloseTo(multiplier);
  });

  it('is asked of the store once, and what is learned is told it', async () => {
    const { calibration, written } = calibrationOf('1.2');
    expect((await calibration.load()).multiplier).toBe(1.2);
    calibration.learn({ counted: 1000, reported: 1000 });
    await Promise.resolve();
    await Promise.resolve();
    expect(written).toEqual(['1.1600']);
  });

  it('is what the options say, whatever is reported', async () => {
    const { calibration } = calibrationOf('1.2', { given: true });
    calibration.learn({ counted: 1000, reported: 2000 });
    expect(await calibration.load()).toEqual({ multiplier: 1.35, least: 1.35, hidden: 0 });
  });

  it('leaves room for what a provider adds, by the least of the last four reports', () => {
    const { calibration } = calibrationOf(undefined);
    for (const tokens of [9000, 600, 500, 700, 800]) calibration.learnHidden(tokens);
    expect(calibration.rates().hidden).toBe(500);
    expect(promptTokens(100, 2, calibration.rates())).toBe(100 + 500 + 2 * 4);
    expect(promptTokens(10_000, 2, calibration.rates())).toBe(13_500 + 2 * 4);
  });
});
