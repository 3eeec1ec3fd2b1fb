import type { SealedStore } from '../stores/seal/sealed-store.ts';
import type { StoreKeys } from '../stores/seal/store-keys.ts';
import type { BoundedMap } from '../util/maps/bounded-map.ts';
import { randomId } from '../hash/random-id.ts';

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

/** Slots that are tried: those that others take at the same time are passed over. */
const maxAttempts = 16;

/**
 * Counts one more call of this hour, unless there have been as many as may be. Across processes: each call
 * takes one of as many slots in the store. Where the store does not answer, this process counts by itself. Never
 * rejects.
 *
 * @returns Calls that may be made, this one included; 0 where it may not.
 */
export async function spend(bound: SpendingBound): Promise<number> {
  const { maxSummaryCallsPerHour, store, keys, spent } = bound;
  const hour = String(Math.floor(Date.now() / hourMs));
  const known = await keys.key('spending', hour);
  const least = (): number => spent.get(known) ?? 0;
  const learn = (slots: number): void => spent.set(known, Math.max(slots, least()));
  const keyOf = async (slot: number): Promise<string> => keys.key('spending', hour, String(slot));
  const isTaken = async (slot: number): Promise<boolean> =>
    (await store?.read(await keyOf(slot)))?.text !== undefined;

  let slot = least();
  for (let attempt = 0; attempt < maxAttempts && slot < maxSummaryCallsPerHour; attempt += 1) {
    const took = store && (await takeSlot(store, await keyOf(slot)));
    if (took === 'written') {
      learn(slot + 1);
      return maxSummaryCallsPerHour - slot;
    }
    if (took !== 'taken') break;
    slot = await firstFree(slot + 1, maxSummaryCallsPerHour, isTaken);
  }
  if (slot >= maxSummaryCallsPerHour) learn(slot);
  const left = Math.max(0, maxSummaryCallsPerHour - least());
  // The store does not answer, or makes no sense.
  if (left > 0) learn(least() + 1);
  return left;
}

/** Takes a slot, also where something stands that we did not seal: nothing was spent for it. */
async function takeSlot(
  store: NonNullable<SpendingBound['store']>,
  key: string,
): ReturnType<SealedStore['write']> {
  const token = randomId();
  const took = await store.write(key, token, { ifAbsent: true, ttlMs: hourMs });
  if (took !== 'taken') return took;
  const { taken, text } = await store.read(key);
  // Some clients send a command again after a lost connection, and then find what they wrote themselves.
  if (text === token) return 'written';
  return taken && text === undefined ? store.write(key, token, { ttlMs: hourMs }) : 'taken';
}

/**
 * The first slot that is free: they are taken in their order. Looks ever further ahead, then halves, so that
 * a process that has just started does not ask for each.
 */
async function firstFree(
  from: number,
  end: number,
  isTaken: (slot: number) => Promise<boolean>,
): Promise<number> {
  let low = from;
  let high = from;
  for (let step = 1; high < end && (await isTaken(high)); step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, end);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isTaken(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
