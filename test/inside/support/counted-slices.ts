import type { TimeSlices } from '../../../src/util/async/time-slices.ts';

/** Slices that count how often work would let others have a turn, and do. */
export interface CountedSlices extends TimeSlices {
  /** Times that work has asked so far. */
  readonly asked: () => number;
}

/** Makes slices of which every hundredth question ends one. */
export function countedSlices(): CountedSlices {
  let asked = 0;
  return {
    asked: () => asked,
    pause: () => {
      asked += 1;
      return asked % 100 === 0 ? Promise.resolve() : undefined;
    },
  };
}
