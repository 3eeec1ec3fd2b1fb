/** A map by strings that forgets what was not used for longest. */
export interface BoundedMap<Value> {
  /** Reading an entry is using it. */
  readonly get: (key: string) => Value | undefined;
  /** Reads an entry without using it. */
  readonly peek: (key: string) => Value | undefined;
  /** Keeps a value, unless it alone weighs more than the map may. */
  readonly set: (key: string, value: Value) => void;
  readonly delete: (key: string) => void;
  /** Keys in order of their writing; what is written or deleted while it runs does not end it. */
  readonly keys: () => IterableIterator<string>;
  readonly size: () => number;
}

/** Groups that weigh no more than this part of the map count as equal. */
const smallGroupPart = 1 / 256;

/**
 * Makes a bounded map. With groups it is fair to them: over its weight, the least recently used entry of the group
 * that weighs most goes, so a group that writes and writes forgets its own entries alone. Among small groups the
 * least recently used one is evicted first: otherwise thousands of idle groups would leave a new one no room. The
 * entry being written is never evicted for itself.
 *
 * @param maxWeight - The maximum weight of all entries together.
 * @param weightOf - Weight of an entry, computed when it is written. Default: 1, so that `maxWeight` is a number of
 *   entries.
 * @param groupOf - The group that an entry belongs to. Default: one for all.
 */
export function boundedMap<Value>(
  maxWeight: number,
  weightOf?: (key: string, value: Value) => number,
  groupOf?: (key: string) => string,
): BoundedMap<Value> {
  // In order of use: what was not used for longest is first.
  const entries = new Map<string, { value: Value; weight: number; group: string }>();
  const groups = new Map<string, number>();
  // Groups that are not small: at most 256 have room.
  const greedy = new Set<string>();
  const smallWeight = maxWeight * smallGroupPart;
  let total = 0;
  let newest: string | undefined;

  const weigh = (group: string, added: number): void => {
    total += added;
    const weight = (groups.get(group) ?? 0) + added;
    if (weight > 0) groups.set(group, weight);
    else groups.delete(group);
    if (weight > smallWeight) greedy.add(group);
    else greedy.delete(group);
  };
  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    weigh(entry.group, -entry.weight);
  };
  /** The next group to evict. */
  const nextToGo = (): string => {
    let most = 0;
    for (const group of greedy) most = Math.max(most, groups.get(group) ?? 0);
    for (const [key, { group }] of entries)
      if (most <= smallWeight || groups.get(group) === most) return key;
    return '';
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      // Each time that one is inserted again leaves a hole, which is passed over with every look at its place.
      if (entry === undefined || key === newest) return entry?.value;
      newest = key;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    peek: (key) => entries.get(key)?.value,
    set: (key, value) => {
      remove(key);
      const weight = weightOf?.(key, value) ?? 1;
      if (weight > maxWeight) return;
      const group = groupOf?.(key) ?? '';
      // oxlint-disable-next-line no-unmodified-loop-condition -- what is removed lightens it
      while (total + weight > maxWeight) remove(nextToGo());
      entries.set(key, { value, weight, group });
      weigh(group, weight);
      newest = key;
    },
    delete: remove,
    keys: () => entries.keys(),
    size: () => entries.size,
  };
}
