/** Errors of estimates as shares of what was reported; positive when the estimate is more. */
export interface ErrorSummary {
  /** Of the errors with their signs. */
  readonly bias: number;
  /** Of the absolute errors. */
  readonly median: number;
  readonly percentile95: number;
  readonly worst: number;
}

/** Sums up errors. */
export function summarizeErrors(errors: readonly number[]): ErrorSummary {
  const absolute = errors.map(Math.abs);
  return {
    bias: quantile(errors, 0.5),
    median: quantile(absolute, 0.5),
    percentile95: quantile(absolute, 0.95),
    worst: quantile(absolute, 1),
  };
}

/** The smallest of the values that so large a share of them does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const place = Math.max(0, Math.ceil(values.length * share) - 1);
  return values.toSorted((a, b) => a - b)[place] ?? Number.NaN;
}
