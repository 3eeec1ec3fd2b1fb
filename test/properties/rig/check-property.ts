import * as fc from 'fast-check';

/** Times the usual number of runs, from the environment: a nightly run looks further. */
const factor = Number(process.env['PROPERTY_RUNS'] ?? 1);

/** Milliseconds that a test of a property may take. */
export const propertyTimeoutMs: number = 30_000 * factor;

/**
 * Checks a property on `numRuns` inputs. Stops after 12 seconds, shrinking included, so that neither a
 * slow machine nor a large counterexample runs into the time limit of the test.
 */
export async function checkProperty<Input>(
  property: fc.IAsyncPropertyWithHooks<Input>,
  numRuns: number,
): Promise<void> {
  await fc.assert(property, {
    numRuns: numRuns * factor,
    interruptAfterTimeLimit: 12_000 * factor,
    markInterruptAsFailure: false,
  });
}
