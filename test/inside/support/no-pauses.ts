import type { TimeSlices } from '../../../src/util/async/time-slices.ts';

/** Slices that are never used up. */
export const noPauses: TimeSlices = { pause: () => undefined };
