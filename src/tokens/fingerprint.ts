import { splitsSurrogatePair, utf8Encoder } from '../util/strings.ts';

/**
 * Texts and numbers, mixed into 53 bits by which a size is found again in this process. A conversation is recognised by
 * its digest, never by this.
 */
export interface Fingerprint {
  high: number;
  low: number;
}

const bufferBytes = 49_152;
/** No UTF-16 unit takes more than 3 bytes. */
const unitsAtOnce = bufferBytes / 3;

const buffer = new Uint8Array(bufferBytes);
const words = new Int32Array(buffer.buffer);

let factors: Int32Array | undefined;

/**
 * Odd numbers that nobody outside knows: who writes messages could make two that are alike otherwise, of which one would
 * be taken for shorter than it is. Drawn late, as Workers have no random numbers while they load.
 */
function secretFactors(): Int32Array {
  factors ??= crypto.getRandomValues(new Int32Array(2)).map((factor) => factor | 0x4000_0001);
  return factors;
}

function mixed(half: number, word: number, factor: number): number {
  const product = Math.imul(half ^ word, factor);
  return product ^ (product >>> 15);
}

/** Mixes in the lower 32 bits of a number. */
export function mixNumber(fingerprint: Fingerprint, value: number): void {
  const [high = 1, low = 1] = secretFactors();
  fingerprint.high = mixed(fingerprint.high, value, high);
  fingerprint.low = mixed(fingerprint.low, value, low);
}

/** Mixes in every character of a text, and returns how many bytes of UTF-8 they take. */
export function mixText(fingerprint: Fingerprint, text: string): number {
  let bytes = 0;
  for (let start = 0; start < text.length;) {
    let end = start + unitsAtOnce;
    if (splitsSurrogatePair(text, end)) end -= 1;
    const piece = text.length <= unitsAtOnce ? text : text.slice(start, end);
    const { written } = utf8Encoder.encodeInto(piece, buffer);
    mixBuffer(fingerprint, written);
    bytes += written;
    start = end;
  }
  mixNumber(fingerprint, bytes);
  return bytes;
}

function mixBuffer(fingerprint: Fingerprint, bytes: number): void {
  const [highFactor = 1, lowFactor = 1] = secretFactors();
  let { high, low } = fingerprint;
  for (let index = bytes; index % 4 !== 0; index += 1) buffer[index] = 0;
  for (let index = 0; index < bytes / 4; index += 1) {
    const word = words[index] ?? 0;
    high = mixed(high, word, highFactor);
    low = mixed(low, word, lowFactor);
  }
  fingerprint.high = high;
  fingerprint.low = low;
}

/** As many bits of the two halves as a number holds exactly. */
export function keyOf({ high, low }: Fingerprint): number {
  return (high >>> 0) * 0x20_0000 + (low >>> 11);
}
