import type { Policy } from '../options/resolve-policy.ts';
import { isPlausibleSize, type ObservedSize } from '../tokens/token-calibration.ts';
import type { CallContext } from './call-context.ts';

/** Factors from o200k counts to the tokens of the model of one call. */
export interface ModelCalibration {
  /** The factor as far as this process knows it. */
  readonly multiplier: () => number;
  /** The factor, after asking the store whether another process has learned it. */
  readonly load: () => Promise<number>;
  /** Learns from a reported size, going `share` of the way to it. Default: 0.2. */
  readonly learn: (observed: ObservedSize, share?: number) => void;
  /** Whether a reported size can be that of the prompt that was counted. */
  readonly isPlausible: (observed: ObservedSize) => boolean;
}

/** The calibration of a call's model. A multiplier that was given in the options stays what it is. */
export function modelCalibration(
  { memory, store, keys, modelKey, model }: CallContext,
  { tokenMultiplier, tokenMultiplierGiven }: Policy,
): ModelCalibration {
  const { calibration, calibrations } = memory;
  const isPlausible = (observed: ObservedSize): boolean =>
    isPlausibleSize(tokenMultiplier, observed);
  if (tokenMultiplierGiven) {
    return {
      multiplier: () => tokenMultiplier,
      load: () => Promise.resolve(tokenMultiplier),
      learn: () => {},
      isPlausible,
    };
  }
  const multiplier = (): number => calibration.multiplier(modelKey, tokenMultiplier);
  const place = {
    store,
    key: () => keys.key('multiplier', `${model.provider}:${model.modelId}`),
  };
  return {
    multiplier,
    load: async () => {
      await calibrations.load(modelKey, place);
      return multiplier();
    },
    learn: (observed, share) => {
      calibration.learn(modelKey, tokenMultiplier, observed, share);
      calibrations.save(modelKey, place);
    },
    isPlausible,
  };
}
