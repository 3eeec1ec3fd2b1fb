/** A map by strings that forgets what was not used for longest. */
export interface BoundedMap<Value> {
  /** Reading an entry is using it. */
  readonly get: (key: string) => Value | undefined;
  /** Keeps a value, unless it alone weighs more than the map may. */
  readonly set: (key: string, value: Value) => void;
  readonly delete: (key: string) => void;
  /** Keys, that of the entry to be forgotten first in front. */
  readonly keys: () => IterableIterator<string>;
  readonly size: () => number;
}

/**
 * Makes a bounded map.
 *
 * @param maxWeight - What all entries may weigh together.
 * @param weightOf - What an entry weighs. Default: 1, so that `maxWeight` is a number of entries.
 */
export function boundedMap<Value>(
  maxWeight: number,
  weightOf: (key: string, value: Value) => number = () => 1,
): BoundedMap<Value> {
  // A Map iterates in order of insertion: inserted again on use, the least recently used is first.
  const entries = new Map<string, Value>();
  let weight = 0;
  let newest: string | undefined;

  const remove = (key: string): void => {
    const value = entries.get(key);
    if (value === undefined) return;
    weight -= weightOf(key, value);
    entries.delete(key);
  };
  return {
    get: (key) => {
      const value = entries.get(key);
      // Each time that one is inserted again leaves a hole, which is passed over with every look at its place.
      if (value === undefined || key === newest) return value;
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      return value;
    },
    set: (key, value) => {
      remove(key);
      const added = weightOf(key, value);
      if (added > maxWeight) return;
      entries.set(key, value);
      newest = key;
      weight += added;
      for (const oldest of entries.keys()) {
        if (weight <= maxWeight) break;
        remove(oldest);
      }
    },
    delete: remove,
    keys: () => entries.keys(),
    size: () => entries.size,
  };
}

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
