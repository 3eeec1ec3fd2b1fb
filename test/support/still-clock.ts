import { vi } from 'vitest';
import { turns } from './until.ts';

/**
 * Stops the clock: it moves only as a test says, while everything that waits for no time goes on. A timer of
 * 0 ms is such a thing: work in slices rests on them.
 */
export function stopClock(): void {
  const { setTimeout: real } = globalThis;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  const { setTimeout: fake } = globalThis;
  globalThis.setTimeout = new Proxy(fake, {
    apply: (_target, self, given: Parameters<typeof setTimeout>) =>
      Reflect.apply(given[1] === 0 ? real : fake, self, given),
  });
}

/** Moves the clock; timers on the way fire in their order. */
export async function elapse(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  for (let round = 0; round < 10; round += 1) {
    // Seals and digests are made in other threads, where a busy machine takes its time: what was begun before this one.
    await crypto.subtle.digest('SHA-256', new Uint8Array());
    await turns(2);
  }
}
