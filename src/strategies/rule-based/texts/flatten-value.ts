import type { TimeSlices } from '../../../util/time-slices.ts';

/** Nobody reads as many levels as this. */
const maxDepth = 64;

/** Characters after which the rest is left out: shared references could grow for ever. */
const maxCharacters = 4_000_000;

/** Pieces that are joined at once: a million in one go would take longer than a slice. */
const piecesAtOnce = 1024;

/** An object or array whose elements are being written. */
interface Frame {
  readonly value: object;
  /** Absent for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/**
 * Writes a JSON value of unknown origin as plain text, `key: value, key: value`: what people and models
 * quote from it, without the quotes, braces and escapes that would cost tokens. Cycles, nesting
 * beyond 64 levels and what comes after 4,000,000 characters are left out.
 */
export async function flattenValue(value: unknown, slices: TimeSlices): Promise<string> {
  const texts: string[] = [];
  let pieces: string[] = [];
  let characters = 0;
  const write = (piece: string): void => {
    characters += piece.length;
    if (pieces.push(piece) < piecesAtOnce) return;
    texts.push(pieces.join(''));
    pieces = [];
  };
  const stack: Frame[] = [];
  const open = (element: unknown): void => {
    if (typeof element !== 'object' || element === null) {
      write(String(element));
    } else if (element instanceof Uint8Array) {
      write(`${element.byteLength} bytes`);
    } else if (stack.length < maxDepth && !stack.some((frame) => frame.value === element)) {
      stack.push(frameOf(element));
    }
  };
  open(value);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const index = frame.next;
    if (index >= frame.length || characters > maxCharacters) {
      stack.pop();
      continue;
    }
    frame.next += 1;
    const key = frame.keys?.[index];
    const element: unknown = Reflect.get(frame.value, key ?? index);
    if (key === undefined || element !== undefined) {
      if (index > 0) write(', ');
      if (key !== undefined) write(`${key}: `);
      open(element);
    }
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return [...texts, ...pieces].join('');
}

function frameOf(value: object): Frame {
  if (Array.isArray(value)) return { value, keys: undefined, length: value.length, next: 0 };
  const keys = Object.keys(value);
  return { value, keys, length: keys.length, next: 0 };
}
