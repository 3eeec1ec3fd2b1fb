import { delay } from '../../util/async/delay.ts';
import { isBusy } from './sqlite-faults.ts';
import { clockMs } from '../../util/clock-ms.ts';

/** Longest time between two attempts. A lock is held for less than a millisecond as a rule. */
const maxDelayMs = 50;

/**
 * Tries an operation again while another process holds the lock, letting others work in between: SQLite's own
 * waiting would block the thread. The times between attempts are drawn at random, up to a bound that doubles, so
 * that those who wait do not meet again.
 *
 * @param timeoutMs - Time after which the fault of the last attempt is thrown.
 */
export async function retryWhileBusy<T>(timeoutMs: number, operation: () => T): Promise<T> {
  const end = clockMs() + timeoutMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return operation();
    } catch (error) {
      if (!isBusy(error) || clockMs() >= end) throw error;
    }
    await delay(Math.random() * Math.min(2 ** attempt, maxDelayMs), undefined);
  }
}
