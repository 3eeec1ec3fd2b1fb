import { boundedMap, type BoundedMap } from '../../util/bounded-map.ts';

/** Keeps texts by key, in memory. */
export type TextCache = Pick<BoundedMap<string>, 'get' | 'set'>;

/**
 * Makes a cache of texts.
 *
 * @param maxCharacters - Characters of keys and texts it may hold. A longer text is not kept.
 */
export function textCache(maxCharacters: number): TextCache {
  return boundedMap(maxCharacters, (key, text) => key.length + text.length);
}
