import { boundedMap } from '../util/bounded-map.ts';
import { utf8Encoder } from '../util/utf8-length.ts';
import { toHex } from '../hash/sha256-hex.ts';

/** Makes the keys under which a conversation's state is stored. */
export interface StoreKeys {
  /** HMAC-SHA-256 over the namespace and the given fields, as 64 hexadecimal digits. */
  readonly key: (...fields: readonly string[]) => Promise<string>;
}

/**
 * Makes keys that no other namespace can produce or guess: every field is length-prefixed, so no
 * choice of separators inside a field makes two keys collide.
 */
export function storeKeys(secret: string, namespace: string): StoreKeys {
  let imported: Promise<CryptoKey> | undefined;
  const hmacKey = (): Promise<CryptoKey> => {
    imported ??= crypto.subtle.importKey(
      'raw',
      utf8Encoder.encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    return imported;
  };
  const sign = async (fields: readonly string[]): Promise<string> =>
    toHex(
      await crypto.subtle.sign(
        'HMAC',
        await hmacKey(),
        lengthPrefixed([layout, namespace, ...fields]),
      ),
    );
  // A call asks for the same two keys as the call before it; signing waits for another thread.
  const signed = boundedMap<Promise<string>>(maxSigned);
  return {
    key: (...fields) => {
      const name = JSON.stringify(fields);
      const key = signed.get(name) ?? sign(fields);
      signed.set(name, key);
      return key;
    },
  };
}

/** Keys remembered, about 300 bytes each. */
const maxSigned = 5000;

/** Part of every key: a stored layout that older versions cannot read lives under keys of its own. */
const layout = 'ai-sdk-summarization:1';

function lengthPrefixed(fields: readonly string[]): Uint8Array<ArrayBuffer> {
  // As JSON, because UTF-8 has one and the same code for every lone surrogate.
  const encoded = fields.map((field) => utf8Encoder.encode(JSON.stringify(field)));
  const bytes = new Uint8Array(encoded.reduce((size, field) => size + 4 + field.length, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const field of encoded) {
    view.setUint32(offset, field.length);
    bytes.set(field, offset + 4);
    offset += 4 + field.length;
  }
  return bytes;
}
