import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { withSignals } from '../../../../src/util/async/waiting.ts';

const reasons = [new Error('first'), new Error('second')];

describe('withSignals', () => {
  it.each([0, 1])('aborts with the first that does: %i', async (index) => {
    const controllers = [new AbortController(), new AbortController()];
    const signals = controllers.map(({ signal }) => signal);
    const seen = await withSignals([undefined, ...signals], async (signal) => {
      const before = signal.aborted;
      controllers[index]?.abort(reasons[index]);
      controllers[1 - index]?.abort(reasons[1 - index]);
      return [before, signal.reason];
    });
    expect(seen).toEqual([false, reasons[index]]);
    expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
  });

  it('has aborted where one has before, and leaves no listener when the work fails', async () => {
    const { signal } = new AbortController();
    const failing = withSignals([AbortSignal.abort(reasons[0]), signal], async (joined) => {
      throw joined.reason;
    });
    await expect(failing).rejects.toBe(reasons[0]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
