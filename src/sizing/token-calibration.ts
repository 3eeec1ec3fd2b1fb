import { maxModels } from '../prompt/model-name.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';

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
const leastPromptTokens = 500;

/**
 * The factor for what was added to a prompt whose size is known. The known part speaks for it as far as
 * it weighs against it, and only if it is long enough to say anything.
 *
 * @param before - The factor that holds without the observation.
 * @param observed - `texts`: what was counted without frames, which the provider may not have.
 * @param added - Tokens of o200k that were added.
 */
export function multiplierOfRest(
  start: number,
  before: number,
  { counted, texts, reported }: ObservedSize & { readonly texts: number },
  added: number,
): number {
  if (!isEvidence(start, { counted, reported })) return before;
  const factor = reported / counted;
  const target = factor >= before ? factor : Math.min(before, reported / Math.max(1, texts));
  const weight = counted / (counted + added);
  return clamp(before + (target - before) * weight, start);
}

/** Whether a reported size is that of a prompt long enough to speak of the tokenizer, and can be that. */
function isEvidence(start: number, { counted, reported }: ObservedSize): boolean {
  const multiplier = reported / counted;
  return (
    counted >= leastPromptTokens &&
    multiplier >= start / maxChange &&
    multiplier <= start * maxChange
  );
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
      if (!isEvidence(start, observed)) return;
      const before = clamp(multipliers.get(model) ?? start, start);
      const target = clamp(observed.reported / observed.counted, start);
      multipliers.set(model, before + (target - before) * share);
    },
  };
}

function clamp(multiplier: number, start: number): number {
  return Math.min(start * maxChange, Math.max(leastMultiplier(start), multiplier));
}

/** The least that a token of o200k comes to: no tokenizer in use makes less of a text. */
export function leastMultiplier(start: number): number {
  return Math.min(1, start);
}
