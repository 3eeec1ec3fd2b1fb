import { readdirSync } from 'node:fs';
import { vi } from 'vitest';
import { loadTokenizer } from './load-tokenizer.ts';
import { quiet } from './quiet.ts';

/** Timers that may fire before work counts as hung. */
const mostTimers = 20_000;
/** Real waits of 5 ms without a timer before it does. */
const mostWaits = 1000;

const { setTimeout: real } = globalThis;
let instantTimers = 0;

/** Stops the clock. Timers of 0 ms are none: work in slices and simulated streams rest on them. */
export async function stopTime(): Promise<void> {
  await loadAll();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply: (fake, self, given: Parameters<typeof setTimeout>) => {
      if ((given[1] ?? 0) > 0) return Reflect.apply(fake, self, given);
      instantTimers += 1;
      return Reflect.apply(real, self, given);
    },
  });
}

/** Lets everything go on that waits for no time. */
export async function still(): Promise<void> {
  for (let seen = -1; seen !== instantTimers;) {
    seen = instantTimers;
    await quiet();
    // Later than all that were started before it.
    if (instantTimers > 0) await new Promise((resolve) => real(resolve, 1));
  }
  instantTimers = 0;
  await quiet();
}

/** Moves the clock; timers on the way fire in their order. */
export async function elapse(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await still();
}

/** Ends work whatever it waits for: whenever all else stands still, the next timer fires. */
export async function settled<Result>(work: Promise<Result>): Promise<Result> {
  const progress = { isSettled: false };
  const ended = work.finally(() => (progress.isSettled = true));
  ended.catch(() => {});
  await still();
  for (let fired = 0, waited = 0; !progress.isSettled; fired += 1) {
    if (fired === mostTimers || waited === mostWaits) throw new Error('It hangs.');
    // Without a timer it waits for another thread, such as one that compresses.
    waited = vi.getTimerCount() === 0 ? waited + 1 : 0;
    if (waited > 0) await new Promise((resolve) => real(resolve, 5));
    else vi.advanceTimersToNextTimer();
    await still();
  }
  return ended;
}

/** Lets all timers fire that are left. */
export async function untilNoTimer(): Promise<void> {
  for (let fired = 0; vi.getTimerCount() > 0; fired += 1) {
    if (fired === mostTimers) throw new Error('Timers are set again and again.');
    vi.advanceTimersToNextTimer();
    await still();
  }
}

/** Loads all modules but those of the command, which would begin: once the clock stands still, nothing tells when one has arrived. */
async function loadAll(): Promise<void> {
  const source = new URL('../../src/', import.meta.url);
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.startsWith('entries/cli/'))
      await import(new URL(path, source).pathname);
  await Promise.all([import('ai'), loadTokenizer()]);
}
