/** A memory and what hashes in it. All arguments are places in it, in bytes. */
export interface HashMemory {
  readonly buffer: ArrayBuffer;
  /**
   * Hashes a block to 64 bits: "Multilinear-HM" of D. Lemire and O. Kaser, "Strongly universal string
   * hashing is fast", 2012. Of K bits each are the keys and the sum k[0] + Σ (k[i] + m[i]) (k[i + 1] +
   * m[i + 1]), over the words m of a block, K / 2 bits each, two at a time. The upper half of a sum is
   * strongly universal (theorem 3.1): two blocks of one length that differ share it with a probability of
   * 2^(-K / 2). Sums with keys of their own make up 64 bits, so they share the result with one of 2^-64:
   * two sums with K = 64 in WebAssembly, four with K = 32 without.
   *
   * @param start - A multiple of 4, as `key` is, and `result` of 2.
   * @param end - A multiple of 8 bytes after `start`.
   * @param key - Random bytes: {@link keyBytes} of the length.
   * @param result - Gets 8 bytes.
   */
  readonly hashBlock: (start: number, end: number, key: number, result: number) => void;
}

/** Size of a memory, in bytes. */
const memoryBytes = 131_072;

/** Bytes of the key for blocks of so many bytes: four keys of 32 bits for each 16, and four more. */
export function keyBytes(blockBytes: number): number {
  return 8 * blockBytes + 16;
}

/** Makes a memory for the implementation without WebAssembly. */
export function plainHashMemory(): HashMemory {
  const buffer = new ArrayBuffer(memoryBytes);
  const units = new Uint16Array(buffer);
  const words = new Int32Array(buffer);
  const product = (key: number, first: number, second: number): number =>
    Math.imul((words[key] ?? 0) + first, (words[key + 1] ?? 0) + second);

  return {
    buffer,
    hashBlock: (start, end, key, result) => {
      let place = key / 4;
      let a = words[place] ?? 0;
      let b = words[place + 1] ?? 0;
      let c = words[place + 2] ?? 0;
      let d = words[place + 3] ?? 0;
      place += 4;
      for (let index = start / 2; index < end / 2; index += 2) {
        const first = units[index] ?? 0;
        const second = units[index + 1] ?? 0;
        a = (a + product(place, first, second)) | 0;
        b = (b + product(place + 2, first, second)) | 0;
        c = (c + product(place + 4, first, second)) | 0;
        d = (d + product(place + 6, first, second)) | 0;
        place += 8;
      }
      units[result / 2] = a >>> 16;
      units[result / 2 + 1] = b >>> 16;
      units[result / 2 + 2] = c >>> 16;
      units[result / 2 + 3] = d >>> 16;
    },
  };
}
