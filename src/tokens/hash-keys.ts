/** Random numbers below {@link prime} that a hash is made of: one key for each level, and one more. */
export type HashKeys = readonly Float64Array[];

/** The largest prime below 2^32. */
export const prime = 4_294_967_291;

/** Units of 16 bits in a block. */
export const blockUnits = 128;

/** Levels above each other: 128 units, each level up 32 times as many. Enough for 2^32 blocks. */
const levels = 7;

/** Makes keys from the runtime's source of randomness. */
export function randomHashKeys(): HashKeys {
  return Array.from({ length: levels + 1 }, () => {
    // One more than units: the second number of a block takes the key shifted by one.
    const words = crypto.getRandomValues(new Uint32Array(blockUnits + 1));
    for (let index = 0; index < words.length; index += 1) {
      // Five values in 2^32 are drawn again, so that all are equally likely.
      while ((words[index] ?? 0) >= prime) crypto.getRandomValues(words.subarray(index, index + 1));
    }
    return Float64Array.from(words);
  });
}
