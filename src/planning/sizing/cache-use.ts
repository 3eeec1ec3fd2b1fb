import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import { readUsage } from './usage.ts';

/**
 * When the last call of a conversation was, in milliseconds since the epoch; the share of a prompt that is in the cache, where
 * the calls say so: what is seen of it may only bring a summary forward; calls in a row that found next to nothing in it.
 */
const uses = boundedMap<{ readonly at: number; readonly cached: number; readonly misses: number }>(
  5000,
);
/** Prompts that are shorter are seldom cached at all. */
const leastCachedTokens = 4096;

/** Misses that are believed: single calls miss the cache after a summary, or if it is spread over machines. */
const believedMisses = 3;

/** The use of the cache by a conversation. */
interface CacheUse {
  /** When its last call was, in milliseconds since the epoch, and the share of the prompt that was in the cache. */
  readonly at: number;
  readonly cached: number;
  /** Remembers the usage of an answer. */
  readonly note: (usage: LanguageModelV4Usage) => void;
}

/** Returns the use of the cache by a conversation. */
export function cacheUse(key: string): CacheUse {
  const { at, cached } = uses.get(key) ?? { at: Date.now(), cached: 1 };
  return { at, cached, note: (usage) => noteUse(key, usage) };
}

function noteUse(key: string, usage: LanguageModelV4Usage): void {
  const { inputTokens = 0, cacheReadTokens } = readUsage(usage) ?? {};
  const says = cacheReadTokens !== undefined && inputTokens >= leastCachedTokens;
  const share = says ? cacheReadTokens / inputTokens : 1;
  const misses = share < 0.1 ? (uses.get(key)?.misses ?? 0) + 1 : 0;
  uses.set(key, { at: Date.now(), cached: misses >= believedMisses ? share : 1, misses });
}
