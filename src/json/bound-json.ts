import { runInSlices } from '../util/async/run-steps.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';
import { jsonSteps, maxReadableDepth } from './json-steps.ts';

/** Values after which placeholders stand: shared references could grow for ever. */
const maxValues = 2_000_000;

/**
 * Copies a value of unknown origin into one that `JSON.stringify` accepts: nesting beyond 64 levels,
 * cycles and binary data become placeholders. Every string, number and key passes through `clean`.
 */
export async function boundJson(
  value: unknown,
  clean: (text: string) => string,
  slices: TimeSlices,
): Promise<unknown> {
  let values = 0;
  let root: unknown;
  const copies: (unknown[] | Record<string, unknown>)[] = [];
  let name = '';
  const put = (copied: unknown): void => {
    const copy = copies.at(-1);
    if (copy === undefined) root = copied;
    else if (Array.isArray(copy)) copy.push(copied);
    else setOwn(copy, name, copied);
  };
  const steps = jsonSteps(value, {
    begin: (given, depth, isAround) => {
      values += 1;
      const isScalar = typeof given !== 'object' || given === null;
      const stands = isScalar
        ? cleanScalar(given, clean)
        : placeholderOf(given, { depth, values, isAround: isAround(given) }, clean);
      if (isScalar || stands !== undefined) {
        put(stands);
        return undefined;
      }
      const copy = Array.isArray(given) ? [] : {};
      put(copy);
      copies.push(copy);
      return given;
    },
    element: (place) => {
      if (typeof place === 'string') name = clean(place);
      return true;
    },
    end: () => void copies.pop(),
  });
  await runInSlices(steps, slices);
  return root;
}

/** What stands in the copy for an object that is not gone into. */
function placeholderOf(
  source: object,
  at: { readonly depth: number; readonly values: number; readonly isAround: boolean },
  clean: (text: string) => string,
): string | undefined {
  if (source instanceof Uint8Array) return `[binary data, ${source.byteLength} bytes]`;
  if (source instanceof Date || source instanceof URL)
    return clean(JSON.stringify(source).slice(1, -1));
  if (at.isAround) return '[circular]';
  if (at.depth >= maxReadableDepth) return '[nested too deeply]';
  return at.values > maxValues ? '[too many values]' : undefined;
}

function setOwn(copy: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    // Assigning would replace the prototype.
    Object.defineProperty(copy, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  else copy[key] = value;
}

/** A card's number is one; a number that stays as it is remains a number. */
function cleanScalar(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'bigint' && typeof value !== 'number') return value;
  const text = String(value);
  const cleaned = clean(text);
  return cleaned === text && typeof value === 'number' ? value : cleaned;
}
