/** Stands in every error: no prompt may hold it. */
export const canary = 'CANARY-7f3a';

/** A hook that throws. */
export const throwing = (): never => {
  throw new Error(canary);
};
