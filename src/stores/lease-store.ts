import type { LeaseStore } from './lease.ts';
import type { SummaryStore } from './summary-store.ts';

/** A store that never rejects as leases see it; `undefined` for one in this process, which needs none. */
export function leaseStore(
  store: SummaryStore,
  { isLocal = false }: Pick<SummaryStore, 'isLocal'>,
): LeaseStore | undefined {
  if (isLocal) return undefined;
  const get = async (key: string): Promise<string | undefined> => {
    const value = await store.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    get: async (key) => ({ known: true, value: await get(key) }),
    set: async (key, value, { ifAbsent, ttlMs }) => {
      if (await store.set(key, value, { ifAbsent, ttlMs })) return 'written';
      return ifAbsent === true && (await get(key)) !== undefined ? 'taken' : 'failed';
    },
    delete: async (key) => {
      await store.delete(key);
      return true;
    },
  };
}
