import type * as NodeCrypto from 'node:crypto';
import { utf8Encoder } from './strings.ts';

/** SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 hexadecimal digits. */
export async function sha256Hex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  // Each digest of WebCrypto waits for another thread, longer than a short one takes.
  if (data.length <= mostAtOnce) {
    const hash = nodeCrypto()?.createHash('sha256');
    if (hash !== undefined) return hash.update(data).digest('hex');
  }
  const bytes = typeof data === 'string' ? utf8Encoder.encode(data) : data;
  return toHex(await crypto.subtle.digest('SHA-256', bytes));
}

/** Characters or bytes that are digested in a tenth of a millisecond. */
const mostAtOnce = 65_536;

/** Looked up instead of imported: bundles for other runtimes need not know the module. */
export function nodeCrypto(): typeof NodeCrypto | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.('node:crypto');
  } catch {
    // The edge runtime of Next.js has a `process` that throws for what it lacks.
    return undefined;
  }
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
