import { randomHashKeys, type HashKeys } from './hash-keys.ts';
import { splitsSurrogatePair } from './splits-surrogate-pair.ts';
import { universalHash } from './universal-hash.ts';

/**
 * Mixes values into 64 bits, so that what was seen before is found again. Different sequences of values
 * give the same ones with a probability below 2^-60, whoever chose them: see {@link universalHash}. The
 * keys are random and never leave the process, nor does anything that is made with them.
 */
export interface Fingerprint {
  readonly number: (value: number) => void;
  /** Reads every character. */
  readonly text: (text: string) => void;
  /** Reads every byte. */
  readonly bytes: (data: Uint8Array) => void;
  /** The two halves, of 32 bits each. The next value begins another one. */
  readonly end: () => { readonly high: number; readonly low: number };
}

/** Stand before each value, so that no two sequences read alike. None is 0, which fills blocks up. */
const marks = { characters: 1, utf8: 2, bytes: 3, number: 4 };

const sliceLength = 16_384;
/** No UTF-16 unit takes more than 3 bytes; even, so that no unit is cut in two. */
const bufferLength = 3 * sliceLength;
/** Shorter texts are mixed character by character: a native call costs more than that. */
const shortText = 24;

let processKeys: HashKeys | undefined;
let encoder: TextEncoder | undefined;
let bytes: Uint8Array<ArrayBuffer> | undefined;
let units: Uint16Array<ArrayBuffer> | undefined;
let isWiping = false;
const double = new Float64Array(1);
const quarters = new Uint16Array(double.buffer);

function buffer(): Uint8Array<ArrayBuffer> {
  bytes ??= new Uint8Array(bufferLength);
  if (!isWiping) {
    isWiping = true;
    queueMicrotask(wipe);
  }
  return bytes;
}

/** The buffer outlives the conversation. Once per task, not per text. */
function wipe(): void {
  isWiping = false;
  bytes?.fill(0);
}

/**
 * Makes a fingerprint, to be used again and again.
 *
 * @param keys - Default: the ones of this process.
 */
export function fingerprint(keys: HashKeys = (processKeys ??= randomHashKeys())): Fingerprint {
  const hash = universalHash(keys);

  const begin = (mark: number, length: number): void => {
    hash.push(mark);
    hash.push(length & 0xffff);
    hash.push(length / 0x1_0000);
  };
  const appendBuffer = (written: number): void => {
    if (bytes === undefined) return;
    units ??= new Uint16Array(bytes.buffer);
    if (written % 2 === 1) bytes[written] = 0;
    hash.append(units, (written + 1) >> 1);
  };
  const appendSlice = (slice: string): void => {
    encoder ??= new TextEncoder();
    appendBuffer(encoder.encodeInto(slice, buffer()).written);
  };

  return {
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
        appendSlice(length <= sliceLength ? text : text.slice(start, end));
        start = end;
      }
    },
    bytes: (data) => {
      begin(marks.bytes, data.length);
      for (let start = 0; start < data.length; start += bufferLength) {
        const slice = data.subarray(start, start + bufferLength);
        buffer().set(slice);
        appendBuffer(slice.length);
      }
    },
    end: hash.end,
  };
}
