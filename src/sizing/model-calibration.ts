import type { ModelIdentity } from '../prompt/prompt-types.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import type { CalibrationStore } from './calibration-store.ts';
import type { HiddenTokens } from './hidden-tokens.ts';
import { plainRates, type SizeRates } from './size-rates.ts';
import { leastMultiplier, type ObservedSize, type TokenCalibration } from './token-calibration.ts';

/** Factors from o200k counts to the tokens of the model of one call. */
export interface ModelCalibration {
  /** The factor that was given in the options: it stays what it is, all there is. */
  readonly given: number | undefined;
  /** The factor from which learning starts. */
  readonly start: number;
  /** The rates as far as this process knows them. */
  readonly rates: () => SizeRates;
  /** The rates, after asking the store whether another process has learned the factor. */
  readonly load: () => Promise<SizeRates>;
  /** Learns from a reported size, going `share` of the way to it. Default: 0.2. */
  readonly learn: (observed: ObservedSize, share?: number) => void;
}

/** Where the factors of a call's model are learned and kept. */
export interface CalibratedModel {
  readonly model: ModelIdentity;
  /** What is known of the model is filed under it. */
  readonly modelKey: string;
  readonly memory: {
    readonly calibration: TokenCalibration;
    readonly calibrations: CalibrationStore;
    readonly hidden: HiddenTokens;
  };
  /** Where processes tell each other what they have learned. */
  readonly learned: Pick<SealedStore, 'keys' | 'read' | 'write'>;
}

/** What is known of the model before anything is learned. */
interface CalibrationPolicy {
  readonly tokenMultiplier: number;
  readonly tokenMultiplierGiven: boolean;
  readonly limit: number;
}

/** Share of the limit that what is hidden may take: where hardly any room is left, nothing would fit. */
const mostHiddenShare = 0.8;

/** The calibration of a call's model. */
export function modelCalibration(
  { memory, learned, modelKey, model }: CalibratedModel,
  { tokenMultiplier: start, tokenMultiplierGiven: isGiven, limit }: CalibrationPolicy,
): ModelCalibration {
  if (isGiven) {
    const rates = (): SizeRates => plainRates(start);
    return { given: start, start, rates, load: () => Promise.resolve(rates()), learn: () => {} };
  }
  const { calibration, calibrations } = memory;
  const key = (): Promise<string> => learned.keys.key('multiplier', model.provider, model.modelId);
  const place = { store: learned, key };
  const rates = (): SizeRates => {
    const hidden = memory.hidden.of(modelKey);
    return {
      multiplier: calibration.multiplier(modelKey, start),
      least: leastMultiplier(start),
      hidden: hidden < limit * mostHiddenShare ? hidden : 0,
    };
  };
  return {
    given: undefined,
    start,
    rates,
    load: async () => {
      await calibrations.load(modelKey, place);
      return rates();
    },
    learn: (observed, share) => {
      calibration.learn(modelKey, start, observed, share);
      calibrations.save(modelKey, place);
    },
  };
}
