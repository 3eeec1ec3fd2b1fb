import * as fc from 'fast-check';
import { leastPropertyCases, propertyFactor } from '../../support/property-cases.ts';

/** Checks a property on a number of cases that nothing cuts short, and says how many they were. */
export async function checkProperty<Input>(
  property: fc.IAsyncPropertyWithHooks<Input>,
  cases: number = leastPropertyCases,
): Promise<void> {
  await fc.assert(property, { numRuns: Math.max(cases, leastPropertyCases) * propertyFactor });
}
