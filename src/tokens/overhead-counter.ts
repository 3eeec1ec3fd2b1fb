import { countCache, type CountCache } from './count-cache.ts';
import { countOverhead } from './count-overhead.ts';
import { fingerprint, fingerprints } from '../hash/fingerprint.ts';
import type { TextCounter } from './text/create-text-counter.ts';
import type { OverheadParams } from './measure-overhead.ts';
import type { MessageFingerprint } from './message-fingerprint.ts';
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
  const key = await fingerprintOf(`${family} ${counter.isExact}`, params, slices);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const tokens = await countOverhead(counter, params, family, slices);
  cache.set(key, tokens);
  return tokens;
}

async function fingerprintOf(
  name: string,
  { tools = [], toolChoice, responseFormat }: OverheadParams,
  slices: TimeSlices,
): Promise<MessageFingerprint> {
  const prints: MessageFingerprint[] = [];
  for (let first = 0; first < tools.length; first += stretch) {
    const print = fingerprint();
    walkJson(tools.slice(first, first + stretch), print);
    prints.push(print.end());
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  // Keys of its own: the bound holds for inputs that do not depend on the keys, as prints do.
  sequences ??= fingerprints();
  const print = sequences();
  print.text(name);
  for (const { high, low } of prints) {
    print.number(high);
    print.number(low);
  }
  walkJson([toolChoice, responseFormat], print);
  return print.end();
}

let sequences: ReturnType<typeof fingerprints> | undefined;
