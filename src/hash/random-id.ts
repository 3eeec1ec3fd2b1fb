import { toHex } from './sha256-hex.ts';

const idBytes = 16;

/** 128 random bits as 32 hexadecimal digits. Pages of an insecure origin have no `crypto.randomUUID`. */
export function randomId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(idBytes)).buffer);
}
