import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryStore, SummarizationOptionError, type SummaryStore } from '../../src/index.ts';
import { untyped } from '../support/untyped.ts';
import { storeChecks, type StoreCheck } from '../../src/entries/testing/index.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** The names of the checks that a store does not pass. */
async function failing(checks: readonly StoreCheck[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(checks.map(async ({ run }) => run()));
  const failed = checks.filter((_, index) => outcomes[index]?.status === 'rejected');
  return failed.map(({ name }) => name);
}

/** The names of the checks that a store does not pass, without waiting for what it never does. */
async function failingAtOnce(checks: readonly StoreCheck[]): Promise<string[]> {
  vi.useFakeTimers();
  const [names] = await Promise.all([failing(checks), vi.advanceTimersByTimeAsync(60_000)]);
  return names;
}

type Methods = (inner: SummaryStore) => Partial<SummaryStore>;

/** A store in memory, with methods of its own. */
function memoryBut(methods: Methods): SummaryStore {
  const inner = memoryStore();
  return { ...inner, ...methods(inner) };
}

/** What reads first and writes then. */
const nonAtomic: Methods = (inner) => ({
  compareAndSet: async (key, entry) => {
    const held = await inner.get(key);
    if ((held ?? undefined) !== entry.expected) return false;
    void inner.delete(key);
    return inner.compareAndSet(key, { ...entry, expected: undefined });
  },
});

/** What ignores expiry. */
const unexpiring: Methods = (inner) => ({
  compareAndSet: (key, { expected, value }) => inner.compareAndSet(key, { expected, value }),
});

/** What writes another value than it was given. */
const spoiling =
  (spoil: (value: string) => string): Methods =>
  (inner) => ({
    compareAndSet: (key, entry) =>
      inner.compareAndSet(key, { ...entry, value: spoil(entry.value) }),
  });

/** What does not look at a digit of a key. */
const blindTo = (index: number): Methods => {
  const short = (key: string): string => key.slice(0, index) + key.slice(index + 1);
  return (inner) => ({
    get: (key) => inner.get(short(key)),
    compareAndSet: (key, entry) => inner.compareAndSet(short(key), entry),
    delete: (key) => inner.delete(short(key)),
  });
};

/** What compares no more of a value than is left of it. */
const comparing =
  (leave: (value: string) => string): Methods =>
  (inner) => ({
    compareAndSet: async (key, entry) => {
      const [held, { expected }] = [await inner.get(key), entry];
      const isAlike =
        typeof held === 'string' && expected !== undefined && leave(held) === leave(expected);
      return inner.compareAndSet(key, isAlike ? { ...entry, expected: held } : entry);
    },
  });

const listing =
  (change: (keys: readonly string[]) => readonly string[]): Methods =>
  (inner) => ({ list: async (prefix) => change((await inner.list?.(prefix)) ?? []) });

const whole = 'gives every value back as it was';
const apart = 'keeps keys apart that differ in one character';
const compared = 'writes over what was expected, and over nothing else';
const deleted = 'holds nothing any more under a key that was deleted';
const listed = 'lists the keys that begin so and hold something, where it lists';
const shared = 'shows one client what another wrote and deleted';
const ofTime = [
  'forgets a value whose time has passed, and takes another then',
  'takes a value for nothing once its time has passed',
  'does not write over a value that was expected once its time has passed',
  'gives a value that is written again a new time',
] as const;
const [forgotten, taken, , renewed] = ofTime;

/** What is wrong with a store, and the checks that fail. */
const faults: readonly (readonly [string, Methods, checks: readonly string[]])[] = [
  [
    'writes JSON again',
    spoiling((value) => JSON.stringify(JSON.parse(value))),
    [whole, apart, compared],
  ],
  ['spoils what is not ASCII', spoiling((value) => value.replaceAll(/[^ -~]/g, '?')), [whole]],
  ['cuts', spoiling((value) => value.slice(0, 65_536)), [whole, compared]],
  ['ignores the first digit', blindTo(0), [apart, listed]],
  ['ignores a digit', blindTo(32), [apart, listed]],
  ['ignores the last digit', blindTo(63), [apart, listed, renewed]],
  ['compares beginnings', comparing((value) => value.slice(0, 3)), [compared, shared]],
  ['compares 64 KiB', comparing((value) => value.slice(0, 65_536)), [compared]],
  ['lists all but one', listing((keys) => keys.slice(1)), [listed]],
  ['lists others too', listing((keys) => [...keys, 'other']), [listed, forgotten]],
  [
    'takes a sign for any',
    (inner) => ({ list: async (prefix) => (await inner.list?.(prefix.replace('%', ''))) ?? [] }),
    [listed],
  ],
  ['does not delete', () => ({ delete: async () => {} }), [compared, deleted, listed, shared]],
  [
    'forgets on reading alone',
    (inner) => {
      const held = new Set<string>();
      return {
        compareAndSet: async (key, entry) => {
          if (entry.expected === undefined && held.has(key)) return false;
          held.add(key);
          return inner.compareAndSet(key, entry);
        },
        get: async (key) => {
          const value = await inner.get(key);
          if (value === undefined) held.delete(key);
          return value;
        },
      };
    },
    [compared, taken],
  ],
  [
    'keeps the first time of a value',
    (inner) => {
      const times = new Map<string, number | undefined>();
      return {
        compareAndSet: (key, entry) => {
          if (!times.has(key)) times.set(key, entry.ttlMs);
          return inner.compareAndSet(key, { ...entry, ttlMs: times.get(key) });
        },
      };
    },
    [renewed],
  ],
];

describe('storeChecks', () => {
  it('passes a store that answers null for what it does not have', async () => {
    const checks = storeChecks(() =>
      memoryBut((inner) => ({ get: async (key) => (await inner.get(key)) ?? null })),
    );
    expect(await failingAtOnce(checks)).toEqual([]);
  });

  it('fails a store that is not atomic, or forgets nothing, unless it says so', async () => {
    const store = memoryBut(nonAtomic);
    const makeOther = () => store;
    expect(await failingAtOnce(storeChecks(makeOther, { makeOther }))).toEqual([
      'lets one of 100 writers win who expect the same',
    ]);
    expect(await failingAtOnce(storeChecks(makeOther, { makeOther, isAtomic: false }))).toEqual([]);
    expect(await failingAtOnce(storeChecks(() => memoryBut(unexpiring)))).toEqual(ofTime);
    expect(
      await failingAtOnce(storeChecks(() => memoryBut(unexpiring), { expires: false })),
    ).toEqual([]);
  });

  it.each(faults)('fails a store that %s', async (_, methods, expected) => {
    const store = memoryBut(methods);
    expect(await failingAtOnce(storeChecks(() => store))).toEqual(expected);
  });

  it('fails clients that do not share their state', async () => {
    const checks = storeChecks(() => memoryStore(), { makeOther: () => memoryStore() });
    expect(await failingAtOnce(checks)).toContain(shared);
  });

  it('says what was expected and what is there, of a long value its ends', async () => {
    const store = memoryBut(spoiling((value) => value.slice(0, 65_536)));
    const [check] = storeChecks(() => store);
    await expect(check?.run()).rejects.toThrow(/^what is there: expected .{2005}, got .{2005}$/);
  });

  it.each<[unknown, unknown, string]>([
    [memoryStore(), {}, 'makeStore'],
    [() => memoryStore(), null, 'input'],
    [() => memoryStore(), { expires: 'no' }, 'expires'],
    [() => memoryStore(), { other: () => memoryStore() }, 'other'],
  ])('refuses arguments that are wrong (%#)', (makeStore, options, option) => {
    const make = (): unknown => storeChecks(untyped(makeStore), untyped(options));
    expect(make).toThrow(SummarizationOptionError);
    expect(make).toThrow(expect.objectContaining({ option }));
  });
});
