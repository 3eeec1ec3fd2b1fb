import { countCache, type CountCache } from './count-cache.ts';
import { countOverhead } from './count-overhead.ts';
import { fingerprint } from './fingerprint.ts';
import type { TextCounter } from './load-text-counter.ts';
import type { OverheadParams } from './measure-overhead.ts';
import type { MediaFamily } from './media-family-of.ts';
import { walkJson } from './walk-json.ts';

/** Sets of tools and schemas remembered in a process. */
const cachePlaces = 1024;

let cache: CountCache | undefined;

/** Counts tools and response schema like `countOverhead`, each content once in a process. */
export function cachedOverhead(
  counter: TextCounter,
  params: OverheadParams,
  family: MediaFamily,
): number {
  const { tools = [], toolChoice, responseFormat } = params;
  cache ??= countCache(cachePlaces);
  const print = fingerprint();
  print.text(`${family} ${counter.isExact}`);
  walkJson([tools, toolChoice, responseFormat], print);
  const key = print.end();
  const known = cache.get(key);
  if (known !== undefined) return known;
  const tokens = countOverhead(counter, params, family);
  cache.set(key, tokens);
  return tokens;
}
