import { afterEach, expect, it, vi } from 'vitest';
import { chat } from '../../support/messages.ts';
import { quiet } from '../../support/quiet.ts';
import { setUp } from '../../support/set-up.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { elapse, stopClock } from '../../support/still-clock.ts';
import { settled, stopTime } from '../../support/virtual-time.ts';
import { answered, send, tooSmall } from '../../support/waiting.ts';
import { secret } from './processes.ts';

afterEach(() => {
  vi.useRealTimers();
});

it.each([300, 3000])(
  'a call waits once for what processes share, as long as storeTimeoutMs says: %i ms',
  async (storeTimeoutMs) => {
    // What loads once has been loaded.
    await answered(setUp({ ...tooSmall, store: sharedStore().open(), secret }));
    stopClock();
    // Reads are answered: for its turn is waited, and then not for its share of the hour.
    const silence = async (): Promise<never> => new Promise(() => {});
    const store = sharedStore().open(() => ({ compareAndSet: silence }));
    const made = setUp({ ...tooSmall, store, secret, storeTimeoutMs, maxSummaryCallsPerHour: 10 });
    const run = send(made);
    await quiet();
    await elapse(storeTimeoutMs - 1);
    await quiet();
    expect(made.summarizer.doGenerateCalls).toHaveLength(0);
    await elapse(1);
    await quiet();
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    // Nor for its place in the store.
    expect(run.outcome).toBe('answered');
  },
);

it('a call waits no longer than storeTimeoutMs for what others have learned of the model', async () => {
  await stopTime();
  const silence = async (): Promise<never> => new Promise(() => {});
  const store = sharedStore().open(() => ({ get: silence, set: silence }));
  const made = setUp({ store, secret, storeTimeoutMs: 50 });
  const startedAt = performance.now();
  await settled(answered(made, chat(14)));
  expect(made.events.at(-1)).toMatchObject({ reason: 'below-trigger' });
  expect(performance.now() - startedAt).toBeLessThanOrEqual(2 * 50);
});
