import { deflate, inflate } from '../../foundations/util/binary.ts';
import { randomId, toHex } from '../../foundations/util/digest.ts';
import { boundedMap, type BoundedMap } from '../../foundations/util/maps/bounded-map.ts';
import { toBase64, fromBase64, utf8Encoder } from '../../foundations/util/strings.ts';

/** Milliseconds for which what is stored is kept after it was written: 30 days. */
export const retentionMs: number = 30 * 24 * 60 * 60 * 1000;

let secretOfProcess: string | undefined;

/** One for the process: middlewares that share a store without a secret find each other's summaries. */
export function processSecret(): string {
  secretOfProcess ??= randomId() + randomId();
  return secretOfProcess;
}

/** Contents of a sealed value. */
export interface UnsealedValue {
  readonly text: string;
  /** Milliseconds since the epoch, at which that ends. */
  readonly expiresAt: number;
  readonly isEncrypted: boolean;
}

/** Makes the keys under which a namespace's state is stored, and what stands under them. */
export interface StoreKeys {
  /**
   * HMAC-SHA-256 of the namespace and the given fields, as 64 hexadecimal digits: the first 16 are those
   * of the namespace, so that quotas can go by them.
   */
  readonly key: (...fields: readonly string[]) => Promise<string>;
  /**
   * Seals a text under a key: ASCII that no other key, namespace, secret or version of the format opens, and that shows
   * whether anything of it was altered. A text whose seal is longer than {@link maxSealedLength}, which 6 MiB of UTF-8
   * are, is never read back.
   *
   * @param expiresAt - Milliseconds since the epoch.
   * @param isEncrypted - With AES-GCM, so that whoever reads the store cannot read the text. Default: as the option
   * `encrypt` says.
   */
  readonly seal: (
    key: string,
    text: string,
    expiresAt: number,
    isEncrypted?: boolean,
  ) => Promise<string>;
  /**
   * Opens what was sealed under a key, encrypted or not, so that `encrypt` can be switched on and off without a new
   * bill. Never rejects: what is altered, foreign, of another version or expired is `undefined`.
   */
  readonly open: (key: string, value: string) => Promise<UnsealedValue | undefined>;
  /** The key under the former secret, if there is one. */
  readonly former: (key: string) => { readonly keys: StoreKeys; readonly key: string } | undefined;
}

/**
 * Makes keys that no other namespace can produce or guess: fields are told apart whatever
 * separators stand in them.
 *
 * @param given - The secret, or the current and the former one.
 */
export function storeKeys(
  given: string | readonly string[],
  namespace: string,
  encrypt = false,
): StoreKeys {
  const [secret = '', before] = [given].flat();
  const former = before === undefined ? undefined : storeKeys(before, namespace);
  const formerKeys = new Map<string, string>();
  return {
    key: async (...fields) => {
      const key = await rememberPromise(
        made,
        JSON.stringify([secret, namespace, ...fields]),
        async () => {
          const [group, name] = await Promise.all([
            signature(secret, ['namespace', namespace]),
            signature(secret, ['fields', namespace, ...fields]),
          ]);
          return group.slice(0, namespaceDigits) + name.slice(namespaceDigits);
        },
      );
      if (former !== undefined) formerKeys.set(key, await former.key(...fields));
      return key;
    },
    former: (key) => {
      const formerKey = formerKeys.get(key);
      return former && formerKey !== undefined ? { keys: former, key: formerKey } : undefined;
    },
    seal: async (key, text, expiresAt, isEncrypted = encrypt) => {
      const iv = crypto.getRandomValues(new Uint8Array(isEncrypted ? ivBytes : 0));
      const plain = utf8Encoder.encode(text);
      const packed = await packedBytes(plain);
      const bytes = packed ?? plain;
      const payload = isEncrypted
        ? await crypto.subtle.encrypt({ ...cipher, iv }, await cipherKey(secret), bytes)
        : bytes;
      const base64 = toBase64(new Uint8Array(payload));
      const form = isEncrypted ? toHex(iv.buffer) : 'plain';
      const body = [form, expiresAt, base64, ...(packed ? [packing] : [])].join(':');
      return `sealed3:${await signature(secret, ['seal', key, body])}:${body}`;
    },
    open: (key, value) => openSealed(secret, key, value).catch(() => undefined),
  };
}

/** Digits at the beginning of a key that are those of its namespace. */
export const namespaceDigits = 16;

/** Version of the format: what one wrote, no other one finds or opens. */
const layout = 'ai-sdk-summarization:5';

/** Characters of the longest value that is read. A longer one is not even hashed. */
export const maxSealedLength: number = 8 * 1024 * 1024;

/** No client that parses what looks like JSON takes it for a number, a string or a list. */
const envelope = /^sealed3:([0-9a-f]{64}):/;

/** Rejects for some of what is no seal. */
async function openSealed(
  secret: string,
  key: string,
  value: string,
): Promise<UnsealedValue | undefined> {
  if (value.length > maxSealedLength) return undefined;
  const [start = '', mac = ''] = envelope.exec(value) ?? [];
  const body = value.slice(start.length);
  const named = bytesOf(['seal', key, body]);
  // Nothing inside is read before its authentication code, which is over every character of it, is found right. Web
  // Cryptography API, HMAC, verify: the comparison must be performed in constant time.
  if (!(await crypto.subtle.verify('HMAC', await signingKey(secret), fromHex(mac), named)))
    return undefined;
  const [form = '', end, base64 = '', packed] = body.split(':');
  const expiresAt = Number(end);
  if (!(expiresAt > Date.now())) return undefined;
  const isEncrypted = form !== 'plain';
  const payload = fromBase64(base64);
  const bytes = isEncrypted
    ? await crypto.subtle.decrypt(
        { ...cipher, iv: fromHex(form) },
        await cipherKey(secret),
        payload,
      )
    : payload;
  const plain = packed === packing ? await inflate(new Uint8Array(bytes)) : bytes;
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
  return { text, expiresAt, isEncrypted };
}

/** Field after the content of a compressed value. */
const packing = 'deflate';

/** Bytes from which a value is not compressed: those of archives already are. */
const mostPacked = 262_144;

/** Compresses a value; `undefined` where that makes it no shorter, or a runtime cannot. */
async function packedBytes(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (bytes.length > mostPacked || !('CompressionStream' in globalThis)) return undefined;
  const packed = await deflate(bytes);
  return packed.length < bytes.length ? packed : undefined;
}

function fromHex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** Bytes of fields: no two lists have the same ones, and JSON has a word for every lone surrogate. */
function bytesOf(fields: readonly string[]): Uint8Array<ArrayBuffer> {
  return utf8Encoder.encode(JSON.stringify(fields));
}

/** HMAC-SHA-256 of fields. */
async function signature(secret: string, fields: readonly string[]): Promise<string> {
  return toHex(await crypto.subtle.sign('HMAC', await signingKey(secret), bytesOf(fields)));
}

/** Keys remembered, under 1 KB each. Namespaces share them. */
const maxImported = 300;

const imported = boundedMap<Promise<CryptoKey>>(maxImported);

/** Store keys remembered, under 1 KB each: a conversation asks for the same ones in each call. */
const maxMade = 3000;

const made = boundedMap<Promise<string>>(maxMade);

/**
 * Gives what a map holds under a key, or what is made for it. A failure is not cached, so that the next caller tries
 * again.
 */
function rememberPromise<Result>(
  promises: BoundedMap<Promise<Result>>,
  key: string,
  make: () => Promise<Result>,
): Promise<Result> {
  const known = promises.get(key);
  if (known !== undefined) return known;
  const promise = make();
  promises.set(key, promise);
  promise.catch(() => promises.delete(key));
  return promise;
}

/** It does not stretch: a secret that can be guessed stays one. */
function signingKey(secret: string): Promise<CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return rememberPromise(imported, `sign ${secret}`, async () =>
    crypto.subtle.importKey('raw', bytesOf([layout, secret]), hmac, false, ['sign', 'verify']),
  );
}

const cipher = { name: 'AES-GCM' };

/** NIST SP 800-38D, section 8.3: random ones of 96 bits, for at most 2^32 values of a secret. */
const ivBytes = 12;

/** Made by the other key from a list that nothing else is signed by: neither says anything of the other. */
function cipherKey(secret: string): Promise<CryptoKey> {
  return rememberPromise(imported, `encrypt ${secret}`, async () => {
    const bytes = fromHex(await signature(secret, ['encryption']));
    return crypto.subtle.importKey('raw', bytes, cipher, false, ['encrypt', 'decrypt']);
  });
}
