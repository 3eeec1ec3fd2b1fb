import type { TimeSlices } from './time-slices.ts';

/** Work that can wait between its steps. */
export type Steps<Result> = Generator<void, Result, undefined>;

/** Does all steps at once. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Does them in slices that leave the event loop to others. */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  slices: TimeSlices,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    step = steps.next();
  }
  return step.value;
}
