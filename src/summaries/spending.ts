import { randomId } from '../hash/random-id.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import type { BoundedMap } from '../util/maps/bounded-map.ts';

/** Calls of an hour, and what the store holds of them as far as is known. */
export interface Spent {
  readonly count: number;
  readonly raw?: string | undefined;
}

/** What bounds the calls of summarising models for a namespace. */
export interface SpendingBound {
  readonly maxSummaryCallsPerHour: number;
  /** `undefined` where no other process shares it. */
  readonly store: Pick<SealedStore, 'read' | 'write'> | undefined;
  /** Those of the namespace. */
  readonly keys: Pick<StoreKeys, 'key'>;
  /** Calls of an hour that this process knows of, whatever the store says. */
  readonly spent: BoundedMap<Spent>;
}

const hourMs = 3_600_000;

/** Times that others may be faster. */
const maxAttempts = 64;

/**
 * Counts one more call of this hour, unless there have been as many as may be. Where the store does not answer, this
 * process counts by itself. Never rejects.
 *
 * @returns Calls that may be made, this one included; 0 where it may not.
 */
export async function spend(bound: SpendingBound): Promise<number> {
  const { maxSummaryCallsPerHour: most, store, keys, spent } = bound;
  const key = await keys.key('spending', String(Math.floor(Date.now() / hourMs)));
  const known = (): number => spent.get(key)?.count ?? 0;
  const take = (before: number, raw?: string): number => {
    spent.set(key, { count: Math.max(known(), before + 1), raw });
    return Math.max(0, most - before);
  };
  let [count, expected] = [known(), spent.get(key)?.raw];
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (store === undefined) break;
    if (expected === undefined || attempt > 0) {
      const read = await store.read(key);
      if (!read.known) break;
      // What we did not seal says nothing.
      count = Math.max(known(), Number(read.text?.split(' ')[0] ?? 0));
      expected = read.raw;
    }
    if (count >= most) return 0;
    // No two are alike, so that whoever finds it knows whose it is.
    const text = `${count + 1} ${randomId()}`;
    const { outcome, raw } = await store.write(key, text, { ttlMs: hourMs, expected });
    if (outcome === 'written') return take(count, raw);
    if (outcome === 'failed') break;
  }
  // The store does not answer, or makes no sense.
  return take(known());
}
