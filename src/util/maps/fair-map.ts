import type { BoundedMap } from './bounded-map.ts';

/** A {@link BoundedMap} whose entries belong to groups, of which none pushes the others out. */
export interface FairMap<Value> extends Omit<BoundedMap<Value>, 'keys'> {
  /** Reads an entry without using it. */
  readonly peek: (key: string) => Value | undefined;
  /** Keys in order of their writing; what is written or deleted while it runs does not end it. */
  readonly keys: () => IterableIterator<string>;
}

/** Options of {@link fairMap}. */
export interface FairMapOptions<Value> {
  /** What all entries may weigh together. */
  readonly maxWeight: number;
  /** What an entry weighs; asked once, when it is written. */
  readonly weightOf: (key: string, value: Value) => number;
  /** The group that an entry belongs to. */
  readonly groupOf: (key: string) => string;
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
  usedAt: number;
}

/** A group that weighs no more than this part of the map is not greedy, however many groups there are. */
const smallGroupPart = 1 / 256;

/**
 * Makes a bounded map that is fair to groups: over its weight, the least recently used entry of the group
 * that weighs most goes. So a group that writes and writes forgets its own entries alone. Groups that
 * weigh no more than 1/256 of the map count as equal, and of equal ones that goes first which was not used
 * for longest: otherwise thousands of groups that nobody uses any more would leave a new one no room.
 * What is being written never goes for its own sake.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function fairMap<Value>(options: FairMapOptions<Value>): FairMap<Value> {
  const { maxWeight, weightOf, groupOf } = options;
  const entries = new Map<string, Entry<Value>>();
  /** Those with entries, that which was not used for longest first. */
  const groups = new Map<string, Group>();
  /** Those that are not small: no more than 256 have room. */
  const greedy = new Set<Group>();
  let totalWeight = 0;
  let uses = 0;

  const weigh = (group: Group, added: number): void => {
    totalWeight += added;
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
    group.keys.delete(key);
    group.keys.add(key);
    groups.delete(group.name);
    groups.set(group.name, group);
    uses += 1;
    group.usedAt = uses;
  };
  /** What is to go, as long as there is too much. */
  const surplus = (): string | undefined => {
    if (totalWeight <= maxWeight) return undefined;
    let found: Group | undefined;
    for (const group of greedy) {
      if (group.keys.size === 0) continue;
      const more = group.weight - (found?.weight ?? 0);
      if (more > 0 || (more === 0 && group.usedAt < (found?.usedAt ?? 0))) found = group;
    }
    const [group] = found === undefined ? groups.values() : [found];
    return group?.keys.values().next().value;
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
      const group = groups.get(name) ?? { name, keys: new Set<string>(), weight: 0, usedAt: 0 };
      // Room is made before the entry is there, so that it is not what goes.
      weigh(group, weight);
      for (let oldest = surplus(); oldest !== undefined; oldest = surplus()) remove(oldest);
      entries.set(key, { value, weight, group });
      use(key, group);
    },
    delete: remove,
    keys: () => entries.keys(),
    size: () => entries.size,
  };
}
