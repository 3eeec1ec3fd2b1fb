import type { Steps } from '../util/async/run-steps.ts';
import { maxLevels, type JsonPlaces } from './json-steps.ts';
import { textSteps } from './text-steps.ts';

/** How JSON is written where there are several ways. */
export interface JsonStyle {
  /**
   * Different values have different texts: an `n` stands behind a `bigint`, and what holds itself, is too
   * long or too deep is refused. Otherwise they are written as a provider may get them: a `bigint` as a
   * number, what holds itself or is too deep as `null`, and nothing after `maxCharacters`.
   */
  readonly isStrict: boolean;
  /** Whether names are sorted by their UTF-16 units. */
  readonly isSorted?: boolean | undefined;
  /** @default 64 million: more than any model takes, and than a process should hold */
  readonly maxCharacters?: number | undefined;
}

/** A name that is its own JSON, which is written for every value: `JSON.stringify` takes longer. */
const plainName = /^\w{1,64}$/;

/**
 * Writes a JSON value as `JSON.stringify` does, in steps and without recursion.
 *
 * @throws TypeError, if strict, for a value that holds itself.
 * @throws RangeError, if strict, for one that is too long, which shared references may come to, or too deep.
 */
export function* writeJson(
  root: unknown,
  { isStrict, isSorted, maxCharacters = 64_000_000 }: JsonStyle,
): Steps<string> {
  const placesOf = (write: (piece: string) => void): JsonPlaces => {
    const scalar = (value: unknown): undefined => {
      if (typeof value === 'bigint') write(isStrict ? `${value}n` : String(value));
      else if (typeof value === 'number') write(Number.isFinite(value) ? String(value) : 'null');
      else write(JSON.stringify(value) ?? 'null');
    };
    return {
      isSorted,
      begin: (given, depth, isAround) => {
        if (typeof given !== 'object' || given === null) return scalar(given);
        if (isAround(given)) {
          if (isStrict) throw new TypeError('The value holds itself.');
          return scalar(null);
        }
        if (depth === maxLevels && !isStrict) return scalar(null);
        const value = plainValue(given);
        if (typeof value !== 'object' || value === null) return scalar(value);
        write(Array.isArray(value) ? '[' : '{');
        return value;
      },
      element: (place, element, isFirst) => {
        if (typeof place === 'string') {
          if (element === undefined || typeof element === 'function') return false;
          const name = plainName.test(place) ? `"${place}"` : JSON.stringify(place);
          write(isFirst ? `${name}:` : `,${name}:`);
        } else if (!isFirst) write(',');
        return true;
      },
      end: (value) => write(Array.isArray(value) ? ']' : '}'),
    };
  };
  const text = yield* textSteps(root, maxCharacters, placesOf);
  if (isStrict && text.length > maxCharacters) throw new RangeError('The value is too long.');
  return text;
}

function plainValue(value: object): unknown {
  if (Array.isArray(value) || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? value.toJSON() : value;
}
