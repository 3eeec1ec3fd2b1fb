import { countCache, type CountCache } from './count-cache.ts';
import { countOverhead } from './count-overhead.ts';
import { valueHash, valueHashes, type Hash64 } from '../hash/value-hash.ts';
import type { TextCounter } from './text/create-text-counter.ts';
import type { OverheadParams } from './measure-overhead.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import type { TimeSlices } from '../util/time-slices.ts';
import { walkJson } from '../json/walk-json.ts';

/** Sets of tools and schemas remembered in a process. */
const cachePlaces = 1024;

let cache: CountCache | undefined;

/** Tools that are read at once. */
const stretch = 128;

/**
 * Counts tools and response schema, each content once in a process, in slices that leave the event loop
 * to others.
 */
export async function cachedOverhead(
  counter: TextCounter,
  params: OverheadParams,
  family: MediaFamily,
  slices: TimeSlices,
): Promise<number> {
  cache ??= countCache(cachePlaces);
  const key = await hashOf(`${family} ${counter.isExact}`, params, slices);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const tokens = await countOverhead(counter, params, family, slices);
  cache.set(key, tokens);
  return tokens;
}

async function hashOf(
  name: string,
  { tools = [], toolChoice, responseFormat }: OverheadParams,
  slices: TimeSlices,
): Promise<Hash64> {
  const hashes: Hash64[] = [];
  for (let first = 0; first < tools.length; first += stretch) {
    const hash = valueHash();
    walkJson(tools.slice(first, first + stretch), hash);
    hashes.push(hash.end());
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  // Keys of its own: the bound holds for inputs that do not depend on the keys, as hashes do.
  sequences ??= valueHashes();
  const hash = sequences();
  hash.text(name);
  for (const { high, low } of hashes) {
    hash.number(high);
    hash.number(low);
  }
  walkJson([toolChoice, responseFormat], hash);
  return hash.end();
}

let sequences: ReturnType<typeof valueHashes> | undefined;
