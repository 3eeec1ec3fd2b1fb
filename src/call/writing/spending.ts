import { randomId } from '../../foundations/util/digest.ts';
import {
  changeValue,
  type SealedAnswer,
  type SealedStore,
  type WrittenValue,
} from '../../state/stores/sealed-store.ts';
import type { StoreKeys } from '../../state/stores/store-keys.ts';
import type { BoundedMap } from '../../foundations/util/maps/bounded-map.ts';

/** Limit of the calls of summarizing models for a namespace. */
export interface SpendingBound {
  readonly maxSummaryCallsPerHour: number;
  /** Shared store; `undefined` if no other process shares one. */
  readonly store: Pick<SealedStore, 'read' | 'write'> | undefined;
  /** Keys of the namespace. */
  readonly keys: Pick<StoreKeys, 'key'>;
  /** Calls of an hour that this process knows of, whatever the store says. */
  readonly spent: BoundedMap<number>;
}

const hourMs = 3_600_000;

/**
 * Counts one more call of this hour, unless the limit is reached. If the store does not answer, this process counts by
 * itself. Never rejects.
 *
 * @returns Calls that may be made, this one included; 0 if it may not be made.
 */
export async function countCall(bound: SpendingBound): Promise<number> {
  const { maxSummaryCallsPerHour: most, store, keys, spent } = bound;
  const key = await keys.key('spending', String(Math.floor(Date.now() / hourMs)));
  let count = 0;
  const counted = async ({ text }: Partial<SealedAnswer>): Promise<WrittenValue | undefined> => {
    // A value with another seal proves nothing.
    count = Math.max(spent.get(key) ?? 0, Number(text?.split(' ')[0] ?? 0));
    // The values of all writers differ, so that each recognizes its own.
    return count < most ? { text: `${count + 1} ${randomId()}`, ttlMs: hourMs } : undefined;
  };
  const { known } = store === undefined ? { known: false } : await changeValue(store, key, counted);
  if (!known) await counted({});
  if (count >= most) return 0;
  spent.set(key, Math.max(spent.get(key) ?? 0, count + 1));
  return most - count;
}
