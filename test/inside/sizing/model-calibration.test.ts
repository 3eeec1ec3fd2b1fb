import { describe, expect, it } from 'vitest';
import { calibrationStore } from '../../../src/sizing/calibration-store.ts';
import { hiddenTokens } from '../../../src/sizing/hidden-tokens.ts';
import { modelCalibration, type CalibratedModel } from '../../../src/sizing/model-calibration.ts';
import { tokenCalibration } from '../../../src/sizing/token-calibration.ts';
import { memoryStore } from '../../../src/index.ts';
import { guardedStore, sealedStore } from '../../../src/stores/sealed-store.ts';
import { storeKeys } from '../../../src/stores/store-keys.ts';
import { turns } from '../../support/until.ts';

const policy = { tokenMultiplier: 1.35, tokenMultiplierGiven: false, limit: 1000 };
const keys = storeKeys('s'.repeat(32), 'test');
const observed = { counted: 1000, reported: 2000 };

/** A model of which nothing is known in this process. */
function newModel(store = memoryStore()): CalibratedModel {
  const calibration = tokenCalibration();
  const calibrations = calibrationStore(calibration);
  return {
    model: { provider: 'anthropic', modelId: 'claude' },
    modelKey: 'anthropic:claude',
    memory: { calibration, calibrations, hidden: hiddenTokens() },
    learned: sealedStore(guardedStore(store)({ onFault: () => {} }), keys, { timeoutMs: 250 }),
  };
}

describe('modelCalibration', () => {
  it('starts where the policy says', async () => {
    const calibration = modelCalibration(newModel(), policy);
    expect(calibration).toMatchObject({ given: undefined, start: 1.35 });
    expect(calibration.rates()).toEqual({ multiplier: 1.35, least: 1, hidden: 0 });
    expect(await calibration.load()).toEqual({ multiplier: 1.35, least: 1, hidden: 0 });
  });

  it('keeps to a factor that was given', async () => {
    const model = newModel();
    const calibration = modelCalibration(model, { ...policy, tokenMultiplierGiven: true });
    model.memory.hidden.learn(model.modelKey, 100);
    calibration.learn(observed);
    expect(calibration).toMatchObject({ given: 1.35, start: 1.35 });
    const rates = { multiplier: 1.35, least: 1.35, hidden: 0 };
    expect(calibration.rates()).toEqual(rates);
    expect(await calibration.load()).toEqual(rates);
    expect(model.memory.calibration.learned(model.modelKey)).toBeUndefined();
  });

  it.each([
    [799, 799],
    [800, 0],
  ])('believes in %i hidden tokens of 1000 as %i', (tokens, expected) => {
    const model = newModel();
    model.memory.hidden.learn(model.modelKey, tokens);
    expect(modelCalibration(model, policy).rates().hidden).toBe(expected);
  });

  it.each([
    ['a fifth of the way', undefined, 1.48],
    ['as far as it is told', 1, 2],
  ])('learns %s, for other processes too', async (_how, share, multiplier) => {
    const store = memoryStore();
    const calibration = modelCalibration(newModel(store), policy);
    // Signed before, so that writing waits for nothing.
    const key = await keys.key('multiplier', 'anthropic', 'claude');
    calibration.learn(observed, share);
    expect(calibration.rates().multiplier).toBeCloseTo(multiplier);
    let written = await store.get(key);
    while (typeof written !== 'string') {
      await turns(1);
      written = await store.get(key);
    }
    expect(await keys.open(key, written)).toMatchObject({ text: multiplier.toFixed(4) });
    const elsewhere = modelCalibration(newModel(store), policy);
    expect(elsewhere.rates().multiplier).toBe(1.35);
    expect((await elsewhere.load()).multiplier).toBeCloseTo(multiplier);
  });
});
