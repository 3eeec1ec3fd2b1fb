import { boundedMap, type BoundedMap } from '../util/maps/bounded-map.ts';

/**
 * Remembers the digests of prefixes that this process has computed, under a keyed hash of 64 bits with a
 * proven bound and the number of messages, so that a known prefix is hashed cheaply and not canonicalised
 * again. Holds no text.
 */
export type PrefixMemory = Pick<BoundedMap<string>, 'get' | 'set'>;

/** Prefixes remembered, about 250 bytes each. */
const maxPrefixes = 10_000;

/** Makes a memory of prefixes. */
export function prefixMemory(): PrefixMemory {
  return boundedMap<string>(maxPrefixes);
}
