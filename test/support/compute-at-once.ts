import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

type Bytes = Uint8Array<ArrayBuffer>;
type Galois = Pick<AesGcmParams, 'iv'>;

const cipherName = 'aes-256-gcm';
const tagBytes = 16;

/** What Node.js computes beside, with the same results, at once. */
const atOnce = {
  digest: async (_: string, data: Bytes) => whole(createHash('sha256').update(data).digest()),
  sign: async (_: string, key: CryptoKey, data: Bytes) => whole(macOf(key, data)),
  verify: async (_: string, key: CryptoKey, given: Bytes, data: Bytes) =>
    timingSafeEqual(given, macOf(key, data)),
  encrypt: async ({ iv }: Galois, key: CryptoKey, data: Bytes) => {
    const cipher = createCipheriv(cipherName, KeyObject.from(key), bytesOf(iv));
    return whole(Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]));
  },
  decrypt: async ({ iv }: Galois, key: CryptoKey, data: Bytes) => {
    const decipher = createDecipheriv(cipherName, KeyObject.from(key), bytesOf(iv));
    decipher.setAuthTag(data.subarray(-tagBytes));
    return whole(Buffer.concat([decipher.update(data.subarray(0, -tagBytes)), decipher.final()]));
  },
};

/**
 * Lets this thread do what others do for the package: how soon those are done differs from run to run, and with it what
 * an abort meets.
 *
 * @param warmUp - What makes the keys, which other threads do, and loads what loads on demand.
 */
export async function computeAtOnce(warmUp: () => Promise<void>): Promise<void> {
  const { subtle } = crypto;
  const deriveKey = subtle.deriveKey.bind(subtle);
  // No other way makes keys: they are there before anything happens, for those who take the key of another API.
  replace(subtle, {
    deriveKey: async (...[derivation, base, algorithm, , usages]: Parameters<typeof deriveKey>) =>
      deriveKey(derivation, base, algorithm, true, usages),
  });
  await warmUp();
  replace(subtle, atOnce);
  // Pauses at random are as long as their mean.
  replace(Math, { random: () => 0.5 });
  replace(globalThis, {
    CompressionStream: streamOf(deflateRawSync),
    DecompressionStream: streamOf(inflateRawSync),
  });
}

function replace(owner: object, values: object): void {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(owner, name, { value, configurable: true });
}

function macOf(key: CryptoKey, data: Bytes): Buffer {
  return createHmac('sha256', KeyObject.from(key)).update(data).digest();
}

function streamOf(convert: (bytes: Bytes) => Buffer): new () => TransformStream<Bytes, Bytes> {
  return class extends TransformStream<Bytes, Bytes> {
    constructor() {
      const chunks: Bytes[] = [];
      super({
        transform: (chunk) => void chunks.push(chunk),
        flush: (controller) => {
          controller.enqueue(new Uint8Array(convert(new Uint8Array(Buffer.concat(chunks)))));
        },
      });
    }
  };
}

/** A buffer that holds these bytes and no others. */
function whole(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function bytesOf(source: BufferSource): Uint8Array {
  return source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}
