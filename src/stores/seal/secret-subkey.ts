import { boundedMap } from '../../util/maps/bounded-map.ts';
import { rememberPromise } from '../../util/maps/remember-promise.ts';
import { lengthPrefixed } from './length-prefixed.ts';

/** Version of the format: what one wrote, no other one finds or opens. */
const layout = 'ai-sdk-summarization:3';

const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 };

/** What a key that is derived from a secret is for. */
export type KeyPurpose = 'names' | 'seals' | 'encryption';

const purposes: Readonly<
  Record<KeyPurpose, { algorithm: HmacKeyGenParams | AesKeyGenParams; usages: readonly KeyUsage[] }>
> = {
  names: { algorithm: hmac, usages: ['sign'] },
  seals: { algorithm: hmac, usages: ['sign', 'verify'] },
  encryption: { algorithm: { name: 'AES-GCM', length: 256 }, usages: ['encrypt', 'decrypt'] },
};

/** Keys remembered, under 1 KB each. Namespaces share them. */
const maxSubkeys = 300;

const subkeys = boundedMap<Promise<CryptoKey>>(maxSubkeys);

/**
 * Derives the key for a purpose with HKDF-SHA-256 (RFC 5869), whose input for what a key is for makes the
 * keys independent of each other. It does not stretch: a secret that can be guessed stays one.
 */
export function secretSubkey(secret: string, purpose: KeyPurpose): Promise<CryptoKey> {
  return rememberPromise(subkeys, JSON.stringify([purpose, secret]), async () => {
    const { algorithm, usages } = purposes[purpose];
    const whole = await crypto.subtle.importKey('raw', lengthPrefixed([secret]), 'HKDF', false, [
      'deriveKey',
    ]);
    const derivation = {
      name: 'HKDF',
      hash: 'SHA-256',
      // RFC 5869, section 3.1: the salt is optional.
      salt: new Uint8Array(0),
      info: lengthPrefixed([layout, purpose]),
    };
    return crypto.subtle.deriveKey(derivation, whole, algorithm, false, usages);
  });
}
