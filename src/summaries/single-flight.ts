import { abortable } from '../util/abortable.ts';

/** Runs work once for everybody who asks for it at the same time. */
export interface SingleFlight<T> {
  /**
   * Joins the work in progress under a key, or starts it. A caller whose signal aborts rejects at once
   * with the signal's reason and leaves the others alone; when the last one has left, the work itself
   * is aborted.
   */
  readonly run: (
    key: string,
    work: (abortSignal: AbortSignal) => Promise<T>,
    abortSignal?: AbortSignal,
  ) => Promise<T>;
  /** Keys with work in progress. */
  readonly size: () => number;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiters: number;
}

/** Makes a {@link SingleFlight}. One an instance, never one for the process: keys of tenants stay apart. */
export function singleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  const start = (key: string, work: (abortSignal: AbortSignal) => Promise<T>): Flight<T> => {
    const controller = new AbortController();
    const flight: Flight<T> = {
      result: work(controller.signal).finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      }),
      controller,
      waiters: 0,
    };
    // Everybody may have left by the time it rejects.
    flight.result.catch(() => {});
    flights.set(key, flight);
    return flight;
  };

  return {
    size: () => flights.size,
    run: async (key, work, abortSignal) => {
      abortSignal?.throwIfAborted();
      const flight = flights.get(key) ?? start(key, work);
      flight.waiters += 1;
      try {
        return await abortable(flight.result, abortSignal);
      } finally {
        flight.waiters -= 1;
        // Still in the map means still at work, and nobody is left to want the result.
        if (flight.waiters === 0 && flights.get(key) === flight) {
          flights.delete(key);
          flight.controller.abort(abortSignal?.reason);
        }
      }
    },
  };
}
