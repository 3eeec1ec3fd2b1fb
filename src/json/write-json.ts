import type { Steps } from '../util/async/run-steps.ts';
import { maxReadableDepth, textSteps } from './json-steps.ts';

/** Elements and levels of a value that `JSON.stringify` writes at once: under 1 ms. */
const elementsAtOnce = 8192;
const levelsAtOnce = 100;

/** Characters of a JSON text: more than any model takes, and than a process should hold. */
const maxCharacters = 64_000_000;

/** A name that is its own JSON, which is written for every value: `JSON.stringify` takes longer. */
const plainName = /^\w{1,64}$/;

/** How the places of a value are written. */
interface JsonStyle {
  /** Whether names are sorted by their UTF-16 units. */
  readonly isSorted?: boolean;
  /** What stands in the text for an object or array: itself, or what is written instead. */
  readonly objectAs: (value: object, depth: number, isAround: boolean) => unknown;
  readonly scalar: (value: unknown) => string;
  readonly name: (name: string) => string;
}

/**
 * Writes a value as the JSON that a provider would send, in steps between which others may work; `undefined` as the
 * empty text. A `bigint` is told from a number by an `n` behind it.
 *
 * @throws TypeError for a value that holds itself.
 * @throws RangeError for one of more than 64 million characters, which shared references may come to, or 100,000 levels.
 */
export function* jsonText(value: unknown): Steps<string> {
  if (value === undefined) return '';
  if (isSmall(value, { left: elementsAtOnce }, 0)) return JSON.stringify(value) ?? 'null';
  // Whoever asked for very many names has had its step.
  yield;
  return yield* writeJson(value, strict);
}

/** The same with names in the order of their UTF-16 units, so that their order does not change an identity. */
export function* canonicalJson(value: unknown): Steps<string> {
  if (isSmall(value, { left: elementsAtOnce }, 0)) return JSON.stringify(sorted(value)) ?? 'null';
  yield;
  return yield* writeJson(value, { ...strict, isSorted: true });
}

/** A copy in which names are sorted, but for those that are indexes: these come first anyhow. */
function sorted(given: unknown): unknown {
  const value = isGroup(given) ? strict.objectAs(given, 0, false) : given;
  if (Array.isArray(value)) return value.map(sorted);
  if (!isGroup(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(Reflect.get(value, name))]),
  );
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Writes a value of unknown origin as JSON that can be read: nesting beyond 64 levels, cycles and binary data are
 * placeholders. Every string, number and name passes through `clean`.
 *
 * @throws RangeError for one of more than 64 million characters.
 */
export function readableJson(value: unknown, clean: (text: string) => string): Steps<string> {
  let objects = 0;
  return writeJson(value, {
    objectAs: (given, depth, isAround) => {
      objects += 1;
      if (given instanceof Uint8Array) return `[binary data, ${given.byteLength} bytes]`;
      if (given instanceof Date || given instanceof URL)
        return clean(JSON.stringify(given).slice(1, -1));
      if (isAround) return '[circular]';
      if (depth >= maxReadableDepth) return '[nested too deeply]';
      return objects > maxObjects ? '[too many values]' : given;
    },
    scalar: (given) => JSON.stringify(cleanScalar(given, clean)) ?? 'null',
    name: clean,
  });
}

/** Objects after which placeholders stand: shared references could grow for ever. */
const maxObjects = 2_000_000;

/** A card's number is one; a number that stays as it is remains a number. */
function cleanScalar(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'bigint' && typeof value !== 'number') return value;
  const text = String(value);
  const cleaned = clean(text);
  return cleaned === text && typeof value === 'number' ? value : cleaned;
}

const strict: JsonStyle = {
  objectAs: (value, _depth, isAround) => {
    if (isAround) throw new TypeError('The value holds itself.');
    if (Array.isArray(value) || !('toJSON' in value)) return value;
    return typeof value.toJSON === 'function' ? value.toJSON() : value;
  },
  scalar: (value) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
    return JSON.stringify(value) ?? 'null';
  },
  name: (name) => name,
};

function* writeJson(root: unknown, style: JsonStyle): Steps<string> {
  const { isSorted, objectAs, scalar, name } = style;
  const text = yield* textSteps(root, maxCharacters, (write) => ({
    isSorted,
    begin: (given, depth, isAround) => {
      const value = isGroup(given) ? objectAs(given, depth, isAround(given)) : given;
      if (isGroup(value)) {
        write(Array.isArray(value) ? '[' : '{');
        return value;
      }
      write(isGroup(given) ? strict.scalar(value) : scalar(value));
      return undefined;
    },
    element: (place, element, isFirst) => {
      if (typeof place === 'number') {
        if (!isFirst) write(',');
        return true;
      }
      if (element === undefined || typeof element === 'function') return false;
      const written = name(place);
      const quoted = plainName.test(written) ? `"${written}"` : JSON.stringify(written);
      write(isFirst ? `${quoted}:` : `,${quoted}:`);
      return true;
    },
    end: (value) => write(Array.isArray(value) ? ']' : '}'),
  }));
  if (text.length > maxCharacters) throw new RangeError('The value is too long.');
  return text;
}

/** Whether a value can be written at once: few elements, and nothing that `JSON.stringify` refuses. */
function isSmall(value: unknown, budget: { left: number }, depth: number): boolean {
  if (!isGroup(value)) return typeof value !== 'bigint';
  if (depth === levelsAtOnce) return false;
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const length = Array.isArray(value) ? value.length : (names?.length ?? 0);
  budget.left -= length + 1;
  if (budget.left < 0) return false;
  for (let index = 0; index < length; index += 1)
    if (!isSmall(Reflect.get(value, names?.[index] ?? index), budget, depth + 1)) return false;
  return true;
}
