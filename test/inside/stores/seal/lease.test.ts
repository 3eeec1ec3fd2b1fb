import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaseSeeker, type Lease, type LeaseStore } from '../../../../src/stores/seal/lease.ts';
import { guardedStore } from '../../../../src/stores/guard/guarded-store.ts';
import { sealedStore } from '../../../../src/stores/seal/sealed-store.ts';
import { storeKeys } from '../../../../src/stores/seal/store-keys.ts';
import type { SummaryStore } from '../../../../src/index.ts';
import { quiet } from '../../../support/quiet.ts';
import { storeOver, type SharedMap } from '../../../stores/shared-map.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});

afterEach(() => {
  const timersLeft = vi.getTimerCount();
  vi.useRealTimers();
  if (timersLeft > 0) throw new Error('a timer is left');
});

const keys = storeKeys('a secret of the tests', '');
const silence = async (): Promise<never> => new Promise(() => {});

/** A process over what is shared, and what its store does otherwise. */
function processOver(
  entries: SharedMap,
  change: (plain: SummaryStore) => Partial<SummaryStore> = () => ({}),
  timeoutMs = 2000,
): LeaseStore {
  const plain = storeOver(entries);
  const store = guardedStore({ ...plain, ...change(plain) })({ onFault: () => {} });
  return sealedStore(store, keys, timeoutMs);
}

/** The store of a process that dies when it has taken a lease. */
function dying({ set }: SummaryStore): Partial<SummaryStore> {
  return {
    get: silence,
    set: async (key, value, options) =>
      options?.ifAbsent === true ? set(key, value, options) : silence(),
  };
}

function setUp() {
  const entries: SharedMap = new Map();
  const store = processOver(entries);
  return { entries, store, take: () => leaseSeeker(store, 'k')() };
}

async function held(store: LeaseStore): Promise<Lease> {
  const lease = await leaseSeeker(store, 'k')();
  if (lease === 'taken') throw new Error('expected a lease');
  return lease;
}

/** Lets time pass, and what it brings be done. */
async function elapse(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await quiet();
}

/** Time goes by with whoever works at it, a second after another. */
async function elapseInSeconds(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await elapse(1000);
}

/** How many tries in a row, a second apart, do not bring the lease. */
async function triesInVain(take: () => Promise<Lease | 'taken'>): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const lease = await take();
    if (lease !== 'taken') {
      await lease.release();
      return tries;
    }
    await elapse(1000);
  }
  return 100;
}

describe('a lease', () => {
  it('is for one at a time, and for the next when it is released', async () => {
    const { store, entries, take } = setUp();
    const lease = await held(store);
    expect(await take()).toBe('taken');
    await lease.release();
    expect(entries.size).toBe(0);
    await (await held(store)).release();
  });

  it('is renewed for as long as the work takes', async () => {
    const { store, entries, take } = setUp();
    const lease = await held(store);
    await elapseInSeconds(60);
    expect(await take()).toBe('taken');
    await lease.release();
    await elapseInSeconds(60);
    expect(entries.size).toBe(0);
  });

  it('is renewed in time where each operation takes as long as it is waited for', async () => {
    const entries: SharedMap = new Map();
    let isSlow = false;
    const slow = async (): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(resolve, isSlow ? 4900 : 0);
      });
    const lease = await held(
      processOver(
        entries,
        ({ get, set }) => ({
          get: async (key) => slow().then(async () => get(key)),
          set: async (key, value, options) => {
            if (options?.ifAbsent !== true) await slow();
            return set(key, value, options);
          },
        }),
        5000,
      ),
    );
    isSlow = true;
    const take = leaseSeeker(processOver(entries), 'k');
    for (let second = 0; second < 60; second += 1) {
      await elapse(1000);
      expect([...entries.values()].filter(({ expiresAt }) => expiresAt > Date.now())).toHaveLength(
        1,
      );
    }
    expect(await take()).toBe('taken');
    isSlow = false;
    const released = lease.release();
    await elapseInSeconds(10);
    await released;
  });

  it('ends ten seconds after its holder has died', async () => {
    const { store, entries, take } = setUp();
    const dead = await held(processOver(entries, dying));
    await elapse(9999);
    expect(await take()).toBe('taken');
    await elapse(1);
    const next = await held(store);
    const released = dead.release();
    await elapseInSeconds(10);
    await released;
    expect(await take()).toBe('taken');
    await next.release();
  });

  it('ends soon after that in a store that forgets nothing, for whoever has waited', async () => {
    const { entries } = setUp();
    const forever = (plain: SummaryStore): Partial<SummaryStore> => ({
      set: async (key, value, options) => plain.set(key, value, { ...options, ttlMs: Infinity }),
    });
    const dead = await held(
      processOver(entries, (plain) => dying({ ...plain, ...forever(plain) })),
    );
    const waiting = leaseSeeker(processOver(entries, forever), 'k');
    expect(await triesInVain(waiting)).toBe(11);
    const released = dead.release();
    await elapseInSeconds(10);
    await released;
  });

  it('is not taken for left behind while it is renewed', async () => {
    const { store, take } = setUp();
    const lease = await held(store);
    const waiting = leaseSeeker(store, 'k');
    for (let second = 0; second < 60; second += 1) {
      expect(await waiting()).toBe('taken');
      await elapse(1000);
    }
    await lease.release();
    expect(await take()).not.toBe('taken');
    vi.clearAllTimers();
  });

  it.each([
    ['what nobody sealed', async () => 'theirs'],
    ['what was sealed for another key', async () => keys.seal('other', 'x', Date.now() + 1e9)],
    ['what was sealed long ago', async () => keys.seal('k', 'x', Date.now() - 1)],
    ['nothing', async () => ''],
  ])('is not held by %s', async (_what, valueOf) => {
    const { store, entries } = setUp();
    entries.set('k', { value: await valueOf(), expiresAt: Infinity });
    const lease = await held(store);
    expect(await leaseSeeker(store, 'k')()).toBe('taken');
    await lease.release();
    expect(entries.size).toBe(0);
  });

  it('is not held for long by two values of those who had it, which stand there in turns', async () => {
    const { entries, store, take } = setUp();
    const former: string[] = [];
    for (let holder = 0; holder < 2; holder += 1) {
      const lease = await held(store);
      former.push(entries.get('k')?.value ?? '');
      await lease.release();
    }
    let turn = 0;
    const hostile = processOver(entries, () => ({
      get: async () => former[(turn += 1) % 2],
      set: async () => false,
    }));
    expect(await triesInVain(leaseSeeker(hostile, 'k'))).toBeLessThan(75);
    expect(await take()).not.toBe('taken');
    vi.clearAllTimers();
  });

  it.each([
    ['seconds', 30_000],
    ['hours', 3 * 60 * 60_000],
  ])('is held also by one whose clock is %s behind', async (_unit, behindMs) => {
    const { entries, store, take } = setUp();
    const now = Date.now();
    vi.setSystemTime(now - behindMs);
    const lease = await held(store);
    vi.setSystemTime(now);
    // The server has a clock of its own.
    for (const [key, { value }] of entries) entries.set(key, { value, expiresAt: Infinity });
    expect(await take()).toBe('taken');
    await lease.release();
  });

  it('is nobody’s in a store that takes nothing', async () => {
    const { entries } = setUp();
    const store = processOver(entries, () => ({ set: async () => false }));
    expect(await triesInVain(leaseSeeker(store, 'k'))).toBe(2);
  });

  it('is somebody’s in a store that shows late what it has taken', async () => {
    const { entries, store } = setUp();
    const lease = await held(store);
    let reads = 0;
    const late = leaseSeeker(
      processOver(entries, ({ get }) => ({
        get: async (key) => ((reads += 1) > 2 ? get(key) : undefined),
      })),
      'k',
    );
    for (let look = 0; look < 5; look += 1) expect(await late()).toBe('taken');
    await lease.release();
  });

  it('is ours where the client writes twice', async () => {
    const { entries, take } = setUp();
    const twice = processOver(entries, ({ set }) => ({
      set: async (...given) => {
        await set(...given);
        return set(...given);
      },
    }));
    const lease = await held(twice);
    await elapseInSeconds(60);
    expect(await take()).toBe('taken');
    await lease.release();
    expect(entries.size).toBe(0);
  });

  it('is not taken back, nor released, once somebody else has it', async () => {
    const { store, entries } = setUp();
    const lease = await held(store);
    entries.clear();
    const other = await held(store);
    await elapseInSeconds(60);
    await lease.release();
    expect(await leaseSeeker(store, 'k')()).toBe('taken');
    await other.release();
    expect(entries.size).toBe(0);
  });

  it('is taken again when the store has forgotten it', async () => {
    const { store, entries, take } = setUp();
    const lease = await held(store);
    entries.clear();
    await elapse(4000);
    expect(await take()).toBe('taken');
    await lease.release();
  });

  it('is gone for good when it is released while it is renewed', async () => {
    const { entries } = setUp();
    const gate = Promise.withResolvers<void>();
    const lease = await held(
      processOver(entries, ({ set }) => ({
        set: async (key, value, options) => {
          if (options?.ifAbsent !== true) await gate.promise;
          return set(key, value, options);
        },
      })),
    );
    await elapse(3400);
    const released = lease.release();
    await elapse(0);
    gate.resolve();
    await released;
    await elapse(0);
    expect(entries.size).toBe(0);
  });

  it('survives a store that does not answer for a while', async () => {
    const { entries, take } = setUp();
    let isDown = false;
    const lease = await held(
      processOver(entries, ({ get }) => ({
        get: async (key) => (isDown ? silence() : get(key)),
      })),
    );
    isDown = true;
    await elapseInSeconds(4);
    isDown = false;
    await elapseInSeconds(60);
    expect(await take()).toBe('taken');
    await lease.release();
  });

  it('is none where the store does not answer, and is removed if it was written after all', async () => {
    const { entries } = setUp();
    const lease = await held(
      processOver(entries, ({ set }) => ({
        set: async (...given) => {
          await set(...given);
          throw new Error('ECONNRESET');
        },
      })),
    );
    expect(vi.getTimerCount()).toBe(0);
    // A store that has failed is left alone for a second.
    await elapse(1000);
    await lease.release();
    expect(entries.size).toBe(0);
  });

  it('is none where what stands there cannot be read: nobody would see its end', async () => {
    const { entries, store } = setUp();
    const lease = await held(store);
    const blind = processOver(entries, () => ({
      get: async () => Promise.reject(new Error('ECONNRESET')),
    }));
    expect(await leaseSeeker(blind, 'k')()).not.toBe('taken');
    await elapse(1000);
    await lease.release();
  });
});
