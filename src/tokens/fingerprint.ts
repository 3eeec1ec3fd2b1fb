import { splitsSurrogatePair } from './splits-surrogate-pair.ts';

/**
 * Mixes values into 64 bits. Keyed by a random number of this process and not cryptographic: it finds
 * again what this process has seen, and never leaves it.
 */
export interface Fingerprint {
  readonly number: (value: number) => void;
  /** Reads every character. About 0.25 of the time that `JSON.parse` takes for the text. */
  readonly text: (text: string) => void;
  /** The two halves, of 32 bits each. */
  readonly high: () => number;
  readonly low: () => number;
}

const sliceLength = 16_384;
/** Shorter texts are mixed character by character: a native call costs more than that. */
const shortText = 24;

let key: Int32Array | undefined;
let encoder: TextEncoder | undefined;
let bytes: Uint8Array<ArrayBuffer> | undefined;
let words: Int32Array | undefined;
const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

/** Begins a fingerprint; the halves of another one continue it. */
export function fingerprint(from?: { readonly high: number; readonly low: number }): Fingerprint {
  key ??= crypto.getRandomValues(new Int32Array(2));
  let high = from?.high ?? key[0] ?? 0;
  let low = from?.low ?? key[1] ?? 0;

  // One round takes 8 bytes. Every step can be undone, so no round loses a difference, and each half
  // reaches the other.
  const mix = (first: number, second: number): void => {
    high = Math.imul(high ^ first, 0x9e3779b1);
    low = Math.imul(low ^ second, 0x85ebca77);
    high ^= low >>> 15;
    low ^= high >>> 13;
  };

  const mixSlice = (slice: string): void => {
    encoder ??= new TextEncoder();
    // No UTF-16 unit takes more than 3 bytes; a round may read 7 more.
    bytes ??= new Uint8Array(sliceLength * 3 + 8);
    words ??= new Int32Array(bytes.buffer);
    const { written } = encoder.encodeInto(slice, bytes);
    bytes.fill(0, written, written + 8);
    const end = (written + 3) >> 2;
    let left = high;
    let right = low;
    for (let index = 0; index < end; index += 2) {
      left = Math.imul(left ^ (words[index] ?? 0), 0x9e3779b1);
      right = Math.imul(right ^ (words[index + 1] ?? 0), 0x85ebca77);
      left ^= right >>> 15;
      right ^= left >>> 13;
    }
    high = left;
    low = right;
  };

  return {
    number: (value) => {
      double[0] = value;
      mix(halves[0] ?? 0, halves[1] ?? 0);
    },
    text: (text) => {
      // The length first, so that no two sequences of texts read alike.
      mix(text.length, 1);
      if (text.length <= shortText) {
        for (let index = 0; index < text.length; index += 2)
          mix(text.charCodeAt(index), text.charCodeAt(index + 1) | 0);
        return;
      }
      for (let start = 0; start < text.length;) {
        let end = start + sliceLength;
        if (splitsSurrogatePair(text, end)) end -= 1;
        mixSlice(text.length <= sliceLength ? text : text.slice(start, end));
        start = end;
      }
    },
    high: () => high,
    low: () => low,
  };
}
