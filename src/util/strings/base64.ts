import type { Steps } from '../async/run-steps.ts';

/** A multiple of 3, as 3 bytes are 4 characters; the spread of a large array overflows the call stack. */
const bytesAtOnce = 0x6000;

/** Writes bytes as base64, in steps between which others may work. */
export function* base64Steps(bytes: Uint8Array): Steps<string> {
  const texts: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += bytesAtOnce) {
    if (offset > 0) yield;
    texts.push(btoa(String.fromCharCode(...bytes.subarray(offset, offset + bytesAtOnce))));
  }
  return texts.join('');
}

/**
 * Reads base64.
 *
 * @throws {DOMException} when the text is no base64.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
