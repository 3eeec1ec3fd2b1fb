/** Input tokens of one call. */
export interface CacheUse {
  readonly read: number;
  readonly written: number;
}

/** Tokens below which nothing is cached, and the steps in which a longer prefix is matched. */
const least = 1024;
const blockTokens = 128;

/**
 * The prompt cache of a provider: the longest prefix that any earlier call sent is read, in blocks;
 * the rest is written. Nothing expires.
 *
 * @returns a function that takes the tokens of one call.
 */
export function providerCache(): (tokens: readonly number[]) => CacheUse {
  const known = new Set<number>();
  return (tokens) => {
    let read = 0;
    let broken = false;
    let [left, right] = [0x81_1c_9d_c5, 0x01_00_01_93];
    for (let end = blockTokens; end <= tokens.length; end += blockTokens) {
      for (let index = end - blockTokens; index < end; index += 1) {
        const token = tokens[index] ?? 0;
        left = Math.imul(left ^ token, 0x01_00_01_93);
        right = Math.imul(right ^ token, 0x85_eb_ca_6b) + 1;
      }
      // 53 bits of the prefix so far: with 1e6 prefixes a false match has a chance below 1e-4.
      const prefix = (left >>> 0) * 2 ** 21 + ((right >>> 8) & 0x1f_ff_ff);
      broken ||= !known.has(prefix);
      if (!broken) read = end;
      known.add(prefix);
    }
    if (read < least) read = 0;
    return { read, written: tokens.length - read };
  };
}
