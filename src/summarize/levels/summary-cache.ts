import { retentionMs } from '../../state/retention.ts';
import type { StoreKeys } from '../../state/store-keys.ts';
import type { SummaryStore } from '../../state/summary-store.ts';

/** Keeps what models wrote, by what they were asked. */
export interface SummaryCache {
  /** The summary for such a question, or the one `write` makes, which is then kept. */
  readonly through: (question: readonly string[], write: () => Promise<string>) => Promise<string>;
}

/** Keeps nothing. */
export const noCache: SummaryCache = { through: (_question, write) => write() };

/** Makes a cache on a store, whose faults must count as misses. */
export function summaryCache(store: SummaryStore, keys: StoreKeys): SummaryCache {
  return {
    through: async (question, write) => {
      const key = await keys.key('summary', ...question);
      const known = parse(await store.get(key));
      if (known !== undefined) return known;
      const summary = await write();
      await store.set(key, JSON.stringify({ summary }), { ttlMs: retentionMs });
      return summary;
    },
  };
}

/** What cannot be read is a miss. */
function parse(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    const stored: unknown = JSON.parse(value);
    if (typeof stored !== 'object' || stored === null || !('summary' in stored)) return undefined;
    const { summary } = stored;
    return typeof summary === 'string' && summary.trim() !== '' ? summary : undefined;
  } catch {
    return undefined;
  }
}
