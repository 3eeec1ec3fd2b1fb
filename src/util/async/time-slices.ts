import { clockMs } from '../clock-ms.ts';

/** Milliseconds of a slice; the piece of work that ends it adds at most 5. */
const sliceMs = 8;

/** When the last turn began that long work waited for. */
let startedAt = 0;

/** Leaves the event loop to others, where the work that runs has not done so for the time of a slice. */
export function pause(): Promise<void> | undefined {
  return clockMs() - startedAt < sliceMs ? undefined : wait();
}

async function wait(): Promise<void> {
  await nextTurn();
  startedAt = clockMs();
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
