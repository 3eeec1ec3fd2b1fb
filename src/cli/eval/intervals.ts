/** A mean, and between what it lies with 95 % confidence. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Standard deviations of a normal distribution that hold 95 %. */
const deviations = 1.959964;

/**
 * Wilson's score interval of a share (Wilson 1927, https://doi.org/10.1080/01621459.1927.10502953), which holds near
 * 0 and 1 too. `values` has the share of each question over its runs: runs of one question are no further questions.
 */
export function shareInterval(values: readonly number[]): Interval | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  const mean = meanOf(values);
  const square = deviations ** 2;
  const middle = (mean + square / (2 * n)) / (1 + square / n);
  const half =
    (deviations / (1 + square / n)) * Math.sqrt((mean * (1 - mean)) / n + square / (4 * n * n));
  return { mean, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

const resamples = 2000;

/**
 * The mean of differences that are paired by question, with the percentile interval of a bootstrap over questions
 * (Efron and Tibshirani 1993, chapter 13). The same differences give the same interval.
 */
export function differenceInterval(differences: readonly number[]): Interval | undefined {
  const n = differences.length;
  if (n === 0) return undefined;
  const random = randomNumbers();
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < n; drawn += 1) sum += differences[Math.floor(random() * n)] ?? 0;
    return sum / n;
  }).toSorted((a, b) => a - b);
  return { mean: meanOf(differences), low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Of values in their order, the one below which a share of them lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Numbers from 0 to 1, always the same ones (Mulberry32). */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
