import { clockMs } from '../clock-ms.ts';

/** Work that leaves the event loop to others in between. */
export interface TimeSlices {
  /** Waits for its turn if the slice is used up. Rejects with the signal's reason when it aborts. */
  readonly pause: () => Promise<void> | undefined;
}

/** Milliseconds of a slice; the piece of work that ends it adds at most 5. */
const sliceMs = 8;

/** Makes slices that begin now. Throws the signal's reason when it has aborted: it cannot while a slice runs. */
export function timeSlices(abortSignal?: AbortSignal): TimeSlices {
  abortSignal?.throwIfAborted();
  let startedAt = clockMs();
  const wait = async (): Promise<void> => {
    await nextTurn();
    abortSignal?.throwIfAborted();
    startedAt = clockMs();
  };
  return { pause: () => (clockMs() - startedAt < sliceMs ? undefined : wait()) };
}

/** Lets the event loop go round. By a message: a timer rests for good where a test has replaced timers by its own. */
function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const channel = openChannel();
  if (channel === undefined) {
    setTimeout(resolve, 0);
    return promise;
  }
  const { port1, port2 } = channel;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it starts the port too
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(undefined);
  return promise;
}

/** `undefined` where there is none; the edge runtime of Next.js has one that throws. */
function openChannel(): MessageChannel | undefined {
  try {
    return new MessageChannel();
  } catch {
    return undefined;
  }
}
