import type { CipherGCM, KeyObject } from 'node:crypto';
import { nodeCrypto, sha256Hex } from '../digest.ts';
import { boundedMap, type BoundedMap } from '../maps/bounded-map.ts';
import { isSliceOver, yieldToEventLoop } from './waiting.ts';

/**
 * SHA-256 of texts one after the other, as 64 hexadecimal digits: piece by piece where the runtime has Node's hash, else
 * of all together.
 */
export async function digestTexts(texts: readonly string[]): Promise<string> {
  const hash = nodeCrypto()?.createHash('sha256');
  if (hash === undefined) return sha256Hex(texts.join(''));
  await handOn(texts, (piece) => hash.update(piece));
  return hash.digest('hex');
}

/** Digests remembered in a process, about 250 bytes each, by the tags of their texts. */
const maxDigests = 10_000;
const digests = boundedMap<string>(maxDigests);

/**
 * Digests texts once in a process. Where the runtime has Node's ciphers, the process recognizes the same texts in a
 * fraction of the time.
 */
export async function digestOnce(texts: readonly string[]): Promise<string> {
  const tag = await tagOf(texts);
  if (tag === undefined) return digestTexts(texts);
  const digest = digests.get(tag) ?? (await digestTexts(texts));
  digests.set(tag, digest);
  return digest;
}

/**
 * Computes a value once in a process for the same lists of texts.
 *
 * @param values - Values remembered.
 * @param about - Anything else on which the value depends.
 */
export async function oncePerTexts<Value>(
  values: BoundedMap<Value>,
  about: string,
  lists: readonly (readonly string[])[],
  compute: () => Promise<Value>,
): Promise<Value> {
  const lengths = lists.map((list) => list.map(({ length }) => length));
  const texts = [JSON.stringify([about, lengths]), ...lists.flat()];
  const key = (await tagOf(texts)) ?? (await digestTexts(texts));
  const value = values.get(key) ?? (await compute());
  values.set(key, value);
  return value;
}

/** A key of the process, random. */
let tagKey: KeyObject | undefined;

/** Whether this process makes tags. */
let isTagging: boolean | undefined;

/**
 * Computes the tag that AES-GCM gives texts as additional data; `undefined` without Node's ciphers. Key and tags never
 * leave the process, so that nobody can choose texts by them: any two texts of up to 100 MB have the same tag with a
 * probability below 2^-104 (NIST SP 800-38D, GHASH). One nonce for all does no harm, as nothing is encrypted.
 */
async function tagOf(texts: readonly string[]): Promise<string | undefined> {
  isTagging ??= isCipherWhole();
  if (!isTagging) return undefined;
  const cipher = nodeCipher();
  const bytes = Buffer.allocUnsafeSlow(mostTogether);
  let length = 0;
  await handOn(texts, (piece) => {
    for (let rest = piece; rest !== '';) {
      // Two bytes for each half of a character, so that no two texts have the same ones.
      const size = bytes.write(rest, length, 'utf16le');
      rest = rest.slice(size / 2);
      length += size;
      if (length < bytes.length) continue;
      cipher?.setAAD(bytes);
      length = 0;
    }
  });
  return cipher && tagWith(cipher, bytes.subarray(0, length));
}

/** Whether the runtime has the cipher, and its tag is of all pieces of the data and not only of the last one. */
function isCipherWhole(): boolean {
  try {
    const [one, other] = ['a', 'b'].map((piece) => {
      const cipher = nodeCipher()?.setAAD(Buffer.from(piece));
      return cipher && tagWith(cipher, Buffer.from('c'));
    });
    return one !== other;
  } catch {
    // A runtime may have a part of the module.
    return false;
  }
}

function nodeCipher(): CipherGCM | undefined {
  const node = nodeCrypto();
  tagKey ??= node?.createSecretKey(crypto.getRandomValues(new Uint8Array(32)));
  return tagKey && node?.createCipheriv('aes-256-gcm', tagKey, new Uint8Array(12));
}

function tagWith(cipher: CipherGCM, last: Buffer): string {
  cipher.setAAD(last).final();
  return cipher.getAuthTag().toString('latin1');
}

/** Characters that are put together, so that a hash is called less often, and of the texts that they are. */
const [mostTogether, mostOfShort] = [16_384, 1024] as const;

/** Hands texts on, short ones together, and leaves the event loop to others in between. */
async function handOn(texts: readonly string[], give: (piece: string) => void): Promise<void> {
  let pending = '';
  for (const text of texts) {
    if (text.length < mostOfShort && pending.length < mostTogether) pending += text;
    else {
      give(pending);
      give(text);
      pending = '';
      if (isSliceOver()) await yieldToEventLoop();
    }
  }
  give(pending);
}
