import { countCache, type CountCache } from './count-cache.ts';
import { countOverhead } from './count-overhead.ts';
import { fingerprint } from '../hash/fingerprint.ts';
import type { TextCounter } from './text/load-text-counter.ts';
import type { OverheadParams } from './measure-overhead.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import type { TimeSlices } from '../util/time-slices.ts';
import { walkJson } from '../json/walk-json.ts';

/** Sets of tools and schemas remembered in a process. */
const cachePlaces = 1024;

let cache: CountCache | undefined;

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
  const { tools = [], toolChoice, responseFormat } = params;
  cache ??= countCache(cachePlaces);
  const print = fingerprint();
  print.text(`${family} ${counter.isExact}`);
  walkJson([tools, toolChoice, responseFormat], print);
  const key = print.end();
  const known = cache.get(key);
  if (known !== undefined) return known;
  const tokens = await countOverhead(counter, params, family, slices);
  cache.set(key, tokens);
  return tokens;
}
