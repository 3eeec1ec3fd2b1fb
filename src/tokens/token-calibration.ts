/** Factors from o200k counts to the tokens that models report. */
export interface TokenCalibration {
  /** The factor of a model: what was learned of it, else `start`. */
  readonly multiplier: (model: string, start: number) => number;
  /** Learns that a prompt of `counted` tokens of o200k was reported as `reported`. */
  readonly learn: (
    model: string,
    start: number,
    observed: { readonly counted: number; readonly reported: number },
  ) => void;
  /** Takes over a factor that was learned elsewhere, unless one has been learned here. */
  readonly adopt: (model: string, multiplier: number) => void;
  /** The learned factor of a model. */
  readonly learned: (model: string) => number | undefined;
}

/** How far a factor may move from where it starts, to either side. */
const maxChange = 2;
/** The part of the way to a new observation that a factor goes. */
const step = 0.2;
/** Tokens below which a prompt says more about frames than about the tokenizer. */
const leastTokens = 500;
/** Models remembered; a process has a few. */
const maxModels = 200;

/** The factor that an observation shows, within the allowed distance from the start. */
export function observedMultiplier(
  start: number,
  { counted, reported }: { readonly counted: number; readonly reported: number },
): number {
  return clamp(reported / counted, start);
}

/** Makes a calibration that knows nothing yet. */
export function tokenCalibration(): TokenCalibration {
  const multipliers = new Map<string, number>();
  return {
    multiplier: (model, start) => clamp(multipliers.get(model) ?? start, start),
    learned: (model) => multipliers.get(model),
    adopt: (model, multiplier) => {
      if (!multipliers.has(model)) multipliers.set(model, multiplier);
    },
    learn: (model, start, observed) => {
      if (!(observed.counted >= leastTokens) || !(observed.reported > 0)) return;
      const before = clamp(multipliers.get(model) ?? start, start);
      const target = observedMultiplier(start, observed);
      multipliers.delete(model);
      multipliers.set(model, before + (target - before) * step);
      const [oldest] = multipliers.keys();
      if (multipliers.size > maxModels && oldest !== undefined) multipliers.delete(oldest);
    },
  };
}

function clamp(multiplier: number, start: number): number {
  return Math.min(start * maxChange, Math.max(start / maxChange, multiplier));
}
