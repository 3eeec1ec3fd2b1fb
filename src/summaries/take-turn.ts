import type { StoredSummary } from '../record/stored-summary.ts';
import { leaseSeeker, type Lease } from '../stores/seal/lease.ts';
import type { SealedStore } from '../stores/seal/sealed-store.ts';
import { delay } from '../util/async/delay.ts';
import { withSignals } from '../util/async/with-signals.ts';
import { clockMs } from '../util/clock-ms.ts';

/** Milliseconds between two looks for what another process writes: they double. */
const firstPauseMs = 50;
const longestPauseMs = 1000;

/** A summary that one process at a time is to write. */
export interface TurnRequest {
  /** `undefined` where no other process shares the store. */
  readonly store: SealedStore | undefined;
  /** Store key of the summary. */
  readonly key: string;
  /** The stored summary, if it is there. */
  readonly read: () => Promise<StoredSummary | undefined>;
  /** Whether the store has answered: who cannot read does not wait for another process. */
  readonly isAnswered: () => boolean;
  /** Milliseconds for which another process is waited for. */
  readonly patienceMs: number;
  /** Ends the wait at once. */
  readonly hurry: AbortSignal;
  /** Aborts when nobody wants the summary. */
  readonly abortSignal: AbortSignal;
}

const nothingHeld: Lease = { release: async () => {} };

/**
 * Waits until this process may write a summary, or until another one has written it: as long as that one
 * holds the lease, and never longer than there is patience.
 *
 * @throws The reason of `abortSignal`.
 */
export async function takeTurn(request: TurnRequest): Promise<StoredSummary | Lease> {
  const { store, key, read, isAnswered, patienceMs, hurry, abortSignal } = request;
  const endsAt = clockMs() + patienceMs;
  const take = store && leaseSeeker(store, await store.keys.key('lease', key));
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const lease = take === undefined ? nothingHeld : await take();
    // After the lease was taken: whoever had it before may just have written.
    const known = await read();
    const isOver = known !== undefined || abortSignal.aborted;
    if (isOver && lease !== 'taken') void lease.release();
    abortSignal.throwIfAborted();
    if (known !== undefined) return known;
    if (lease !== 'taken') return lease;
    if (hurry.aborted || !isAnswered() || clockMs() >= endsAt) return nothingHeld;
    const restMs = Math.min(pauseMs, endsAt - clockMs());
    try {
      await withSignals([hurry, abortSignal], async (signal) => delay(restMs, signal));
    } catch {
      abortSignal.throwIfAborted();
    }
  }
}
