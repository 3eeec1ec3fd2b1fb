import type { StoredSummary } from '../../record/stored-summary.ts';
import type { StoreKeys } from '../../stores/seal/store-keys.ts';
import type { Erasures } from './was-erased.ts';

/** A summary that this process has made or read. */
export interface KnownSummary {
  readonly summary: StoredSummary;
  /** Store key it is kept under. */
  readonly key: string;
  /** Makes that key and its seal: of the current secret, or of the one before. */
  readonly keys: StoreKeys;
  /** Milliseconds since the epoch from which on it is to be forgotten. */
  readonly expiresAt: number;
  /** Erasures of its lists when it became known. */
  readonly erasures: Erasures;
  /** What another process stored first for the same messages; it is continued, not sent. */
  readonly winner?: StoredSummary | undefined;
}

/** Whether a summary has stood in a prompt: one that was prepared has not, before it is due. */
export function isInUse({ summary }: Pick<KnownSummary, 'summary'>): boolean {
  return summary.prepared !== true;
}

/** Whether two summaries of the same messages were written apart. */
export function isAnother({ summary }: KnownSummary, mine: KnownSummary): boolean {
  const [theirs, ours] = [summary.record, mine.summary.record];
  return theirs.timestamp !== ours.timestamp || theirs.summary !== ours.summary;
}
