import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { SummaryStore } from '../../src/index.ts';

/** How a tester takes a server away. */
export interface ServerHooks {
  /** Resolves once the server is away. */
  readonly stop: () => Promise<void>;
  /** Resolves once it is back. */
  readonly start: () => Promise<void>;
}

/** Milliseconds in which a client may show what it makes of an outage. One that waits longer shows nothing. */
const lookMs = 500;

/**
 * Expects that a store does not pass an outage off as an absent value, and answers again after it. What its server holds
 * may be lost.
 */
export async function honestInOutage(
  store: SummaryStore,
  { stop, start }: ServerHooks,
): Promise<void> {
  const [key, during] = [0, 1].map(() =>
    `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', ''),
  );
  if (key === undefined || during === undefined) throw new Error('There are two keys.');
  const put = async (value: string): Promise<boolean> =>
    store.compareAndSet(key, { expected: (await store.get(key)) ?? undefined, value });
  await put('"before"');
  await stop();
  let [isLie, isWritten] = [false, false];
  const read = store.get(key).then((value) => (isLie = typeof value !== 'string'));
  const write = store
    .compareAndSet(during, { expected: undefined, value: '"during"' })
    .then((is) => (isWritten = is));
  void Promise.allSettled([read, write]);
  try {
    await delay(lookMs);
    expect(isLie).toBe(false);
  } finally {
    await start();
  }
  await vi.waitUntil(async () => put('"after"').catch(() => false), 30_000);
  expect(await store.get(key)).toBe('"after"');
  if (isWritten) expect(await store.get(during)).toBe('"during"');
}
