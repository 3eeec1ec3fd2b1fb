import { keyBytes, plainHashMemory, type HashMemory } from './hash-block.ts';
import { wasmHashMemory } from './hash-block-wasm.ts';

/**
 * A hash of a stream of units of 16 bits whose collisions have a proven bound. It has one memory, so one
 * input at a time.
 */
export interface UniversalHash {
  /** What {@link UniversalHash.append} reads. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** Begins an input, and drops another one that did not come to its end. */
  readonly begin: () => void;
  /** Adds a unit. */
  readonly push: (unit: number) => void;
  /** Adds so many of the first bytes of `text`; their number is not part of the input. */
  readonly append: (length: number) => void;
  /** The result, two halves of 32 bits. */
  readonly end: () => { readonly high: number; readonly low: number };
  /** Overwrites what is left of inputs in the memory. */
  readonly wipe: () => void;
}

/** Bytes of a block: it and its key stay in the processor's nearest cache. */
export const blockBytes = 1024;
const resultBytes = 8;
/** Levels of blocks above the text: 1 KB of the stream in the first, 2 GB before the last is full. */
const levels = 4;
/** The levels, that of the text below them and the last block above. */
const keys = levels + 2;

const blocksStart = keys * keyBytes(blockBytes);
const lastStart = blocksStart + levels * blockBytes;
/** A result and a length for each level, and the result of the whole. */
const lastBytes = levels * 2 * resultBytes;
const textStart = lastStart + lastBytes + resultBytes;

/** Bytes that `text` holds; their number is below 2^16. */
export const textBytes = 49_152;

interface Level {
  readonly key: number;
  readonly block: number;
  /** Bytes of the block that are filled. */
  filled: number;
  readonly above: Level | undefined;
}

/**
 * Makes a hash. Two different inputs, chosen without knowing the keys, have the same result with a
 * probability of at most 6 * 2^-64, below 2^-61.
 *
 * Bytes that are appended are hashed in blocks of their own, whose results are units of the stream. The
 * results of its blocks are blocks of the next level, which has a key of its own, and so on. What the
 * levels hold at the end, and how much, is the last block. Streams of one length have the same shape. A
 * difference climbs from level to level until it is lost on one of the six, with a probability of 2^-64
 * on each, or is in the result: J. L. Carter and M. N. Wegman, "New hash functions and their use in
 * authentication and set equality", 1981, section 3. Bytes are filled up with zeros to a multiple of 8: an
 * input has to say how many there are.
 *
 * @param fill - Makes the keys. Default: the runtime's source of randomness.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function universalHash(
  { buffer, hashBlock }: HashMemory = hashMemory(),
  fill: (key: Uint8Array<ArrayBuffer>) => void = (key) => void crypto.getRandomValues(key),
): UniversalHash {
  const units = new Uint16Array(buffer);
  const words = new Int32Array(buffer);
  const text = new Uint8Array(buffer, textStart, textBytes);
  for (let index = 0; index < keys; index += 1)
    fill(new Uint8Array(buffer, keyAddress(index), keyBytes(blockBytes)));

  const levelAt = (index: number): Level => ({
    key: keyAddress(index + 1),
    block: blocksStart + index * blockBytes,
    filled: 0,
    above: index + 1 < levels ? levelAt(index + 1) : undefined,
  });
  const stream = levelAt(0);
  /** Bytes of the text that were filled since the memory was last wiped. */
  let filledText = 0;

  const grow = (level: Level, bytes: number): void => {
    level.filled += bytes;
    if (level.filled < blockBytes) return;
    const { key, block, above } = level;
    if (above === undefined) throw new RangeError('More was hashed than a hash can take.');
    hashBlock(block, block + blockBytes, key, above.block + above.filled);
    level.filled = 0;
    grow(above, resultBytes);
  };
  const push = (unit: number): void => {
    units[(stream.block + stream.filled) / 2] = unit;
    grow(stream, 2);
  };
  const align = (): void => {
    while (stream.filled % resultBytes !== 0) push(0);
  };

  return {
    text,
    push,
    begin: () => {
      for (let level: Level | undefined = stream; level !== undefined; level = level.above)
        level.filled = 0;
    },
    append: (length) => {
      filledText = Math.max(filledText, length);
      align();
      const end = Math.ceil(length / 8) * 8;
      text.fill(0, length, end);
      for (let start = 0; start < end; start += blockBytes) {
        const place = textStart + start;
        hashBlock(
          place,
          textStart + Math.min(end, start + blockBytes),
          0,
          stream.block + stream.filled,
        );
        grow(stream, resultBytes);
      }
    },
    end: () => {
      align();
      let place = lastStart;
      for (let level: Level | undefined = stream; level !== undefined; level = level.above) {
        const { key, block, filled } = level;
        hashBlock(block, block + filled, key, place);
        words[place / 4 + 2] = filled;
        words[place / 4 + 3] = 0;
        place += 2 * resultBytes;
      }
      hashBlock(lastStart, place, keyAddress(levels + 1), place);
      return { high: words[place / 4] ?? 0, low: words[place / 4 + 1] ?? 0 };
    },
    wipe: () => {
      new Uint8Array(buffer, blocksStart, textStart - blocksStart + filledText).fill(0);
      filledText = 0;
    },
  };
}

function keyAddress(index: number): number {
  return index * keyBytes(blockBytes);
}

function hashMemory(): HashMemory {
  try {
    return wasmHashMemory();
  } catch {
    // There is none, or none may be compiled: edge runtimes and content security policies refuse to.
    return plainHashMemory();
  }
}
