import type { TimeSlices } from '../../src/tokens/time-slices.ts';

/** Slices that are never used up. */
export const noPauses: TimeSlices = { pause: () => undefined };
