/** Says that a call was not made because it could have cost more than is left. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** What may still be spent. */
export interface Budget {
  /**
   * Sets aside what a call can cost at most; waits for calls under way where that may leave enough.
   *
   * @returns what is told the real cost when the call has ended.
   * @throws {BudgetError} where it does not fit even then; no call is let through from then on.
   */
  readonly reserve: (most: number) => Promise<(real: number) => void>;
  readonly isSpent: () => boolean;
}

/** @param paid - Dollars that were spent before. */
export function budgetOf(limit: number, paid: number): Budget {
  let spent = paid;
  let reserved = 0;
  let underWay = 0;
  let isSpent = false;
  let settled = Promise.withResolvers<void>();
  return {
    isSpent: () => isSpent,
    reserve: async (most) => {
      const fits = (): boolean => spent + reserved + most <= limit;
      while (!isSpent && !fits()) {
        if (underWay === 0) isSpent = true;
        else await settled.promise;
      }
      if (isSpent) {
        settled.resolve();
        throw new BudgetError('The budget does not allow for another call.');
      }
      reserved += most;
      underWay += 1;
      return (real) => {
        underWay -= 1;
        // Sums of fractions leave some.
        reserved = underWay === 0 ? 0 : reserved - most;
        spent += real;
        settled.resolve();
        settled = Promise.withResolvers<void>();
      };
    },
  };
}
