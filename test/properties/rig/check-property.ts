import * as fc from 'fast-check';

/**
 * Checks a property on `numRuns` inputs. Stops after 12 seconds, shrinking included, so that neither a
 * slow machine nor a large counterexample runs into the time limit of the test.
 */
export async function checkProperty<Input>(
  property: fc.IAsyncPropertyWithHooks<Input>,
  numRuns: number,
): Promise<void> {
  await fc.assert(property, {
    numRuns,
    interruptAfterTimeLimit: 12_000,
    markInterruptAsFailure: false,
  });
}
