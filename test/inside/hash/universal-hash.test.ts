import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { plainHashMemory } from '../../../src/hash/hash-block.ts';
import { wasmBytes, wasmHashMemory } from '../../../src/hash/hash-block-wasm.ts';
import { blockBytes, textBytes, universalHash } from '../../../src/hash/universal-hash.ts';

/** One addition to a hash: units one by one, or a list of bytes. */
type Addition = { readonly push: readonly number[] } | { readonly append: readonly number[] };
type Fill = (key: Uint8Array<ArrayBuffer>) => void;

const levels = 4;

/** Reads bytes as whole numbers of so many bits. */
function numbersOf(bytes: readonly number[], bits: number): readonly bigint[] {
  const { buffer } = Uint8Array.from(bytes);
  if (bits === 64) return [...new BigUint64Array(buffer)];
  return Array.from(bits === 32 ? new Uint32Array(buffer) : new Uint16Array(buffer), BigInt);
}

/** The upper halves of the sums over a block, as they are defined modulo 2^bits. */
function slowBlock(block: readonly number[], keys: readonly bigint[], bits: number): number[] {
  const words = numbersOf(block, bits / 2);
  const sums = 128 / bits;
  const step = sums * 2;
  return Array.from({ length: sums }, (_, sum) => {
    let total = keys[sum] ?? 0n;
    for (let index = 0; index < words.length; index += 2) {
      const place = sums + (index / 2) * step + sum * 2;
      const one = (keys[place] ?? 0n) + (words[index] ?? 0n);
      const other = (keys[place + 1] ?? 0n) + (words[index + 1] ?? 0n);
      total += one * other;
    }
    const upper = BigInt.asUintN(bits, total) >> BigInt(bits / 2);
    return Array.from({ length: bits / 16 }, (_value, byte) =>
      Number((upper >> BigInt(byte * 8)) & 0xffn),
    );
  }).flat();
}

function padded(bytes: readonly number[]): number[] {
  return [...bytes, ...Array.from({ length: (8 - (bytes.length % 8)) % 8 }, () => 0)];
}

function chunks(bytes: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(bytes.length / blockBytes) }, (_, index) =>
    bytes.slice(index * blockBytes, (index + 1) * blockBytes),
  );
}

/** The hash as its comment says it, with whole numbers of any size. */
function slowHash(
  additions: readonly Addition[],
  keys: readonly (readonly bigint[])[],
  bits: number,
): object {
  const blockHash = (block: readonly number[], level: number): number[] =>
    slowBlock(block, keys[level] ?? [], bits);
  let stream: number[] = [];
  for (const addition of additions) {
    if ('push' in addition)
      stream = stream.concat(addition.push.flatMap((unit) => [unit % 256, Math.floor(unit / 256)]));
    else
      stream = padded(stream).concat(
        chunks(padded(addition.append)).flatMap((block) => blockHash(block, 0)),
      );
  }
  const last: number[] = [];
  let level = padded(stream);
  for (let index = 1; index <= levels; index += 1) {
    const rest = level.length % blockBytes;
    const whole = level.slice(0, level.length - rest);
    last.push(...blockHash(level.slice(level.length - rest), index));
    last.push(rest % 256, Math.floor(rest / 256), 0, 0, 0, 0, 0, 0);
    level = chunks(whole).flatMap((block) => blockHash(block, index));
  }
  const [high, low] = numbersOf(blockHash(last, levels + 1), 32);
  return {
    high: Number(BigInt.asIntN(32, high ?? 0n)),
    low: Number(BigInt.asIntN(32, low ?? 0n)),
  };
}

function run(hash: ReturnType<typeof universalHash>, additions: readonly Addition[]): object {
  hash.begin();
  for (const addition of additions) {
    if ('push' in addition) for (const unit of addition.push) hash.push(unit);
    else {
      hash.text.set(addition.append);
      hash.append(addition.append.length);
    }
  }
  return hash.end();
}

const random: Fill = (key) => void crypto.getRandomValues(key);
const fills: readonly [string, Fill][] = [
  ['random', random],
  ['zero', (key) => void key.fill(0)],
  ['as large as they can be', (key) => void key.fill(0xff)],
  ['one bit', (key) => void key.fill(0).fill(0x80, key.length / 2)],
];

const unit = fc.oneof(fc.nat({ max: 0xffff }), fc.constantFrom(0, 0xffff));
const byte = fc.oneof(fc.nat({ max: 0xff }), fc.constantFrom(0, 0xff));
/** Around the ends of blocks too. */
const lengths = fc.oneof(
  fc.nat({ max: 40 }),
  fc.integer({ min: -9, max: 9 }).map((more) => blockBytes + more),
  fc.integer({ min: -9, max: 9 }).map((more) => blockBytes / 2 + more),
  fc.integer({ min: -9, max: 9 }).map((more) => 3 * blockBytes + more),
);
const listOf = (item: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
  lengths.chain((length) => fc.array(item, { minLength: length, maxLength: length }));
const addition: fc.Arbitrary<Addition> = fc.oneof(
  fc.record({ push: listOf(unit) }),
  fc.record({ append: listOf(byte) }),
);

describe.each([
  ['with WebAssembly', wasmHashMemory(), 64],
  ['without WebAssembly', plainHashMemory(), 32],
])('universalHash %s', (_where, memory, bits) => {
  /** A hash and the keys it was given. */
  const keyed = (fill: Fill): [ReturnType<typeof universalHash>, (readonly bigint[])[]] => {
    const keys: (readonly bigint[])[] = [];
    const hash = universalHash(memory, (key) => {
      fill(key);
      keys.push(numbersOf([...key], bits));
    });
    return [hash, keys];
  };

  it('gives what its definition says', () => {
    const cases = fc.tuple(fc.array(addition, { maxLength: 4 }), fc.constantFrom(...fills));
    fc.assert(
      fc.property(cases, ([additions, [, fill]]) => {
        const [hash, keys] = keyed(fill);
        expect(run(hash, additions)).toEqual(slowHash(additions, keys, bits));
      }),
      { numRuns: 500 },
    );
  });

  it.each(fills)('stays exact on three levels where keys are %s', (_which, fill) => {
    const blocks = 128 * 128 + 3;
    const largest = Array.from({ length: (blocks * blockBytes) / 128 }, () => 0xffff);
    const additions = [
      { push: largest.slice(0, 65_530) },
      { append: Array.from({ length: textBytes }, () => 0xff) },
      { push: largest.slice(65_530) },
    ];
    const [hash, keys] = keyed(fill);
    expect(run(hash, additions)).toEqual(slowHash(additions, keys, bits));
  });

  it('begins anew, whatever was begun before or wiped', () => {
    const [hash] = keyed(random);
    const additions = [{ push: [1, 2, 3] }, { append: Array.from({ length: 9000 }, () => 7) }];
    const first = run(hash, additions);
    for (let index = 0; index < 70_000; index += 1) hash.push(9);
    expect(run(hash, additions)).toEqual(first);
    hash.wipe();
    expect(run(hash, additions)).toEqual(first);
  });

  it('leaves nothing of an input in the memory', () => {
    // Other hashes have used it.
    new Uint8Array(memory.buffer).fill(0);
    const [hash] = keyed((key) => void key.fill(0));
    const bytes = Array.from({ length: 9000 }, () => 7);
    const units = Array.from({ length: 70_000 }, () => 9);
    run(hash, [{ push: units }, { append: bytes }, { append: [1, 2, 3] }]);
    expect(new Uint8Array(memory.buffer).some((value) => value !== 0)).toBe(true);
    hash.wipe();
    expect(new Uint8Array(memory.buffer).every((value) => value === 0)).toBe(true);
  });
});

describe('the bytes of the block hash', () => {
  it('are what its source compiles to', async () => {
    const source = readFileSync(
      new URL('../../../src/hash/hash-block.wat', import.meta.url),
      'utf8',
    );
    const compiler = await wabt();
    const module = compiler.parseWat('hash-block.wat', source);
    expect(Buffer.from(module.toBinary({}).buffer).toString('base64')).toBe(wasmBytes);
    module.destroy();
  });
});
