/** How a cache of this process does. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  /** What it holds. */
  readonly entries: number;
}

/** The caches: condensed messages, counts of messages, what is known of stores. */
export type CacheName = 'condensed' | 'counts' | 'copies';

interface Tally {
  hits: number;
  misses: number;
  sizes: readonly WeakRef<() => number>[];
}

const tallies: Readonly<Record<CacheName, Tally>> = {
  condensed: { hits: 0, misses: 0, sizes: [] },
  counts: { hits: 0, misses: 0, sizes: [] },
  copies: { hits: 0, misses: 0, sizes: [] },
};

/** Lists a cache once, for as long as somebody holds its `size`. */
export function listCache(name: CacheName, size: () => number): void {
  const tally = tallies[name];
  const held = tally.sizes.filter((each) => ![undefined, size].includes(each.deref()));
  tally.sizes = [...held, new WeakRef(size)];
}

/** Counts a look into a cache, and returns what it found. */
export function lookedUp<Value>(name: CacheName, found: Value | undefined): Value | undefined {
  if (found === undefined) tallies[name].misses += 1;
  else tallies[name].hits += 1;
  return found;
}

/** The caches of this process, all middlewares together. */
export function cacheFigures(): Readonly<Record<CacheName, CacheFigures>> {
  const { condensed, counts, copies } = tallies;
  return {
    condensed: figuresOf(condensed),
    counts: figuresOf(counts),
    copies: figuresOf(copies),
  };
}

function figuresOf({ hits, misses, sizes }: Tally): CacheFigures {
  return { hits, misses, entries: sizes.reduce((sum, size) => sum + (size.deref()?.() ?? 0), 0) };
}
