import { describe, expect, it } from 'vitest';
import { singleFlight } from '../../src/summaries/single-flight.ts';

const reason = new Error('stop');

/** Work that is finished from outside. */
function work<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const signals: AbortSignal[] = [];
  return {
    signals,
    resolve,
    reject,
    run: (signal: AbortSignal): Promise<T> => {
      signals.push(signal);
      return promise;
    },
  };
}

describe('singleFlight', () => {
  it('runs once for all who ask at the same time', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    const all = [
      flights.run('k', task.run),
      flights.run('k', task.run),
      flights.run('k', task.run),
    ];
    expect(flights.size()).toBe(1);
    task.resolve('done');
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
    // What has finished is not aborted.
    expect(task.signals.map(({ aborted }) => aborted)).toEqual([false]);
    expect(flights.size()).toBe(0);
  });

  it('keeps different keys apart', async () => {
    const flights = singleFlight<string>();
    expect(
      await Promise.all([flights.run('a', async () => 'a'), flights.run('b', async () => 'b')]),
    ).toEqual(['a', 'b']);
  });

  it('runs again once it has finished', async () => {
    const flights = singleFlight<number>();
    let runs = 0;
    const run = async (): Promise<number> => (runs += 1);
    expect([await flights.run('k', run), await flights.run('k', run)]).toEqual([1, 2]);
  });

  it('fails for all, and starts anew for the next', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    const all = [flights.run('k', task.run), flights.run('k', task.run)];
    task.reject(reason);
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
    expect(await flights.run('k', async () => 'again')).toBe('again');
    expect(flights.size()).toBe(0);
  });

  it('lets one caller leave without the others', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    const controller = new AbortController();
    const leaving = flights.run('k', task.run, controller.signal);
    const staying = flights.run('k', task.run);
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    expect(task.signals[0]?.aborted).toBe(false);
    task.resolve('done');
    expect(await staying).toBe('done');
  });

  it('ends the work when the last caller has left', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    const controllers = [new AbortController(), new AbortController()];
    const all = controllers.map(({ signal }) => flights.run('k', task.run, signal));
    controllers[0]?.abort(new Error('first'));
    controllers[1]?.abort(reason);
    await Promise.allSettled(all);
    expect(task.signals[0]?.reason).toBe(reason);
    expect(flights.size()).toBe(0);
  });

  it('starts new work for whoever comes after the last one has left', async () => {
    const flights = singleFlight<string>();
    const abandoned = work<string>();
    const controller = new AbortController();
    const leaving = flights.run('k', abandoned.run, controller.signal);
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    const fresh = work<string>();
    const coming = flights.run('k', fresh.run);
    abandoned.resolve('late');
    await Promise.resolve();
    expect(flights.size()).toBe(1);
    fresh.resolve('fresh');
    expect(await coming).toBe('fresh');
    expect(flights.size()).toBe(0);
  });

  it('does not begin for a caller that has left already', async () => {
    const flights = singleFlight<string>();
    const task = work<string>();
    await expect(flights.run('k', task.run, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(task.signals).toHaveLength(0);
    expect(flights.size()).toBe(0);
  });
});
