import { utf8Encoder } from './strings.ts';

/** SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 hexadecimal digits. */
export async function sha256Hex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === 'string' ? utf8Encoder.encode(data) : data;
  return toHex(await crypto.subtle.digest('SHA-256', bytes));
}

const hexOfBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes as lowercase hexadecimal digits. */
export function toHex(bytes: ArrayBuffer): string {
  let hex = '';
  for (const byte of new Uint8Array(bytes)) hex += hexOfBytes[byte] ?? '';
  return hex;
}

/** 128 random bits as 32 hexadecimal digits. Pages of an insecure origin have no `crypto.randomUUID`. */
export function randomId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)).buffer);
}
