import type { SummaryStore } from './summary-store.ts';
import type { SummaryTreeStore } from './summary-tree-store.ts';

/** Where summaries are kept. */
export interface StoreOptions {
  /**
   * Where summaries are kept between requests.
   * @default memoryStore()
   */
  readonly store?: SummaryStore | undefined;
  /**
   * Keeps states apart that must never meet. Multi-tenant back ends set one for each tenant: without,
   * two users whose conversations begin with the same messages share a summary of them.
   * @default ''
   */
  readonly namespace?: string | undefined;
  /**
   * Keys the store's keys: the same on every instance that shares a store. At least 16 characters.
   * @default a random one for this process, so that no other process finds what this one stored
   */
  readonly secret?: string | undefined;
  /**
   * Summaries that models may write for a namespace in an hour; beyond it the rules write. Bounds what one
   * tenant can spend. Minimum: 1.
   * @default undefined (off)
   */
  readonly maxSummariesPerHour?: number | undefined;
  /**
   * Keeps the current summary of each conversation where people and programs can find it, under the id
   * that `summaryTreeId` gives; the `persisted` event names it. Written when a summary has been made. The
   * call waits for it 250 ms at most; what it could not keep within a minute is reported as an event and
   * changes nothing else.
   * @default undefined (off)
   */
  readonly summaryTreeStore?: SummaryTreeStore | undefined;
}
