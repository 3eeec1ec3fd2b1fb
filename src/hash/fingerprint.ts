import { splitsSurrogatePair } from '../util/splits-surrogate-pair.ts';
import { textBytes, universalHash, type UniversalHash } from './universal-hash.ts';

/**
 * Mixes values into 64 bits, so that what was seen before is found again. Two different sequences of
 * values give the same ones with a probability below 2^-61, whoever chose them: see
 * {@link universalHash}. The keys are random and never leave the process, nor does anything that is made
 * with them.
 */
export interface Fingerprint {
  readonly number: (value: number) => void;
  /** Reads every character. */
  readonly text: (text: string) => void;
  /** Reads every byte. */
  readonly bytes: (data: Uint8Array) => void;
  /** The two halves, of 32 bits each. */
  readonly end: () => { readonly high: number; readonly low: number };
}

/** Stand before each value, so that no two sequences read alike. None is 0, which fills blocks up. */
const marks = { characters: 1, utf8: 2, bytes: 3, number: 4 };

/** No UTF-16 unit takes more than 3 bytes. */
const sliceLength = Math.floor(textBytes / 3);
/** Shorter texts are mixed character by character: a native call costs more than that. */
const shortText = 24;

/** Begins a fingerprint with the keys of this process. One at a time: it ends where another one begins. */
export function fingerprint(): Fingerprint {
  shared ??= fingerprints();
  return shared();
}

let shared: (() => Fingerprint) | undefined;

/** Makes fingerprints with keys of their own, one at a time. */
export function fingerprints(hash: UniversalHash = universalHash()): () => Fingerprint {
  const encoder = new TextEncoder();
  const double = new Float64Array(1);
  const quarters = new Uint16Array(double.buffer);
  let isWiping = false;

  const begin = (mark: number, length: number): void => {
    hash.push(mark);
    hash.push(length);
    hash.push(length / 0x1_0000);
  };
  const append = (length: number): void => {
    hash.push(length);
    hash.append(length);
  };
  const print: Fingerprint = {
    number: (value) => {
      double[0] = value;
      hash.push(marks.number);
      for (let index = 0; index < 4; index += 1) hash.push(quarters[index] ?? 0);
    },
    text: (text) => {
      // A message of a caller without types: anything else may have a length, and would read as nothing.
      if (typeof text !== 'string') throw new TypeError('A text is not a string.');
      const { length } = text;
      // UTF-8 has one and the same code for every lone surrogate.
      if (length <= shortText || !text.isWellFormed()) {
        begin(marks.characters, length);
        for (let index = 0; index < length; index += 1) hash.push(text.charCodeAt(index));
        return;
      }
      begin(marks.utf8, length);
      for (let start = 0; start < length;) {
        let end = start + sliceLength;
        if (splitsSurrogatePair(text, end)) end -= 1;
        const slice = length <= sliceLength ? text : text.slice(start, end);
        append(encoder.encodeInto(slice, hash.text).written);
        start = end;
      }
    },
    bytes: (data) => {
      begin(marks.bytes, data.length);
      for (let start = 0; start < data.length; start += textBytes) {
        const slice = data.subarray(start, start + textBytes);
        hash.text.set(slice);
        append(slice.length);
      }
    },
    end: hash.end,
  };
  // The memory outlives the conversation. Once per task, not per text.
  const wipe = (): void => {
    isWiping = false;
    hash.wipe();
  };

  return () => {
    if (!isWiping) {
      isWiping = true;
      queueMicrotask(wipe);
    }
    hash.begin();
    return print;
  };
}
