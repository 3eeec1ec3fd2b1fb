import { retentionMs } from '../../stores/retention.ts';
import type { StoreKeys } from '../../stores/store-keys.ts';
import type { SummaryStore } from '../../stores/summary-store.ts';

/** Keeps what models wrote, by what they were asked. */
export interface SummaryCache {
  /**
   * The summary for such a question as `accept` reads it, or the one `write` makes, which is then kept.
   *
   * @param accept - Given what was kept, which may be anything; `undefined` when that is not to be used.
   */
  readonly through: (
    question: readonly string[],
    write: () => Promise<string>,
    accept: (kept: string) => Promise<string | undefined>,
  ) => Promise<string>;
}

/** Keeps nothing. */
export const noCache: SummaryCache = { through: (_question, write) => write() };

/** Makes a cache on a store, whose faults must count as misses. */
export function summaryCache(store: SummaryStore, keys: StoreKeys): SummaryCache {
  return {
    through: async (question, write, accept) => {
      const key = await keys.key('summary', ...question);
      const kept = parse(await store.get(key));
      const known = kept === undefined ? undefined : await accept(kept);
      if (known !== undefined) return known;
      const summary = await write();
      await store.set(key, JSON.stringify({ summary }), { ttlMs: retentionMs });
      return summary;
    },
  };
}

/** The part of a cache that belongs to one namespace, whoever shares the rest. */
export function cacheOf(cache: SummaryCache, namespace = ''): SummaryCache {
  return {
    through: (question, write, accept) => cache.through([namespace, ...question], write, accept),
  };
}

/** What cannot be read is a miss. */
function parse(value: Awaited<ReturnType<SummaryStore['get']>>): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const stored: unknown = JSON.parse(value);
    if (typeof stored !== 'object' || stored === null || !('summary' in stored)) return undefined;
    const { summary } = stored;
    return typeof summary === 'string' && summary.trim() !== '' ? summary : undefined;
  } catch {
    return undefined;
  }
}
