import type { BoundedMap } from './bounded-map.ts';
import { rankedHeap } from './ranked-heap.ts';

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
  readonly key: string;
  readonly value: Value;
  readonly weight: number;
  readonly group: Group<Value>;
  /** Neighbours in the group by use. A Map in that order would have to skip all that left its front. */
  older?: Entry<Value> | undefined;
  newer?: Entry<Value> | undefined;
}

interface Group<Value> {
  readonly name: string;
  weight: number;
  usedAt: number;
  place: number;
  oldest?: Entry<Value> | undefined;
  newest?: Entry<Value> | undefined;
}

/** A group that weighs no more than this part of the map is not greedy, however many groups there are. */
const smallGroupPart = 1 / 256;

/**
 * Makes a bounded map that is fair to groups: over its weight, the least recently used entry of the group
 * that weighs most goes. So a group that writes and writes forgets its own entries alone. Groups that
 * weigh no more than 1/256 of the map count as equal, and of equal ones that goes first which was not used
 * for longest: otherwise thousands of groups that nobody uses any more would leave a new one no room.
 * What is being written never goes for its own sake. Operations take O(log groups).
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function fairMap<Value>(options: FairMapOptions<Value>): FairMap<Value> {
  const { maxWeight, weightOf, groupOf } = options;
  const entries = new Map<string, Entry<Value>>();
  const groups = new Map<string, Group<Value>>();
  const rankOf = ({ weight }: Group<Value>): number => Math.max(weight, maxWeight * smallGroupPart);
  const heaviest = rankedHeap<Group<Value>>((group, other) => {
    const difference = rankOf(group) - rankOf(other);
    return difference === 0 ? group.usedAt < other.usedAt : difference > 0;
  });
  let totalWeight = 0;
  let uses = 0;
  const isOver = (): boolean => totalWeight > maxWeight && entries.size > 0;

  const remove = (entry: Entry<Value> | undefined): void => {
    if (entry === undefined) return;
    const { group } = entry;
    unlink(entry);
    entries.delete(entry.key);
    totalWeight -= entry.weight;
    group.weight -= entry.weight;
    if (group.oldest !== undefined) return heaviest.place(group);
    heaviest.remove(group);
    groups.delete(group.name);
  };
  const use = (entry: Entry<Value>): void => {
    const { group } = entry;
    linkAsNewest(entry);
    uses += 1;
    group.usedAt = uses;
    heaviest.place(group);
  };

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      unlink(entry);
      use(entry);
      return entry.value;
    },
    peek: (key) => entries.get(key)?.value,
    set: (key, value) => {
      remove(entries.get(key));
      const weight = weightOf(key, value);
      if (weight > maxWeight) return;
      const name = groupOf(key);
      const group = groups.get(name) ?? { name, weight: 0, usedAt: 0, place: -1 };
      group.weight += weight;
      totalWeight += weight;
      // Room is made before the entry is there, so that it is not what goes; an empty group has no rank.
      if (group.oldest !== undefined) heaviest.place(group);
      while (isOver()) remove(heaviest.first()?.oldest);
      const entry: Entry<Value> = { key, value, weight, group };
      groups.set(name, group);
      entries.set(key, entry);
      use(entry);
    },
    delete: (key) => remove(entries.get(key)),
    keys: () => entries.keys(),
    size: () => entries.size,
  };
}

function linkAsNewest<Value>(entry: Entry<Value>): void {
  const { group } = entry;
  entry.older = group.newest;
  if (group.newest === undefined) group.oldest = entry;
  else group.newest.newer = entry;
  group.newest = entry;
}

function unlink<Value>(entry: Entry<Value>): void {
  const { group, older, newer } = entry;
  if (older === undefined) group.oldest = newer;
  else older.newer = newer;
  if (newer === undefined) group.newest = older;
  else newer.older = older;
  entry.older = undefined;
  entry.newer = undefined;
}
