import { maxReadableDepth, type JsonPlaces } from '../../../json/json-steps.ts';
import { textSteps } from '../../../json/text-steps.ts';
import { runInSlices } from '../../../util/async/run-steps.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';

/** Characters after which the rest is left out: shared references could grow for ever. */
const maxCharacters = 4_000_000;

/**
 * Writes a JSON value of unknown origin as plain text, `key: value, key: value`, each object and list in it
 * on a line of its own: what people and models quote from it, without the quotes, braces and escapes that
 * would cost tokens. Cycles, nesting beyond 64 levels and what comes after 4,000,000 characters are left out.
 */
export function flattenValue(value: unknown, slices: TimeSlices): Promise<string> {
  return runInSlices(textSteps(value, maxCharacters, plainPlaces), slices);
}

function plainPlaces(write: (piece: string) => void): JsonPlaces {
  let endsLine = false;
  return {
    begin: (value, depth, isAround) => {
      if (typeof value !== 'object' || value === null) write(String(value));
      else if (value instanceof Uint8Array) write(`${value.byteLength} bytes`);
      else if (depth < maxReadableDepth && !isAround(value)) return value;
      return undefined;
    },
    element: (place, element, isFirst) => {
      const isNamed = typeof place === 'string';
      if (isNamed && element === undefined) return false;
      if (!isFirst) write(endsLine || isNested(element) ? '\n' : ', ');
      endsLine = false;
      if (isNamed) write(`${place}: `);
      return true;
    },
    end: () => {
      endsLine = true;
    },
  };
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
