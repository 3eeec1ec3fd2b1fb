/** How a cache of this process does. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  /** What it holds. */
  readonly entries: number;
}

/** The caches: condensed messages, counts of messages, what is known of stores. */
export type CacheName = 'condensed' | 'counts' | 'copies';

const tally = () => ({ hits: 0, misses: 0, sizes: new Set<WeakRef<() => number>>() });
const tallies = { condensed: tally(), counts: tally(), copies: tally() };

/** Lists a cache for as long as somebody holds its `size`. */
export function listCache(name: CacheName, size: () => number): void {
  const { sizes } = tallies[name];
  for (const each of sizes) if ([undefined, size].includes(each.deref())) sizes.delete(each);
  sizes.add(new WeakRef(size));
}

/** Counts a look into a cache, and returns what it found. */
export function lookedUp<Value>(name: CacheName, found: Value | undefined): Value | undefined {
  tallies[name][found === undefined ? 'misses' : 'hits'] += 1;
  return found;
}

/** The caches of this process, all middlewares together. */
export function cacheFigures(): Readonly<Record<CacheName, CacheFigures>> {
  const figuresOf = (name: CacheName): CacheFigures => {
    const { hits, misses, sizes } = tallies[name];
    let entries = 0;
    for (const size of sizes) entries += size.deref()?.() ?? 0;
    return { hits, misses, entries };
  };
  return {
    condensed: figuresOf('condensed'),
    counts: figuresOf('counts'),
    copies: figuresOf('copies'),
  };
}
