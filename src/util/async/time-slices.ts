import { clockMs } from '../clock-ms.ts';

/** Milliseconds of a slice; the piece of work that ends it adds at most 5. */
const sliceMs = 8;

/** When the last turn began that long work waited for. */
let startedAt = 0;

/** Leaves the event loop to others, where the work that runs has not done so for the time of a slice. */
export function pause(): Promise<void> | undefined {
  return clockMs() - startedAt < sliceMs ? undefined : nextTurn();
}

/** Lets the event loop go round. By a message: a timer rests for good where a test has replaced timers by its own. */
function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begin = (): void => {
    startedAt = clockMs();
    resolve();
  };
  try {
    const { port1, port2 } = new MessageChannel();
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it starts the port too
    port1.onmessage = () => {
      port1.close();
      begin();
    };
    port2.postMessage(undefined);
  } catch {
    // The edge runtime of Next.js has none that works.
    setTimeout(begin, 0);
  }
  return promise;
}
