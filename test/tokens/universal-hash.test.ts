import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockUnits, prime, randomHashKeys, type HashKeys } from '../../src/tokens/hash-keys.ts';
import { universalHash } from '../../src/tokens/universal-hash.ts';

/** One addition to a hash: units one by one, or a list of them. */
type Addition = { readonly push: readonly number[] } | { readonly append: readonly number[] };

const p = BigInt(prime);

/** x and y of a block, as they are defined. */
function slowBlock(units: readonly number[], key: Float64Array): readonly [bigint, bigint] {
  let x = 0n;
  let y = 0n;
  for (const [index, unit] of units.entries()) {
    x += BigInt(key[index] ?? 0) * BigInt(unit);
    y += BigInt(key[index + 1] ?? 0) * BigInt(unit);
  }
  return [x % p, y % p];
}

function chunks(units: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(units.length / blockUnits) }, (_, index) =>
    units.slice(index * blockUnits, (index + 1) * blockUnits),
  );
}

function unitsOf([x, y]: readonly [bigint, bigint]): number[] {
  return [x & 0xffffn, x >> 16n, y & 0xffffn, y >> 16n].map(Number);
}

/** The hash as its comment says it, with whole numbers of any size. */
function slowHash(additions: readonly Addition[], keys: HashKeys): { high: number; low: number } {
  const blocks: number[][] = [];
  let open: number[] = [];
  for (const addition of additions) {
    if ('push' in addition) {
      open.push(...addition.push);
      continue;
    }
    blocks.push(...chunks(open), ...chunks(addition.append));
    open = [];
  }
  blocks.push(...chunks(open));

  let level = blocks;
  const last: number[] = [];
  for (const [index, key] of keys.slice(0, -1).entries()) {
    const whole = index === 0 ? level : level.filter(({ length }) => length === blockUnits);
    const rest = index === 0 ? [] : level.filter(({ length }) => length < blockUnits);
    last.push(...rest.flatMap((units) => unitsOf(slowBlock(units, key))));
    if (rest.length === 0) last.push(0, 0, 0, 0);
    level = chunks(whole.flatMap((units) => unitsOf(slowBlock(units, key))));
  }
  last.push(...unitsOf([BigInt(blocks.length), 0n]));
  const [x, y] = slowBlock(last, keys.at(-1) ?? new Float64Array());
  return { high: Number(BigInt.asIntN(32, x)), low: Number(BigInt.asIntN(32, y)) };
}

const unit = fc.oneof(fc.nat({ max: 0xffff }), fc.constantFrom(0, 0xffff));
const addition: fc.Arbitrary<Addition> = fc.oneof(
  fc.record({ push: fc.array(unit, { maxLength: 300 }) }),
  fc.record({ append: fc.array(unit, { maxLength: 300 }) }),
);

function run(hash: ReturnType<typeof universalHash>, additions: readonly Addition[]): object {
  for (const given of additions) {
    if ('push' in given) for (const value of given.push) hash.push(value);
    else hash.append(Uint16Array.from(given.append), given.append.length);
  }
  return hash.end();
}

describe('universalHash', () => {
  it('gives what its definition says, under any key', () => {
    fc.assert(
      fc.property(fc.array(addition, { maxLength: 6 }), (additions) => {
        const keys = randomHashKeys();
        expect(run(universalHash(keys), additions)).toEqual(slowHash(additions, keys));
      }),
      { numRuns: 500 },
    );
  });

  it('stays exact where units and keys are as large as they can be, on three levels', () => {
    const keys = randomHashKeys().map((key) => key.map(() => prime - 1));
    const additions = [{ append: Array.from({ length: 128 * 32 * 3 + 77 }, () => 0xffff) }];
    expect(run(universalHash(keys), additions)).toEqual(slowHash(additions, keys));
  });

  it('begins anew after each result', () => {
    const hash = universalHash(randomHashKeys());
    const additions = [{ push: [1, 2, 3] }, { append: Array.from({ length: 9000 }, () => 7) }];
    const first = run(hash, additions);
    run(hash, [{ push: [9] }]);
    expect(run(hash, additions)).toEqual(first);
  });

  it('draws each key below the prime', () => {
    expect(randomHashKeys().every((key) => key.every((value) => value < prime))).toBe(true);
  });
});
