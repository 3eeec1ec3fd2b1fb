import { splitsSurrogatePair } from './splits-surrogate-pair.ts';

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
