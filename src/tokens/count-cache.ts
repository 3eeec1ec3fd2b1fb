import type { Hash64 } from '../hash/value-hash.ts';
import { listCache, lookedUp } from '../util/maps/cache-figures.ts';

/** Remembers a number for each hash, in a fixed amount of memory and without any text. */
export interface CountCache {
  readonly get: (key: Hash64) => number | undefined;
  readonly set: (key: Hash64, count: number) => void;
  /** Hashes it holds. */
  readonly size: () => number;
}

/** Places that a hash may take. */
const ways = 4;

/**
 * Makes a cache of 64-bit hashes: sets of four places, of which a newcomer takes the free one or
 * one that its hash picks. 16 bytes a place.
 *
 * @param places - A power of two, at least 4.
 */
export function countCache(places: number): CountCache {
  const highs = new Int32Array(places);
  const lows = new Int32Array(places);
  // Plus one, so that 0 is an empty place.
  const counts = new Float64Array(places);
  let taken = 0;
  const size = (): number => taken;
  listCache('counts', size);
  const firstOf = (high: number): number => ((high >>> 0) % (places / ways)) * ways;

  const find = ({ high, low }: Hash64): number | undefined => {
    const first = firstOf(high);
    for (let place = first; place < first + ways; place += 1)
      if (highs[place] === high && lows[place] === low && counts[place] !== 0) return place;
    return undefined;
  };
  return {
    size,
    get: (key) => {
      const place = find(key);
      return lookedUp('counts', place === undefined ? undefined : (counts[place] ?? 1) - 1);
    },
    set: (key, count) => {
      const first = firstOf(key.high);
      const free = counts.subarray(first, first + ways).indexOf(0);
      const place = find(key) ?? first + (free === -1 ? (key.low >>> 0) % ways : free);
      if (counts[place] === 0) taken += 1;
      highs[place] = key.high;
      lows[place] = key.low;
      counts[place] = count + 1;
    },
  };
}
