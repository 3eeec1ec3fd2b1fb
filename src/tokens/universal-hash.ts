import { hashBlock, type BlockHash } from './hash-block.ts';
import { blockUnits, type HashKeys } from './hash-keys.ts';

/** A hash of units of 16 bits whose collisions have a proven bound. One input at a time. */
export interface UniversalHash {
  /** Adds a unit to the block that is being filled. */
  readonly push: (unit: number) => void;
  /** Adds the first `length` units of `data`, beginning with a block of their own. */
  readonly append: (data: Uint16Array, length: number) => void;
  /** The result, two halves of 32 bits, and the end of this input: the next unit begins another one. */
  readonly end: () => { readonly high: number; readonly low: number };
}

/** Units in which the result of a block is written: two numbers below 2^32. */
const resultUnits = 4;

/**
 * Makes a hash. Two different inputs of less than 2^32 blocks, chosen without knowing the keys, have
 * the same result with a probability of at most 8 / p², below 2^-60, where p = 2^32 - 5.
 *
 * The results of 32 blocks are a block of the next level, which has a key of its own; what the levels
 * hold at the end, and the number of blocks, is the last block. Inputs of equally many blocks have the
 * same shape. A difference climbs from level to level until it is lost on one of them, with a
 * probability of 1 / p² on each, or is in the result: J. L. Carter and M. N. Wegman, "New hash functions
 * and their use in authentication and set equality", 1981, section 3. Units that are zero at the end of a
 * block do not count: an input has to say itself where it ends.
 */
export function universalHash(keys: HashKeys): UniversalHash {
  const levels = keys.slice(0, -1).map((key) => ({
    key,
    units: new Uint16Array(blockUnits),
    filled: 0,
  }));
  const lastKey = keys.at(-1) ?? new Float64Array(blockUnits + 1);
  const last = new Uint16Array(blockUnits);
  const [bottom] = levels;
  const result: BlockHash = { x: 0, y: 0 };
  let blocks = 0;
  let count = 0;
  if (bottom === undefined) throw new RangeError('A hash needs keys.');
  const { units: open, key: openKey } = bottom;

  /** Hands the result of a block of a level on to those above. */
  const climb = (from: number): void => {
    for (let index = from + 1; index < levels.length; index += 1) {
      const level = levels[index];
      if (level === undefined) return;
      writeResult(level.units, level.filled, result);
      level.filled += resultUnits;
      if (level.filled < blockUnits) return;
      hashBlock(level.units, 0, blockUnits, level.key, result);
      level.filled = 0;
    }
  };
  const close = (): void => {
    while (count % 4 !== 0) {
      open[count] = 0;
      count += 1;
    }
    hashBlock(open, 0, count, openKey, result);
    count = 0;
    blocks += 1;
    climb(0);
  };

  return {
    push: (unit) => {
      open[count] = unit;
      count += 1;
      if (count === blockUnits) close();
    },
    append: (data, length) => {
      if (count > 0) close();
      let start = 0;
      for (; start + blockUnits <= length; start += blockUnits) {
        hashBlock(data, start, blockUnits, openKey, result);
        blocks += 1;
        climb(0);
      }
      for (; start < length; start += 1) {
        open[count] = data[start] ?? 0;
        count += 1;
      }
      if (count > 0) close();
    },
    end: () => {
      if (count > 0) close();
      let written = 0;
      for (const level of levels) {
        if (level.filled > 0) {
          hashBlock(level.units, 0, level.filled, level.key, result);
          writeResult(last, written, result);
        } else last.fill(0, written, written + resultUnits);
        level.filled = 0;
        written += resultUnits;
      }
      result.x = blocks;
      result.y = 0;
      writeResult(last, written, result);
      blocks = 0;
      hashBlock(last, 0, written + resultUnits, lastKey, result);
      return { high: result.x | 0, low: result.y | 0 };
    },
  };
}

function writeResult(units: Uint16Array, place: number, { x, y }: BlockHash): void {
  // A store takes the low 16 bits.
  units[place] = x;
  units[place + 1] = x / 65_536;
  units[place + 2] = y;
  units[place + 3] = y / 65_536;
}
