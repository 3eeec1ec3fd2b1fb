import { boundedMap } from '../collections/bounded-map.ts';

/** What one prompt came to. */
export interface ObservedSize {
  /** Tokens of o200k. */
  readonly counted: number;
  /** Tokens that the provider reported. */
  readonly reported: number;
}

/** Factors from o200k counts to the tokens that models report. */
export interface TokenCalibration {
  /** The factor of a model: what was learned of it, else `start`. */
  readonly multiplier: (model: string, start: number) => number;
  /**
   * Learns from a reported size by going `share` of the way to it. Default: 0.2. A size that is further
   * off than any tokenizer speaks of another prompt, such as one that was cut, and is not learned from.
   */
  readonly learn: (model: string, start: number, observed: ObservedSize, share?: number) => void;
  /** Takes over a factor that was learned elsewhere, unless one has been learned here. */
  readonly adopt: (model: string, multiplier: number) => void;
  /** The learned factor of a model. */
  readonly learned: (model: string) => number | undefined;
}

/** How far a factor may move from where it starts, to either side. */
const maxChange = 2;
/** The part of the way to a new observation that a factor goes. */
const usualShare = 0.2;
/** Tokens below which a prompt says more about frames than about the tokenizer. */
const leastTokens = 500;
/** Models remembered, each once for a store and a namespace. */
const maxModels = 1000;

/** The factor that an observation shows, within the allowed distance from the start. */
export function observedMultiplier(start: number, { counted, reported }: ObservedSize): number {
  return clamp(reported / counted, start);
}

/** Whether a reported size can be that of the prompt that was counted. */
export function isPlausibleSize(start: number, { counted, reported }: ObservedSize): boolean {
  const multiplier = reported / counted;
  return multiplier >= start / maxChange && multiplier <= start * maxChange;
}

/** Makes a calibration that knows nothing yet. */
export function tokenCalibration(): TokenCalibration {
  const multipliers = boundedMap<number>(maxModels);
  return {
    multiplier: (model, start) => clamp(multipliers.get(model) ?? start, start),
    learned: (model) => multipliers.get(model),
    adopt: (model, multiplier) => {
      if (multipliers.get(model) === undefined) multipliers.set(model, multiplier);
    },
    learn: (model, start, observed, share = usualShare) => {
      if (!(observed.counted >= leastTokens) || !isPlausibleSize(start, observed)) return;
      const before = clamp(multipliers.get(model) ?? start, start);
      const target = observedMultiplier(start, observed);
      multipliers.set(model, before + (target - before) * share);
    },
  };
}

function clamp(multiplier: number, start: number): number {
  return Math.min(start * maxChange, Math.max(start / maxChange, multiplier));
}
