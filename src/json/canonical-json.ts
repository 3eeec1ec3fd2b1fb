import type { TimeSlices } from '../util/time-slices.ts';

/**
 * Serialises a JSON value with sorted keys, so that key order does not change an identity. Walks with a
 * stack of its own: tool results nested thousands of levels deep must not overflow the call stack.
 *
 * @throws TypeError for a value that holds itself.
 */
export function canonicalJson(value: unknown): string {
  const writing = writeCanonical(value);
  let step = writing.next();
  while (step.done !== true) step = writing.next();
  return step.value;
}

/** The same in slices that leave the event loop to others. */
export async function canonicalJsonInSlices(value: unknown, slices: TimeSlices): Promise<string> {
  const writing = writeCanonical(value);
  let step = writing.next();
  while (step.done !== true) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    step = writing.next();
  }
  return step.value;
}

/** Values written between two pauses: about 1 ms. */
const stretch = 4096;

/** A list or an object that is being written, and the place in it. */
interface Frame {
  readonly value: object;
  readonly items: readonly unknown[];
  /** Names of the items, of an object. */
  readonly names: readonly string[] | undefined;
  next: number;
}

function* writeCanonical(root: unknown): Generator<void, string, undefined> {
  const written: string[] = [];
  const frames: Frame[] = [];
  const around = new Set<unknown>();
  let left = stretch;
  const write = (given: unknown): void => {
    if (typeof given !== 'object' || given === null) {
      written.push(scalar(given));
      return;
    }
    if (around.has(given)) throw new TypeError('The value holds itself.');
    const value = plain(given);
    if (typeof value !== 'object' || value === null) {
      written.push(scalar(value));
      return;
    }
    around.add(given);
    const frame = frameOf(given, value);
    written.push(frame.names === undefined ? '[' : '{');
    frames.push(frame);
  };
  write(root);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const { names, items, next } = frame;
    if (next === items.length) {
      written.push(names === undefined ? ']' : '}');
      around.delete(frame.value);
      frames.pop();
    } else {
      const name = names?.[next];
      const comma = next === 0 ? '' : ',';
      if (name !== undefined) written.push(`${comma}${JSON.stringify(name)}:`);
      else if (next > 0) written.push(',');
      frame.next += 1;
      write(items[next]);
    }
    left -= 1;
    if (left > 0) continue;
    left = stretch;
    yield;
  }
  return written.join('');
}

function plain(value: object): unknown {
  if (Array.isArray(value) || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? value.toJSON() : value;
}

function frameOf(given: object, value: object): Frame {
  if (Array.isArray(given)) return { value: given, items: given, names: undefined, next: 0 };
  const names: string[] = [];
  const items: unknown[] = [];
  if (isRecord(value)) {
    // The order of UTF-16 units, as of `<`.
    for (const name of Object.keys(value).toSorted()) {
      const item = value[name];
      if (item === undefined || typeof item === 'function') continue;
      names.push(name);
      items.push(item);
    }
  }
  return { value: given, items, names, next: 0 };
}

function isRecord(value: object): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object';
}

function scalar(value: unknown): string {
  // No JSON, and so like nothing else.
  if (typeof value === 'bigint') return `${value}n`;
  return JSON.stringify(value) ?? 'null';
}
