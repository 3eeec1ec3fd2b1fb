import { toHex } from '../../hash/sha256-hex.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';
import { rememberPromise } from '../../util/maps/remember-promise.ts';
import { lengthPrefixed } from './length-prefixed.ts';
import { secretSubkey } from './secret-subkey.ts';
import { openSealed, sealText, type UnsealedValue } from './store-seal.ts';

/** Makes the keys under which a namespace's state is stored, and what stands under them. */
export interface StoreKeys {
  /**
   * HMAC-SHA-256 of the namespace and the given fields, as 64 hexadecimal digits: the first 16 are those
   * of the namespace, so that quotas can go by them.
   */
  readonly key: (...fields: readonly string[]) => Promise<string>;
  /**
   * Seals a text under a key: ASCII that no other key, namespace, secret or version of the format opens.
   *
   * @param expiresAt - Milliseconds since the epoch.
   * @param isEncrypted - Default: as the option `encrypt` says.
   */
  readonly seal: (
    key: string,
    text: string,
    expiresAt: number,
    isEncrypted?: boolean,
  ) => Promise<string>;
  /**
   * Opens what was sealed under a key, encrypted or not, so that `encrypt` can be switched on and off
   * without a new bill. Never rejects: anything else is `undefined`.
   */
  readonly open: (key: string, value: string) => Promise<UnsealedValue | undefined>;
}

/** Keys to write under and to read first, then those of the former secret, to be read only. */
export type StoreKeyring = readonly [StoreKeys, ...StoreKeys[]];

/**
 * Makes the keys of each secret.
 *
 * @param options.secret - The current one, or it and the former one.
 */
export function storeKeyring({
  secret,
  namespace,
  encrypt = false,
}: {
  readonly secret: string | readonly string[];
  readonly namespace: string;
  readonly encrypt?: boolean | undefined;
}): StoreKeyring {
  const [current, ...former] = new Set(typeof secret === 'string' ? [secret] : secret);
  if (current === undefined) throw new RangeError('There is no secret.');
  const keysOf = (each: string): StoreKeys => storeKeys(each, namespace, encrypt);
  return [keysOf(current), ...former.map(keysOf)];
}

/**
 * Makes keys that no other namespace can produce or guess: every field is length-prefixed, so no
 * choice of separators inside a field makes two keys collide.
 */
export function storeKeys(secret: string, namespace: string, encrypt = false): StoreKeys {
  const hash = async (fields: readonly string[]): Promise<string> => {
    const names = await secretSubkey(secret, 'names');
    return toHex(await crypto.subtle.sign('HMAC', names, lengthPrefixed(fields)));
  };
  const sign = (kind: 'namespace' | 'fields', ...fields: readonly string[]): Promise<string> => {
    const all = [kind, namespace, ...fields];
    return rememberPromise(signed, JSON.stringify([secret, ...all]), () => hash(all));
  };
  return {
    key: async (...fields) => {
      const [group, name] = await Promise.all([sign('namespace'), sign('fields', ...fields)]);
      return group.slice(0, namespaceDigits) + name.slice(namespaceDigits);
    },
    seal: (key, text, expiresAt, isEncrypted = encrypt) =>
      sealText({ secret, encrypt: isEncrypted }, key, { text, expiresAt }),
    open: (key, value) => openSealed(secret, key, value),
  };
}

/** Digits at the beginning of a key that are those of its namespace. */
export const namespaceDigits = 16;

/** Characters of remembered names, with what each costs beside them: some 5,000 of the usual ones. */
const maxSignedCharacters = 2_000_000;
const charactersBeside = 200;

/**
 * A call asks for the same keys as the call before it; signing waits for another thread. One for the
 * process, however many namespaces there are.
 */
const signed = boundedMap<Promise<string>>(
  maxSignedCharacters,
  (name) => name.length + charactersBeside,
);
