/** Cases that a property is tried on at least, whatever the load of the machine. */
export const leastPropertyCases = 300;

/** Times the usual number of cases, from the environment: a nightly run looks further. */
export const propertyFactor: number = Number(globalThis.process?.env['PROPERTY_RUNS'] ?? 1);
