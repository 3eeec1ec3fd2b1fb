import { fileOf, sizeOfFile } from './binary.ts';

/** Value of a JSON text; `undefined` for other texts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Characters that could close a fence around the JSON, or that a reader of it may take for a line end. */
const unsafe = /[<>&\u007f-\u009f\u2028\u2029]/g;

/**
 * Writes a value as one line of JSON in which `<`, `>`, `&`, U+2028, U+2029 and all control characters
 * stand as escapes, so that no string inside can forge what stands around it.
 */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Levels of a value that anybody reads. */
export const maxReadableDepth = 64;

/** Objects after which placeholders stand: shared references could grow for ever. */
const maxObjects = 200_000;

/**
 * A copy of a value of unknown origin that JSON can write: nesting beyond 64 levels, cycles and binary data are
 * placeholders. Every string, number and name passes through `clean`.
 */
export function readableCopy(root: unknown, clean: (text: string) => string): unknown {
  const around = new Set<object>();
  let objects = 0;
  const copy = (value: unknown): unknown => {
    const file = fileOf(value);
    if (file !== undefined) return `[binary data, ${sizeOfFile(file)}]`;
    if (typeof value !== 'object' || value === null) return cleanScalar(value, clean);
    objects += 1;
    if (value instanceof Date || value instanceof URL)
      return clean(JSON.stringify(value).slice(1, -1));
    if (around.has(value)) return '[circular]';
    if (around.size >= maxReadableDepth) return '[nested too deeply]';
    if (objects > maxObjects) return '[too many values]';
    around.add(value);
    const copied = Array.isArray(value)
      ? value.map(copy)
      : Object.fromEntries(
          Object.entries(value).map(([name, each]) => [clean(name), copy(each)] as const),
        );
    around.delete(value);
    return copied;
  };
  return copy(root);
}

/** A text, or a number, as `clean` leaves it: a card's number is one. A number that stays as it is remains a number. */
export function cleanScalar(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'bigint' && typeof value !== 'number') return value;
  const text = String(value);
  const cleaned = clean(text);
  return cleaned === text && typeof value === 'number' ? value : cleaned;
}
