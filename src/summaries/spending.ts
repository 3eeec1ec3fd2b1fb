import { randomId } from '../util/digest.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import type { BoundedMap } from '../util/maps/bounded-map.ts';

/** What bounds the calls of summarising models for a namespace. */
export interface SpendingBound {
  readonly maxSummaryCallsPerHour: number;
  /** `undefined` where no other process shares it. */
  readonly store: Pick<SealedStore, 'read' | 'write'> | undefined;
  /** Those of the namespace. */
  readonly keys: Pick<StoreKeys, 'key'>;
  /** Calls of an hour that this process knows of, whatever the store says. */
  readonly spent: BoundedMap<number>;
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
  for (let attempt = 1; ; attempt += 1) {
    const read = attempt > maxAttempts ? undefined : await store?.read(key);
    // What we did not seal says nothing.
    const count = Math.max(spent.get(key) ?? 0, Number(read?.text?.split(' ')[0] ?? 0));
    if (count >= most) return 0;
    if (store !== undefined && read?.known === true) {
      // No two are alike, so that whoever finds it knows whose it is.
      const text = `${count + 1} ${randomId()}`;
      const { outcome } = await store.write(key, text, { ttlMs: hourMs, expected: read.raw });
      if (outcome === 'taken') continue;
    }
    spent.set(key, Math.max(spent.get(key) ?? 0, count + 1));
    return most - count;
  }
}
