import type { Policy } from '../options/resolve-policy.ts';
import { plainRates, type SizeRates } from './size-rates.ts';
import { leastMultiplier, type ObservedSize } from './token-calibration.ts';
import type { CallContext } from '../call/call-context.ts';

/** Factors from o200k counts to the tokens of the model of one call. */
export interface ModelCalibration {
  /** The rates as far as this process knows them. */
  readonly rates: () => SizeRates;
  /** The rates, after asking the store whether another process has learned the factor. */
  readonly load: () => Promise<SizeRates>;
  /** Learns from a reported size, going `share` of the way to it. Default: 0.2. */
  readonly learn: (observed: ObservedSize, share?: number) => void;
}

/** Share of the limit that what is hidden may take: where hardly any room is left, nothing would fit. */
const mostHiddenShare = 0.8;

/** The calibration of a call's model. A multiplier that was given in the options stays what it is, all there is. */
export function modelCalibration(
  { memory, store, keys, modelKey, model }: CallContext,
  { tokenMultiplier, tokenMultiplierGiven, limit }: Policy,
): ModelCalibration {
  const { calibration, calibrations } = memory;
  if (tokenMultiplierGiven) {
    const rates = (): SizeRates => plainRates(tokenMultiplier);
    return { rates, load: () => Promise.resolve(rates()), learn: () => {} };
  }
  const rates = (): SizeRates => {
    const hidden = memory.hidden.of(modelKey);
    return {
      multiplier: calibration.multiplier(modelKey, tokenMultiplier),
      least: leastMultiplier(tokenMultiplier),
      hidden: hidden < limit * mostHiddenShare ? hidden : 0,
    };
  };
  const place = {
    store,
    key: () => keys.key('multiplier', model.provider, model.modelId),
  };
  return {
    rates,
    load: async () => {
      await calibrations.load(modelKey, place);
      return rates();
    },
    learn: (observed, share) => {
      calibration.learn(modelKey, tokenMultiplier, observed, share);
      calibrations.save(modelKey, place);
    },
  };
}
