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

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  readonly group: Group;
}

interface Group {
  readonly name: string;
  /** Keys of its entries, that which was not used for longest first. */
  readonly keys: Set<string>;
  weight: number;
}

/** Groups that weigh no more than this part of the map count as equal. */
const smallGroupPart = 1 / 256;

/**
 * Makes a bounded map. With groups it is fair to them: over its weight, the least recently used entry of the group that
 * weighs most goes, so a group that writes and writes forgets its own entries alone. Of small groups that goes first which
 * was not used for longest: otherwise thousands of groups that nobody uses any more would leave a new one no room. What is
 * being written never goes for its own sake.
 *
 * @param maxWeight - What all entries may weigh together.
 * @param weightOf - What an entry weighs, asked when it is written. Default: 1, so that `maxWeight` is a number of entries.
 * @param groupOf - The group that an entry belongs to. Default: one for all.
 */
export function boundedMap<Value>(
  maxWeight: number,
  weightOf: (key: string, value: Value) => number = () => 1,
  groupOf: (key: string) => string = () => '',
): BoundedMap<Value> {
  // Maps and sets iterate in order of insertion: inserted again on use, the least recently used is first.
  const entries = new Map<string, Entry<Value>>();
  const groups = new Map<string, Group>();
  // Those that are not small: no more than 256 have room.
  const greedy = new Set<Group>();
  let total = 0;
  let newest: string | undefined;

  const weigh = (group: Group, added: number): void => {
    total += added;
    group.weight += added;
    if (group.weight > maxWeight * smallGroupPart) greedy.add(group);
    else greedy.delete(group);
  };
  const remove = (key: string): void => {
    const { group, weight } = entries.get(key) ?? {};
    if (group === undefined || weight === undefined) return;
    entries.delete(key);
    group.keys.delete(key);
    weigh(group, -weight);
    if (group.keys.size === 0) groups.delete(group.name);
  };
  const use = (key: string, group: Group): void => {
    // Each time that one is inserted again leaves a hole, which is passed over with every look at its place.
    if (key === newest) return;
    newest = key;
    group.keys.delete(key);
    group.keys.add(key);
    groups.delete(group.name);
    groups.set(group.name, group);
    if (greedy.delete(group)) greedy.add(group);
  };
  /** What is to go, as long as there is too much. */
  const surplus = (): string | undefined => {
    if (total <= maxWeight) return undefined;
    let found: Group | undefined;
    for (const group of greedy)
      if (group.keys.size > 0 && group.weight > (found?.weight ?? 0)) found = group;
    const [first] = (found ?? groups.values().next().value)?.keys ?? [];
    return first;
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined) use(key, entry.group);
      return entry?.value;
    },
    peek: (key) => entries.get(key)?.value,
    set: (key, value) => {
      remove(key);
      const weight = weightOf(key, value);
      if (weight > maxWeight) return;
      const name = groupOf(key);
      const group = groups.get(name) ?? { name, keys: new Set<string>(), weight: 0 };
      // Room is made before the entry is there, so that it is not what goes.
      weigh(group, weight);
      for (let oldest = surplus(); oldest !== undefined; oldest = surplus()) remove(oldest);
      entries.set(key, { value, weight, group });
      newest = undefined;
      use(key, group);
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
