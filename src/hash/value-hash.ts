import { utf8Encoder } from '../util/strings/utf8-length.ts';
import { splitsSurrogatePair } from '../util/strings/splits-surrogate-pair.ts';
import { textBytes, universalHash, type UniversalHash } from './universal-hash.ts';

/** 64 bits, in halves of 32. */
export interface Hash64 {
  readonly high: number;
  readonly low: number;
}

/**
 * Mixes values into 64 bits, so that what was seen before is found again. Two different sequences of
 * values give the same ones with a probability below 2^-61, whoever chose them: see
 * {@link universalHash}. The keys are random and never leave the process, nor does anything that is made
 * with them.
 */
export interface ValueHash {
  readonly number: (value: number) => void;
  /** Reads every character. */
  readonly text: (text: string) => void;
  /** Reads every byte. */
  readonly bytes: (data: Uint8Array) => void;
  readonly end: () => Hash64;
}

/** Stand before each value, so that no two sequences read alike. None is 0, which fills blocks up. */
const valueKinds = { characters: 1, utf8: 2, bytes: 3, number: 4 };

/** No UTF-16 unit takes more than 3 bytes. */
const utf16AtOnce = Math.floor(textBytes / 3);
/** Shorter texts are mixed character by character: a native call costs more than that. */
const shortText = 24;

/** Begins a hash with the keys of this process. One at a time: it ends where another one begins. */
export function valueHash(): ValueHash {
  sharedHash ??= valueHashes();
  return sharedHash();
}

let sharedHash: (() => ValueHash) | undefined;

/** Makes hashes with keys of their own, one at a time. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function valueHashes(universal: UniversalHash = universalHash()): () => ValueHash {
  const double = new Float64Array(1);
  const quarters = new Uint16Array(double.buffer);
  let isWiping = false;

  const begin = (kind: number, length: number): void => {
    universal.push(kind);
    universal.push(length);
    universal.push(length / 0x1_0000);
  };
  const append = (length: number): void => {
    universal.push(length);
    universal.append(length);
  };
  const hash: ValueHash = {
    number: (value) => {
      double[0] = value;
      universal.push(valueKinds.number);
      for (let index = 0; index < 4; index += 1) universal.push(quarters[index] ?? 0);
    },
    text: (text) => {
      // A message of a caller without types: anything else may have a length, and would read as nothing.
      if (typeof text !== 'string') throw new TypeError('A text is not a string.');
      const { length } = text;
      // UTF-8 has one and the same code for every lone surrogate.
      if (length <= shortText || !text.isWellFormed()) {
        begin(valueKinds.characters, length);
        for (let index = 0; index < length; index += 1) universal.push(text.charCodeAt(index));
        return;
      }
      begin(valueKinds.utf8, length);
      for (let start = 0; start < length;) {
        let end = start + utf16AtOnce;
        if (splitsSurrogatePair(text, end)) end -= 1;
        const slice = length <= utf16AtOnce ? text : text.slice(start, end);
        append(utf8Encoder.encodeInto(slice, universal.text).written);
        start = end;
      }
    },
    bytes: (data) => {
      begin(valueKinds.bytes, data.length);
      for (let start = 0; start < data.length; start += textBytes) {
        const slice = data.subarray(start, start + textBytes);
        universal.text.set(slice);
        append(slice.length);
      }
    },
    end: universal.end,
  };
  // The memory outlives the conversation. Once per task, not per text.
  const wipe = (): void => {
    isWiping = false;
    universal.wipe();
  };

  return () => {
    if (!isWiping) {
      isWiping = true;
      queueMicrotask(wipe);
    }
    universal.begin();
    return hash;
  };
}

/**
 * Makes a hash of sequences of hashes with keys of its own. The bound, which adds to theirs, holds for
 * inputs that do not depend on the keys: what one of these made goes into another one, never into itself.
 */
export function sequenceHashes(): (hashes: readonly Hash64[]) => Hash64 {
  let begin: (() => ValueHash) | undefined;
  return (hashes) => {
    begin ??= valueHashes();
    const hash = begin();
    for (const { high, low } of hashes) {
      hash.number(high);
      hash.number(low);
    }
    return hash.end();
  };
}
