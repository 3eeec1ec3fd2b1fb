import type { StoredSummary } from '../../record/stored-summary.ts';
import { randomId } from '../../hash/random-id.ts';

/** Why there is no summary any more under a key, nor may be one again. */
export type Ending = 'erased' | 'undone';

/** What is sealed under the key of a record. */
export type StoredValue =
  | { readonly summary: StoredSummary; readonly ending?: undefined }
  | { readonly ending: Ending; readonly stamp: string; readonly summary?: undefined };

/**
 * A text that says that a summary was taken away, so that no copy brings it back. Each has a stamp of its own:
 * whoever did not see it when they began must not write over it.
 */
export function tombstone(ending: Ending): string {
  return JSON.stringify({ ending, stamp: randomId() });
}
