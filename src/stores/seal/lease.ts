import type { SealedStore } from './sealed-store.ts';
import { clockMs } from '../../util/clock-ms.ts';
import { randomId } from '../../hash/random-id.ts';

/** What a lease needs of a store: it never rejects, and answers in time or not at all. */
export type LeaseStore = Pick<SealedStore, 'read' | 'write' | 'remove' | 'timeoutMs'>;

/** The right to do some work, which others wait for. Losing it is not noticed, and costs their money only. */
export interface Lease {
  /** Lets others do the work. Never rejects. */
  readonly release: () => Promise<void>;
}

/** Milliseconds after which the lease of a process that has died ends, where the store answers in time. */
const leastLeaseMs = 10_000;

/** Renewals in the time of a lease. Each takes two operations, and has ended before the lease does. */
const renewals = 3;
const timeoutsOfLease = 5;

/**
 * Milliseconds by which the clocks of processes may differ: for so long the seal of what has a short life outlasts it.
 * The store ends that life, and of what it does not end it counts whether it changes.
 */
export const maxClockDifferenceMs: number = 24 * 60 * 60_000;

/** Times that a store says that a lease is taken and shows none, before nobody has it. */
const maxContradictions = 3;

/**
 * Makes a function that takes a lease, and renews it until it is released; `'taken'` while somebody else has
 * it. Where the store does not answer there is none, and the work is done all the same: who cannot read would not
 * see the end of another's.
 *
 * What holds others up is a value that we sealed and that changes: whatever else stands there, such as what was
 * left behind in a store that forgets nothing, is removed.
 */
export function leaseSeeker(store: LeaseStore, key: string): () => Promise<Lease | 'taken'> {
  const token = randomId();
  const leaseMs = Math.max(leastLeaseMs, timeoutsOfLease * store.timeoutMs);
  const times = { ttlMs: leaseMs, sealedMs: leaseMs + maxClockDifferenceMs };
  /** Values that stood there, and since when as far as is known: one that comes again has not been renewed. */
  const seen = new Map<string, number>();
  let contradictions = 0;

  const take = (): ReturnType<LeaseStore['write']> =>
    store.write(key, token, { ifAbsent: true, ...times });
  /** Whether a value has stood there for longer than a lease that nobody renews. */
  const isLeftBehind = (value: string): boolean => {
    const now = clockMs();
    const since = seen.get(value) ?? now;
    seen.set(value, since);
    return now - since > leaseMs;
  };
  const hold = (isTaken: boolean): Lease => holdLease(store, { key, token, isTaken, ...times });

  return async () => {
    const first = await take();
    if (first !== 'taken') return hold(first === 'written');
    const { known, taken, text, expiresAt } = await store.read(key);
    if (!known) return hold(false);
    // Some clients send a command again after a lost connection, and then find what they wrote themselves.
    if (text === token) return hold(true);
    if (text !== undefined && !isLeftBehind(`${text} ${expiresAt}`)) {
      contradictions = 0;
      return 'taken';
    }
    if (taken) await store.remove(key);
    const second = await take();
    if (second !== 'taken') return hold(second === 'written');
    // A store that takes nothing at all, or shows late what it has taken.
    contradictions += 1;
    return contradictions < maxContradictions ? 'taken' : hold(false);
  };
}

/** What is held, and for how long. */
interface HeldLease {
  readonly key: string;
  readonly token: string;
  /** Whether it was taken; a store that does not answer has none. */
  readonly isTaken: boolean;
  readonly ttlMs: number;
  readonly sealedMs: number;
}

function holdLease(store: LeaseStore, { key, token, isTaken, ttlMs, sealedMs }: HeldLease): Lease {
  let isReleased = false;
  let renewal = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = async (): Promise<void> => {
    const { text = token } = await store.read(key);
    if (text !== token || isReleased) return;
    await store.write(key, token, { ttlMs, sealedMs });
    if (!isReleased) renewLater();
  };
  const renewLater = (): void => {
    timer = setTimeout(() => (renewal = renew()), ttlMs / renewals);
  };
  if (isTaken) renewLater();
  return {
    release: async () => {
      isReleased = true;
      clearTimeout(timer);
      await renewal;
      // Also where no answer came: it may have been written all the same.
      if ((await store.read(key)).text === token) await store.remove(key);
    },
  };
}
