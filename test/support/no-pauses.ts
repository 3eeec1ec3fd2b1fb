import type { TimeSlices } from '../../src/util/time-slices.ts';

/** Slices that are never used up. */
export const noPauses: TimeSlices = { pause: () => undefined };
