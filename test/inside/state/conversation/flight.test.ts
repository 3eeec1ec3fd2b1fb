import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  lostWork,
  startFlight,
  type FlightControls,
  type Flight,
} from '../../../../src/state/conversation/flight.ts';

// That callers share a summary, leave, hurry it and go on with it is held by test/middleware/waiting.test.ts and
// test/properties/survivors.test.ts. This is what only some platforms do: they end work with its request.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Work that is finished from outside, whoever wants the same shares it. */
function shared() {
  let flight: Flight<string> | undefined;
  const begun: { readonly controls: FlightControls; readonly finish: (text: string) => void }[] =
    [];
  const begin = (controls: FlightControls): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    begun.push({ controls, finish: resolve });
    return promise;
  };
  const wait = async (patience = {}): Promise<string | undefined> => {
    for (;;) {
      if (flight?.isOver() !== false) {
        const own = startFlight<string>(() => (flight = undefined));
        flight = own;
        own.follow(Promise.resolve().then(() => begin(own.controls)));
      }
      const result = await flight.wait(patience);
      if (result !== lostWork) return result;
      flight?.end();
    }
  };
  /** Waits, and notes what comes of it. */
  const watch = (patience = {}): unknown[] => {
    const outcomes: unknown[] = [];
    const note = (outcome: unknown): number => outcomes.push(outcome);
    void wait(patience).then(note, note);
    return outcomes;
  };
  return { begun, wait, watch };
}

/** Work that has begun, and whose timers have gone with its request. */
async function cutOff() {
  const work = shared();
  const first = work.watch({ hurryAfterMs: 3000 });
  await vi.advanceTimersByTimeAsync(0);
  vi.clearAllTimers();
  return { ...work, first };
}

describe('work whose request has ended without a word', () => {
  it('is begun anew by who waits for it', async () => {
    const { begun, watch, first } = await cutOff();
    const second = watch({ hurryAfterMs: 60_000 });
    await vi.advanceTimersByTimeAsync(1499);
    expect(begun).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toHaveLength(2);
    const third = watch({ hurryAfterMs: 60_000 });
    await vi.advanceTimersByTimeAsync(30_000);
    begun[1]?.finish('again');
    await vi.advanceTimersByTimeAsync(0);
    expect([first, second, third]).toEqual([[], ['again'], ['again']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not taken for dead as long as it is only slow', async () => {
    const { begun, watch } = shared();
    const all = [watch(), watch()];
    await vi.advanceTimersByTimeAsync(600_000);
    all.push(watch());
    await vi.advanceTimersByTimeAsync(600_000);
    begun[0]?.finish('done');
    await vi.advanceTimersByTimeAsync(0);
    expect([all, begun.length]).toEqual([[['done'], ['done'], ['done']], 1]);
  });

  it('harms nobody who would hurry it where a signal belongs to a request', async () => {
    const { watch } = await cutOff();
    vi.spyOn(AbortController.prototype, 'abort').mockImplementation(() => {
      throw new Error('Cannot perform I/O on behalf of a different request.');
    });
    const second = watch({ hurryAfterMs: 100, leaveAfterMs: 900 });
    await vi.advanceTimersByTimeAsync(900);
    expect(second).toEqual([undefined]);
  });
});

it('patience is not tried where nothing can come in time', async () => {
  const { begun, watch } = shared();
  const leaving = watch({ leaveAfterMs: 100 });
  const hurrying = watch({ hurryAfterMs: 600, leaveAfterMs: 900 });
  await vi.advanceTimersByTimeAsync(10);
  const controls = begun[0]?.controls;
  controls?.announcePause(80);
  await vi.advanceTimersByTimeAsync(0);
  expect(leaving).toEqual([]);
  controls?.announcePause(91);
  await vi.advanceTimersByTimeAsync(0);
  expect([leaving, hurrying, controls?.hurry.aborted]).toEqual([[undefined], [], false]);
  controls?.announcePause(591);
  expect(controls?.hurry.aborted).toBe(true);
});
