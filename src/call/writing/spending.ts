import type { RequestDocuments, StatePlace } from '../../state/conversation/conversation-state.ts';
import { changeValue, sealedStore } from '../../state/stores/sealed-store.ts';
import { randomId } from '../../foundations/util/digest.ts';
import type { BoundedMap } from '../../foundations/util/maps/bounded-map.ts';

/** Limit of the calls of summarizing models for a namespace. */
interface SpendingBound {
  readonly options: { readonly maxSummaryCallsPerHour?: number | undefined };
  readonly place: Pick<StatePlace, 'store' | 'keys' | 'storeTimeoutMs'>;
  /** Calls of an hour that this process knows of, whatever the store says. */
  readonly memory: { readonly spent: BoundedMap<number> };
}

const hourMs = 3_600_000;

/**
 * Counts one more call of this hour, unless the limit is reached. If the store does not answer, this process counts by
 * itself. Never rejects.
 *
 * @param documents - They know whether the store answers: nobody waits again for one that is silent.
 * @returns Calls that may be made, this one included; 0 if it may not be made; `undefined` if calls are not limited.
 */
export async function countCall(
  { options, place, memory: { spent } }: SpendingBound,
  documents: Pick<RequestDocuments, 'isAnswered'>,
): Promise<number | undefined> {
  const { maxSummaryCallsPerHour: most } = options;
  if (most === undefined) return undefined;
  const { store, keys, storeTimeoutMs: timeoutMs } = place;
  const key = await keys.key('spending', String(Math.floor(Date.now() / hourMs)));
  let count = 0;
  const counted = async ({ text }: { readonly text?: string | undefined }) => {
    // A value with another seal proves nothing.
    count = Math.max(spent.get(key) ?? 0, Number(text?.split(' ')[0] ?? 0));
    // The values of all writers differ, so that each recognizes its own.
    return count < most ? { text: `${count + 1} ${randomId()}`, ttlMs: hourMs } : undefined;
  };
  // A local store is shared with no other process.
  const isShared = !store.isLocal && documents.isAnswered();
  const { known } = isShared
    ? await changeValue(sealedStore(store, keys, { timeoutMs }), key, counted)
    : { known: false };
  if (!known) await counted({});
  if (count >= most) return 0;
  spent.set(key, Math.max(spent.get(key) ?? 0, count + 1));
  return most - count;
}
