import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { readUsage } from '../../sizing/read-usage.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';

/** What the last call of a conversation says of the provider's cache. */
export interface CacheUse {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Share of the prompt that can be expected to be in the cache; 1 unless the provider has said that little was. */
  readonly cachedShare: number;
}

const maxConversations = 5000;
/** Prompts that are shorter are seldom cached at all. */
const leastCachedTokens = 4096;

const uses = boundedMap<CacheUse & { readonly missed: number }>(maxConversations);

/**
 * Calls in a row of which the cache had next to nothing before it is believed not to work: behind a summary, and where
 * a cache is spread over machines, single ones miss it.
 */
const believedMisses = 3;

/** When the conversations of this process were last sent, and what the cache had of them: by model and opening. */
export const cacheUses = {
  get: (key: string): CacheUse | undefined => uses.get(key),
  note: (key: string, usage: LanguageModelV4Usage): void => {
    const { inputTokens = 0, cacheReadTokens } = readUsage(usage) ?? {};
    const says = cacheReadTokens !== undefined && inputTokens >= leastCachedTokens;
    const share = says ? cacheReadTokens / inputTokens : 1;
    const missed = share < 0.1 ? (uses.get(key)?.missed ?? 0) + 1 : 0;
    const cachedShare = missed >= believedMisses ? share : 1;
    uses.set(key, { at: Date.now(), cachedShare, missed });
  },
};
