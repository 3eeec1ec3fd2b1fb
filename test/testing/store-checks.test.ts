import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryStore, SummarizationOptionError, type SummaryStore } from '../../src/index.ts';
import { untyped } from '../support/untyped.ts';
import { storeChecks, type StoreCheck } from '../../src/testing/index.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** The names of the checks that a store does not pass. */
async function failing(checks: readonly StoreCheck[]): Promise<string[]> {
  const names = await Promise.all(
    checks.map(async ({ name, run }) =>
      run().then(
        () => [],
        () => [name],
      ),
    ),
  );
  return names.flat();
}

/** The names of the checks that a store does not pass, without waiting for what it never does. */
async function failingAtOnce(checks: readonly StoreCheck[]): Promise<string[]> {
  vi.useFakeTimers();
  const [names] = await Promise.all([failing(checks), vi.advanceTimersByTimeAsync(60_000)]);
  return names;
}

/** A store in memory, with methods of its own. */
function memoryBut(methods: (inner: SummaryStore) => Partial<SummaryStore>): SummaryStore {
  const inner = memoryStore();
  return { ...inner, ...methods(inner) };
}

const nonAtomic = (): SummaryStore =>
  memoryBut((inner) => ({
    compareAndSet: async (key, entry) => {
      const held = await inner.get(key);
      const isAsExpected = (held ?? undefined) === entry.expected;
      if (!isAsExpected) return false;
      void inner.delete(key);
      return inner.compareAndSet(key, { ...entry, expected: undefined });
    },
  }));

const unexpiring = (): SummaryStore =>
  memoryBut((inner) => ({
    compareAndSet: (key, { expected, value }) => inner.compareAndSet(key, { expected, value }),
  }));

describe('storeChecks', () => {
  it('passes a store that answers null for what it does not have', async () => {
    const checks = storeChecks(() =>
      memoryBut((inner) => ({ get: async (key) => (await inner.get(key)) ?? null })),
    );
    expect(await failingAtOnce(checks)).toEqual([]);
  });

  it('fails a store that reads first and writes then, unless it says so', async () => {
    const store = nonAtomic();
    const makers = [() => store, { makeOther: () => store }] as const;
    expect(await failingAtOnce(storeChecks(...makers))).toEqual([
      'lets one of 100 writers win who expect the same',
      'lets one of 100 writers of two clients win who expect the same',
    ]);
    const declared = storeChecks(() => store, { makeOther: () => store, isAtomic: false });
    expect(await failingAtOnce(declared)).toEqual([]);
  });

  it('fails a store that ignores expiry, unless it says so', async () => {
    expect(await failingAtOnce(storeChecks(unexpiring))).toEqual([
      'forgets a value whose time has passed, and takes another then',
      'takes a value for nothing once its time has passed',
      'does not write over a value that was expected once its time has passed',
      'gives a value that is written again a new time',
    ]);
    const declared = storeChecks(unexpiring, { expires: false });
    expect(await failingAtOnce(declared)).toEqual([]);
  });

  it('fails a store that forgets on reading alone', async () => {
    const held = new Set<string>();
    const store = memoryBut((inner) => ({
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
      delete: async (key) => {
        held.delete(key);
        await inner.delete(key);
      },
    }));
    expect(await failingAtOnce(storeChecks(() => store))).toContain(
      'takes a value for nothing once its time has passed',
    );
  });

  it('fails a store that forgets for those who read alone', async () => {
    const store = memoryBut((inner) => {
      const taken = new Set<string>();
      return {
        compareAndSet: async (key, entry) => {
          const isTaken = entry.expected === undefined && taken.has(key);
          if (isTaken) taken.delete(key);
          else taken.add(key);
          return isTaken ? false : inner.compareAndSet(key, entry);
        },
      };
    });
    expect(await failingAtOnce(storeChecks(() => store))).toContain(
      'forgets a value whose time has passed, and takes another then',
    );
  });

  it('fails a store that keeps the first time of a value', async () => {
    const times = new Map<string, number | undefined>();
    const store = memoryBut((inner) => ({
      compareAndSet: (key, entry) => {
        if (!times.has(key)) times.set(key, entry.ttlMs);
        return inner.compareAndSet(key, { ...entry, ttlMs: times.get(key) });
      },
    }));
    expect(await failingAtOnce(storeChecks(() => store))).toContain(
      'gives a value that is written again a new time',
    );
  });

  it.each<[string, (value: string) => string]>([
    ['reads JSON', (value) => String(JSON.parse(value))],
    ['writes JSON again', (value) => JSON.stringify(JSON.parse(value))],
    ['spoils what is not ASCII', (value) => value.replaceAll(/[^ -~]/g, '?')],
    ['cuts', (value) => value.slice(0, 65_536)],
    ['takes out surrogates', (value) => value.replaceAll(String.raw`\ud800`, '?')],
  ])('fails a store that %s', async (_, spoil) => {
    const checks = storeChecks(() =>
      memoryBut((inner) => ({
        compareAndSet: (key, entry) =>
          inner.compareAndSet(key, { ...entry, value: spoil(entry.value) }),
      })),
    );
    expect(await failingAtOnce(checks)).toContain('gives every value back as it was');
  });

  it.each([0, 32, 63])('fails a store that does not look at digit %i of a key', async (index) => {
    const short = (key: string): string => key.slice(0, index) + key.slice(index + 1);
    const checks = storeChecks(() =>
      memoryBut((inner) => ({
        get: (key) => inner.get(short(key)),
        compareAndSet: (key, entry) => inner.compareAndSet(short(key), entry),
        delete: (key) => inner.delete(short(key)),
      })),
    );
    expect(await failingAtOnce(checks)).toContain('keeps keys apart that differ in one character');
  });

  it.each<[string, (held: string) => string, string]>([
    [
      'compares the beginning of a value alone',
      (value) => value.slice(0, 3),
      'writes over what was expected, and over nothing else',
    ],
    [
      'compares no more than 64 KiB of a value',
      (value) => value.slice(0, 65_536),
      'writes over what was expected, and over nothing else',
    ],
    ['compares nothing', () => '', 'writes over what was expected, and over nothing else'],
  ])('fails a store that %s', async (_, compared, name) => {
    const store = memoryBut((inner) => ({
      compareAndSet: async (key, entry) => {
        const held = await inner.get(key);
        const { expected } = entry;
        const isAlike =
          typeof held === 'string' &&
          expected !== undefined &&
          compared(held) === compared(expected);
        return inner.compareAndSet(key, isAlike ? { ...entry, expected: held } : entry);
      },
    }));
    expect(await failingAtOnce(storeChecks(() => store))).toContain(name);
  });

  it.each<[string, (keys: readonly string[]) => readonly string[]]>([
    ['nothing', () => []],
    ['all but one', (keys) => keys.slice(1)],
    ['one twice', (keys) => [...keys, ...keys.slice(0, 1)]],
    ['others too', (keys) => [...keys, 'other']],
  ])('fails a store that lists %s', async (_, change) => {
    const store = memoryBut((inner) => ({
      list: async (prefix) => change((await inner.list?.(prefix)) ?? []),
    }));
    expect(await failingAtOnce(storeChecks(() => store))).toContain(
      'lists the keys that begin so and hold something, where it lists',
    );
  });

  it('fails a store that does not delete', async () => {
    const checks = storeChecks(() => memoryBut(() => ({ delete: async () => {} })));
    expect(await failingAtOnce(checks)).toEqual([
      'writes over what was expected, and over nothing else',
      'holds nothing any more under a key that was deleted',
      'lists the keys that begin so and hold something, where it lists',
    ]);
  });

  it('fails clients that do not share their state', async () => {
    const checks = storeChecks(() => memoryStore(), { makeOther: () => memoryStore() });
    expect(await failingAtOnce(checks)).toEqual([
      'shows one client what another wrote and deleted',
      'lets one of 100 writers of two clients win who expect the same',
    ]);
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
