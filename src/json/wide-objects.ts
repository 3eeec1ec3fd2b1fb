/** Names up to which an object is walked at once with the values around it: under 1 ms. */
export const mostNamesAtOnce = 8191;

/** Objects that were found to have more. Only a hint of what comes before their names are asked for. */
const wideObjects = new WeakSet<object>();

/**
 * Whether an object was found to have very many names. Nothing can divide to ask for them, and 130,000
 * take 30 ms: it is done with nothing else beside it.
 */
export function isWideObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && wideObjects.has(value);
}

/** The names of an object. */
export function namesOf(value: object): string[] {
  const names = Object.keys(value);
  if (names.length > mostNamesAtOnce) wideObjects.add(value);
  return names;
}
