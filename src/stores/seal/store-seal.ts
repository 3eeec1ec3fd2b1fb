import { toHex } from '../../hash/sha256-hex.ts';
import { base64Steps, fromBase64 } from '../../util/strings/base64.ts';
import { runInSlices } from '../../util/async/run-steps.ts';
import { timeSlices } from '../../util/async/time-slices.ts';
import { utf8Encoder } from '../../util/strings/utf8-length.ts';
import { lengthPrefixed } from './length-prefixed.ts';
import { secretSubkey } from './secret-subkey.ts';

/** What a value says, and when that ends. */
export interface OpenedValue {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What a sealed value says. */
export interface UnsealedValue extends OpenedValue {
  readonly isEncrypted: boolean;
}

/** Characters of the longest value that is read. A longer one is not even hashed. */
export const maxSealedLength: number = 8 * 1024 * 1024;

/** No client that parses what looks like JSON takes it for a number, a string or a list. */
const envelope = /^sealed2:([0-9a-f]{64}):/;

/** NIST SP 800-38D, section 8.3: random ones of 96 bits, for at most 2^32 values of a secret. */
const ivBytes = 12;

/**
 * Seals a text under a store's key until a time: ASCII that shows whether anything of it was altered. A
 * text whose seal is longer than {@link maxSealedLength}, which 6 MiB of UTF-8 are, is never read back.
 *
 * @param options.encrypt - With AES-GCM, so that whoever reads the store cannot read the text.
 */
export async function sealText(
  options: { readonly secret: string; readonly encrypt: boolean },
  key: string,
  { text, expiresAt }: OpenedValue,
): Promise<string> {
  const { secret, encrypt } = options;
  const bytes = encodeText(text);
  const payload = encrypt ? await encrypted(secret, key, expiresAt, bytes) : bytes;
  const base64 = await runInSlices(base64Steps(payload), timeSlices());
  const body = `${encrypt ? 'aes' : 'plain'}:${expiresAt}:${base64}`;
  const sealing = await secretSubkey(secret, 'seals');
  const mac = await crypto.subtle.sign('HMAC', sealing, lengthPrefixed([key, body]));
  return `sealed2:${toHex(mac)}:${body}`;
}

/**
 * Opens what was sealed, encrypted or not, under this key with this secret. Never rejects: what is
 * altered, foreign, of another version or expired is `undefined`. Nothing inside is read before its
 * authentication code, which is over every character of it, has been found right.
 */
export async function openSealed(
  secret: string,
  key: string,
  value: string,
): Promise<UnsealedValue | undefined> {
  // A store without types may hand back what it took for an object.
  if (typeof value !== 'string' || value.length > maxSealedLength) return undefined;
  const [start = '', mac] = envelope.exec(value) ?? [];
  if (mac === undefined) return undefined;
  const body = value.slice(start.length);
  try {
    // Web Cryptography API, HMAC, verify: the comparison must be performed in constant time.
    const isOurs = await crypto.subtle.verify(
      'HMAC',
      await secretSubkey(secret, 'seals'),
      Uint8Array.from(mac.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)),
      lengthPrefixed([key, body]),
    );
    if (!isOurs) return undefined;
    const [form, end, payload = ''] = body.split(':');
    const expiresAt = Number(end);
    if (!(expiresAt > Date.now())) return undefined;
    const bytes = fromBase64(payload);
    const plain = form === 'aes' ? await decrypted(secret, key, expiresAt, bytes) : bytes;
    return { text: decodeText(plain), expiresAt, isEncrypted: form === 'aes' };
  } catch {
    return undefined;
  }
}

async function encrypted(
  secret: string,
  key: string,
  expiresAt: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const secretly = await secretSubkey(secret, 'encryption');
  const sealed = await crypto.subtle.encrypt(parameters(iv, key, expiresAt), secretly, bytes);
  const whole = new Uint8Array(ivBytes + sealed.byteLength);
  whole.set(iv);
  whole.set(new Uint8Array(sealed), ivBytes);
  return whole;
}

function decrypted(
  secret: string,
  key: string,
  expiresAt: number,
  whole: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const [iv, sealed] = [whole.subarray(0, ivBytes), whole.subarray(ivBytes)];
  return secretSubkey(secret, 'encryption')
    .then((secretly) => crypto.subtle.decrypt(parameters(iv, key, expiresAt), secretly, sealed))
    .then((bytes) => new Uint8Array(bytes));
}

function parameters(iv: Uint8Array<ArrayBuffer>, key: string, expiresAt: number): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: lengthPrefixed([key, String(expiresAt)]) };
}

/** UTF-8, or where that has no code for a lone surrogate JSON; the first character says which. */
function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return utf8Encoder.encode(text.isWellFormed() ? `t${text}` : `j${JSON.stringify(text)}`);
}

function decodeText(bytes: Uint8Array): string {
  const marked = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const text = marked.slice(1);
  return marked.startsWith('t') ? text : String(JSON.parse(text));
}
