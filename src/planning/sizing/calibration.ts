import type { Policy } from '../plan/plan.ts';
import { maxModels } from '../../prompt/messages/model-name.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';

/** How counts under o200k become tokens of a model. */
export interface SizeRates {
  /** Tokens of the model for one of o200k. */
  readonly multiplier: number;
  /** The least tokens of the model for one of o200k: no tokenizer in use takes fewer for a text. */
  readonly least: number;
  /** Tokens that the provider may add to every prompt, as far as its reports leave room for them. */
  readonly hidden: number;
}

/** Returns rates of which only the factor is known. */
export function plainRates(multiplier: number): SizeRates {
  return { multiplier, least: multiplier, hidden: 0 };
}

/**
 * Tokens a message may take beyond the 4 that are counted for its frame: providers and chat templates take none to
 * eight, and do not document it.
 */
export const spareFrameTokens = 4;

/**
 * Returns the tokens that a whole prompt may take. A report above our count means a tokenizer that takes more or a text
 * that the provider adds: whichever comes to more at this size applies.
 *
 * @param counted - Tokens of o200k, frames and overhead included.
 */
export function promptTokens(
  counted: number,
  messages: number,
  { multiplier, least, hidden }: SizeRates,
): number {
  return Math.max(counted * multiplier, counted * least + hidden) + messages * spareFrameTokens;
}

/** Size of one prompt: under o200k, and as the provider reported it. */
interface ObservedSize {
  readonly counted: number;
  readonly reported: number;
}

/** Largest ratio between a factor and its start, in either direction. */
const maxChange = 2;
/** Tokens below which a prompt says more about frames than about the tokenizer. */
const leastPromptTokens = 500;

/** Figures that this process has learned of a model. */
interface LearnedFigures {
  /** The factor from o200k counts to the tokens that it reports. */
  multiplier: number;
  /** Tokens by which the last reports exceeded the texts of their prompts. */
  hidden: readonly number[];
}

/** Learned figures, by the key of the model. */
const calibrations = boundedMap<LearnedFigures>(maxModels);

/** Factors from o200k counts to the tokens of the model of one call. */
export interface ModelCalibration {
  /** Whether the options set the factor: then nothing is learned. */
  readonly isGiven: boolean;
  /** The rates as far as this process knows them. */
  readonly rates: () => SizeRates;
  /** Learns from a reported size, going `share` of the way to it. Default: 0.2. */
  readonly learn: (observed: ObservedSize, share?: number) => void;
  /** Learns that a report was this much above the texts of its prompt: the provider may have added it. */
  readonly learnHidden: (tokens: number) => void;
}

/** Share of the way to a new observation that a factor moves. */
const usualShare = 0.2;
/** Reports remembered for a model: one that overstates the hidden tokens is corrected by the next. */
const maxReports = 4;
/** Share of the limit that hidden tokens may take: if hardly any room remained, nothing would fit. */
const mostHiddenShare = 0.8;

/** Returns the calibration of a call's model. */
export function modelCalibration(
  modelKey: string,
  {
    tokenMultiplier: start,
    tokenMultiplierGiven: isGiven,
    limit,
  }: Pick<Policy, 'tokenMultiplier' | 'tokenMultiplierGiven' | 'limit'>,
): ModelCalibration {
  if (isGiven)
    return { isGiven, rates: () => plainRates(start), learn: () => {}, learnHidden: () => {} };
  const figures = calibrations.get(modelKey) ?? { multiplier: start, hidden: [] };
  calibrations.set(modelKey, figures);
  // No tokenizer in use takes fewer tokens for a text than o200k, except those that are known for it.
  const least = Math.min(1, start);
  return {
    isGiven,
    rates: () => {
      // Infinite without a report.
      const hidden = Math.min(...figures.hidden);
      const isRoom = hidden < limit * mostHiddenShare;
      return { multiplier: figures.multiplier, least, hidden: isRoom ? hidden : 0 };
    },
    learn: ({ counted, reported }, share = usualShare) => {
      const factor = reported / counted;
      // A factor further off than any tokenizer's belongs to another prompt, such as one that was cut.
      const isOfPrompt = factor >= start / maxChange && factor <= start * maxChange;
      if (counted < leastPromptTokens || !isOfPrompt) return;
      figures.multiplier += (Math.max(factor, least) - figures.multiplier) * share;
    },
    learnHidden: (tokens) => {
      figures.hidden = [...figures.hidden.slice(1 - maxReports), Math.max(0, tokens)];
    },
  };
}
