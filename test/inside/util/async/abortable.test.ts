import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { abortable } from '../../../../src/util/async/waiting.ts';

const reason = new Error('stop');

describe('abortable', () => {
  it.each([
    ['resolves', () => Promise.resolve('a'), { status: 'fulfilled', value: 'a' }],
    ['rejects', () => Promise.reject(reason), { status: 'rejected', reason }],
  ])('%s like its promise and leaves no listener', async (_name, make, settled) => {
    const { signal } = new AbortController();
    expect(await Promise.allSettled([abortable(make(), signal)])).toEqual([settled]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('rejects with the reason as soon as the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = abortable(new Promise(() => {}), controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('rejects at once when the signal has aborted, whatever becomes of the promise', async () => {
    const doomed = Promise.reject(new Error('unheard'));
    await expect(abortable(doomed, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
