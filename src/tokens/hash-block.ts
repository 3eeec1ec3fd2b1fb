import { prime } from './hash-keys.ts';

/** What a block comes to: two numbers below the prime. */
export interface BlockHash {
  x: number;
  y: number;
}

const word = 2 ** 32;

/**
 * Hashes the units m of a block under a key k: x = Σ k[i] m[i] and y = Σ k[i + 1] m[i], modulo the prime
 * p = 2^32 - 5. Two blocks that differ have the same x and y with a probability of 1 / p²: where they
 * differ last, at j, one value of k[j] in p gives the same x whatever the keys before it are, and then one
 * of k[j + 1] the same y. This is a Toeplitz matrix over a field: Y. Mansour, N. Nisan and P. Tiwari, "The
 * computational complexity of universal hash functions", 1990; its rows alone are the linear functions of
 * J. L. Carter and M. N. Wegman, "Universal classes of hash functions", 1979.
 *
 * @param start - Index of the block's first unit.
 * @param length - A multiple of 4, at most 128.
 */
export function hashBlock(
  units: Uint16Array,
  start: number,
  length: number,
  key: Float64Array,
  result: BlockHash,
): void {
  // Four sums each, because an addition waits for the one before it. Each takes at most 32 products
  // below 2^48, so that it is exact.
  let x0 = 0;
  let x1 = 0;
  let x2 = 0;
  let x3 = 0;
  let y0 = 0;
  let y1 = 0;
  let y2 = 0;
  let y3 = 0;
  let k0 = key[0] ?? 0;
  for (let index = 0; index < length; index += 4) {
    const k1 = key[index + 1] ?? 0;
    const k2 = key[index + 2] ?? 0;
    const k3 = key[index + 3] ?? 0;
    const k4 = key[index + 4] ?? 0;
    const place = start + index;
    const m0 = units[place] ?? 0;
    const m1 = units[place + 1] ?? 0;
    const m2 = units[place + 2] ?? 0;
    const m3 = units[place + 3] ?? 0;
    x0 += k0 * m0;
    y0 += k1 * m0;
    x1 += k1 * m1;
    y1 += k2 * m1;
    x2 += k2 * m2;
    y2 += k3 * m2;
    x3 += k3 * m3;
    y3 += k4 * m3;
    k0 = k4;
  }
  result.x = reduce(fold(x0) + fold(x1) + fold(x2) + fold(x3));
  result.y = reduce(fold(y0) + fold(y1) + fold(y2) + fold(y3));
}

/** The same modulo the prime, below 2^33: 2^32 leaves 5. */
function fold(sum: number): number {
  const high = Math.floor(sum / word);
  return sum - high * word + high * (word - prime);
}

function reduce(sum: number): number {
  const folded = fold(sum);
  return folded >= prime ? folded - prime : folded;
}
