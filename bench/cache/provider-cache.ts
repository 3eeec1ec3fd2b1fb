/** Input tokens of one call. */
export interface CacheUse {
  readonly read: number;
  readonly written: number;
}

/** Tokens below which nothing is cached, and the steps in which a longer prefix is matched. */
const least = 1024;
const blockTokens = 128;

/**
 * The prompt caches of providers that differ in how long they remember: the longest prefix that an earlier call sent,
 * and none of which was left alone for longer than that, is read, in blocks; the rest is written.
 *
 * @param lifetimes - Milliseconds after which a prefix that was not sent again is forgotten, for each cache.
 * @returns a function that takes the tokens of one call and the time, and tells what each cache had.
 */
export function providerCaches(
  lifetimes: readonly number[],
): (parts: readonly (readonly number[])[], now: number) => readonly CacheUse[] {
  const sent = new Map<number, number>();
  return (parts, now) => {
    const reads = lifetimes.map(() => 0);
    const broken = new Set<number>();
    let [left, right] = [0x81_1c_9d_c5, 0x01_00_01_93];
    let end = 0;
    for (const tokens of parts)
      for (const token of tokens) {
        left = Math.imul(left ^ token, 0x01_00_01_93);
        right = Math.imul(right ^ token, 0x85_eb_ca_6b) + 1;
        end += 1;
        if (end % blockTokens !== 0) continue;
        // 53 bits of the prefix so far: with 1e6 prefixes a false match has a chance below 1e-4.
        const prefix = (left >>> 0) * 2 ** 21 + ((right >>> 8) & 0x1f_ff_ff);
        const before = sent.get(prefix) ?? -Infinity;
        for (const [index, lifetime] of lifetimes.entries()) {
          if (now - before > lifetime) broken.add(index);
          if (!broken.has(index)) reads[index] = end;
        }
        sent.set(prefix, now);
      }
    return reads.map((read) => {
      const known = read < least ? 0 : read;
      return { read: known, written: end - known };
    });
  };
}
