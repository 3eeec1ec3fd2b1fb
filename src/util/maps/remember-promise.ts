import type { BoundedMap } from './bounded-map.ts';

/**
 * Gives what a map holds under a key, or what is made for it. What fails is forgotten, so that the next
 * one who asks tries again.
 */
export function rememberPromise<Result>(
  promises: BoundedMap<Promise<Result>>,
  key: string,
  make: () => Promise<Result>,
): Promise<Result> {
  const known = promises.get(key);
  if (known !== undefined) return known;
  const made = make();
  promises.set(key, made);
  made.catch(() => promises.delete(key));
  return made;
}
