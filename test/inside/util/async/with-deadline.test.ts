import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delay, withDeadline } from '../../../../src/util/async/waiting.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const reason = new Error('stop');

/** Work that never ends, and the signal it was given. */
function deaf() {
  const signals: AbortSignal[] = [];
  return {
    signals,
    work: (signal: AbortSignal): Promise<never> => {
      signals.push(signal);
      return new Promise(() => {});
    },
  };
}

describe('withDeadline', () => {
  it.each([
    ['resolves', async () => 'a', { status: 'fulfilled', value: 'a' }],
    ['rejects', async () => Promise.reject(reason), { status: 'rejected', reason }],
    [
      'throws',
      (): Promise<never> => {
        throw reason;
      },
      { status: 'rejected', reason },
    ],
  ])('%s like its work and leaves neither timer nor listener', async (_name, work, settled) => {
    const { signal } = new AbortController();
    expect(await Promise.allSettled([withDeadline(signal, 1000, work)])).toEqual([settled]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends deaf work when its time is up, and not before', async () => {
    const { signals, work } = deaf();
    let ended: unknown;
    void withDeadline(undefined, 1000, work).catch((error: unknown) => (ended = error));
    await vi.advanceTimersByTimeAsync(999);
    expect([ended, signals[0]?.aborted]).toEqual([undefined, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toMatchObject({ name: 'TimeoutError', message: 'No answer within 1000 ms.' });
    expect(signals[0]?.reason).toBe(ended);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes an answer that came while the event loop stood still', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const answered = withDeadline(undefined, 1000, async () => promise);
    // All timers that are due fire before anything is read from a socket.
    vi.runOnlyPendingTimers();
    resolve('late');
    expect(await answered).toBe('late');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with the reason of an abort, whatever the work makes of its signal', async () => {
    const controller = new AbortController();
    const work = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const ending = withDeadline(controller.signal, 1000, work);
    controller.abort(reason);
    await expect(ending).rejects.toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not begin once the signal has aborted', async () => {
    const { signals, work } = deaf();
    await expect(withDeadline(AbortSignal.abort(reason), 1000, work)).rejects.toBe(reason);
    expect(signals).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('delay', () => {
  it('resolves when its time is up, and not before', async () => {
    const { signal } = new AbortController();
    let isOver = false;
    void delay(1000, signal).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('ends with the reason of an abort and leaves no timer', async () => {
    const controller = new AbortController();
    const ending = delay(1000, controller.signal);
    controller.abort(reason);
    await expect(ending).rejects.toBe(reason);
    await expect(delay(1000, controller.signal)).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });
});
