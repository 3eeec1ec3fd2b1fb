import { delay } from '../../util/async/delay.ts';
import type { IoredisClient } from './redis-client.ts';
import { clockMs } from '../../util/clock-ms.ts';

/** What a client of ioredis says of itself while it tries to connect. */
const tries: ReadonlySet<string> = new Set(['connecting', 'connect', 'reconnecting', 'close']);

const connectionPollMs = 20;

/**
 * Waits for a client of ioredis to have its connection. It would queue what it is asked for meanwhile, in a
 * cluster without an end, and send it when whoever asked has long gone on.
 *
 * @throws {Error} when it has none in time.
 */
export async function connected(client: IoredisClient, maxMs: number): Promise<void> {
  const giveUpAt = clockMs() + maxMs;
  while (tries.has(client.status)) {
    if (clockMs() >= giveUpAt) throw new Error(`no connection within ${maxMs} ms`);
    await delay(connectionPollMs, undefined);
  }
}
