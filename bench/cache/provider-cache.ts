/** Input tokens of one call. */
export interface CacheUse {
  readonly read: number;
  readonly written: number;
}

/** Tokens below which nothing is cached, and the steps in which a longer prefix is matched. */
const least = 1024;
const blockTokens = 128;

/** Tokens of a part of a prompt, and the prefixes of the whole that end in blocks within it. */
interface HashedPart {
  readonly tokens: readonly number[];
  readonly prefixes: readonly number[];
  /** Two hashes of all tokens so far, and how many there are. */
  readonly after: readonly [left: number, right: number, end: number];
}

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
  // By the first part, so that a model and its summarizer each go on where they were.
  const lastCalls = new Map<readonly number[] | undefined, readonly HashedPart[]>();
  return (parts, now) => {
    const hashed = hashedParts(parts, lastCalls.get(parts[0]) ?? []);
    lastCalls.set(parts[0], hashed);
    const reads = lifetimes.map(() => 0);
    const broken = new Set<number>();
    let end = 0;
    for (const { prefixes } of hashed)
      for (const prefix of prefixes) {
        end += blockTokens;
        const before = sent.get(prefix) ?? -Infinity;
        for (const [index, lifetime] of lifetimes.entries()) {
          if (now - before > lifetime) broken.add(index);
          if (!broken.has(index)) reads[index] = end;
        }
        sent.set(prefix, now);
      }
    const [, , all] = hashed.at(-1)?.after ?? noTokens;
    return reads.map((read) => {
      const known = read < least ? 0 : read;
      return { read: known, written: all - known };
    });
  };
}

const noTokens: HashedPart['after'] = [0x81_1c_9d_c5, 0x01_00_01_93, 0];

/** A part that follows the same ones as in the call before is not hashed again. */
function hashedParts(
  parts: readonly (readonly number[])[],
  before: readonly HashedPart[],
): readonly HashedPart[] {
  const hashed: HashedPart[] = [];
  let isSame = true;
  for (const [index, tokens] of parts.entries()) {
    const known = before[index];
    isSame &&= known?.tokens === tokens;
    if (isSame && known !== undefined) hashed.push(known);
    else hashed.push(hashedPart(tokens, hashed.at(-1)?.after ?? noTokens));
  }
  return hashed;
}

function hashedPart(
  tokens: readonly number[],
  [leftBefore, rightBefore, endBefore]: HashedPart['after'],
): HashedPart {
  let [left, right, end] = [leftBefore, rightBefore, endBefore];
  const prefixes: number[] = [];
  for (const token of tokens) {
    left = Math.imul(left ^ token, 0x01_00_01_93);
    right = Math.imul(right ^ token, 0x85_eb_ca_6b) + 1;
    end += 1;
    // 53 bits of the prefix so far: with 1e6 prefixes a false match has a chance below 1e-4.
    if (end % blockTokens === 0)
      prefixes.push((left >>> 0) * 2 ** 21 + ((right >>> 8) & 0x1f_ff_ff));
  }
  return { tokens, prefixes, after: [left, right, end] };
}
