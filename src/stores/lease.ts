import type { SummaryStoreSetOptions } from './summary-store.ts';

/** What a lease needs of a store: it never rejects, and answers in time or not at all. */
export interface LeaseStore {
  readonly get: (
    key: string,
    wait: { readonly timeoutMs: number },
  ) => Promise<{ readonly known: boolean; readonly value?: string | undefined }>;
  readonly set: (
    key: string,
    value: string,
    options: SummaryStoreSetOptions & { readonly timeoutMs: number },
  ) => Promise<'written' | 'taken' | 'failed'>;
  readonly delete: (key: string, wait: { readonly timeoutMs: number }) => Promise<boolean>;
}

/** The right to do some work, which others wait for. Losing it is not noticed, and costs their money only. */
export interface Lease {
  /** Lets others do the work. Never rejects. */
  readonly release: () => Promise<void>;
}

/** Milliseconds after which the lease of a process that has died ends. */
const leaseMs = 10_000;

/** Milliseconds a lease is waited for: less than the time between two renewals. */
const wait = { timeoutMs: 2000 };

/**
 * Takes a lease, and renews it until it is released. Where the store does not answer there is none, and the
 * work is done all the same.
 *
 * @returns `'taken'` while somebody else has it.
 */
export async function takeLease(store: LeaseStore, key: string): Promise<Lease | 'taken'> {
  const token = crypto.randomUUID();
  const take = async (): Promise<'written' | 'taken' | 'failed'> =>
    store.set(key, token, { ifAbsent: true, ttlMs: leaseMs, ...wait });
  let taken = await take();
  for (let attempt = 0; taken === 'taken' && attempt < 2; attempt += 1) {
    const held = await store.get(key, wait);
    // Some clients send a command again after a lost connection, and then find what they wrote themselves.
    if (held.value === token) break;
    if (!held.known || held.value !== undefined) return 'taken';
    // It has ended meanwhile, or the store takes nothing at all: then nobody has it.
    taken = await take();
  }

  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReleased = false;
  const isStillOurs = async (): Promise<boolean> => {
    const held = await store.get(key, wait);
    if (isReleased) return false;
    if (!held.known) return true;
    if (held.value === undefined) return (await take()) !== 'taken';
    if (held.value !== token) return false;
    await store.set(key, token, { ttlMs: leaseMs, ...wait });
    return true;
  };
  const renewLater = (): void => {
    timer = setTimeout(() => void renew(), leaseMs / 3);
  };
  const renew = async (): Promise<void> => {
    const isOurs = await isStillOurs();
    if (isOurs && !isReleased) renewLater();
  };
  if (taken !== 'failed') renewLater();
  return {
    release: async () => {
      isReleased = true;
      clearTimeout(timer);
      // Also where no answer came: it may have been written all the same.
      const held = await store.get(key, wait);
      if (held.value === token) await store.delete(key, wait);
    },
  };
}
