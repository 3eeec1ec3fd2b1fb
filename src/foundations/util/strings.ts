/** Whether a cut before `index` would come between the two halves of one character. */
export function splitsSurrogatePair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

const sliceLength = 16_384;

/** One for all: it has no state. */
export const utf8Encoder: TextEncoder = new TextEncoder();
let scratch: Uint8Array<ArrayBuffer> | undefined;

/**
 * Bytes of the text in UTF-8; a lone surrogate counts as the replacement character, 3 bytes. Native
 * encoding into a scratch buffer takes 0.3 of the time of `JSON.parse`, a loop over the characters 1.0.
 */
export function utf8Length(text: string): number {
  // No UTF-16 unit takes more than 3 bytes, so every slice fits.
  scratch ??= new Uint8Array(sliceLength * 3);
  if (text.length <= sliceLength) return utf8Encoder.encodeInto(text, scratch).written;
  let bytes = 0;
  let start = 0;
  while (start < text.length) {
    let end = start + sliceLength;
    if (splitsSurrogatePair(text, end)) end -= 1;
    bytes += utf8Encoder.encodeInto(text.slice(start, end), scratch).written;
    start = end;
  }
  return bytes;
}

/** Bytes of a piece, of which three become four characters. */
const pieceLength = 12_288;

/** Writes bytes as base64 (RFC 4648). */
export function toBase64(bytes: Uint8Array): string {
  let base64 = '';
  for (let start = 0; start < bytes.length; start += pieceLength) {
    const piece = bytes.subarray(start, start + pieceLength);
    // Six times as fast as to spread it.
    base64 += btoa(String(Reflect.apply(String.fromCharCode, undefined, piece)));
  }
  return base64;
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
