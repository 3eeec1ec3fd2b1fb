import { isObject } from '../util/is-object.ts';
import type { RecallInput } from './recall-tool-options.ts';

/**
 * Reads what a model gave, which no schema holds it to: some fill what they leave out with `null`, or write numbers
 * as texts. `undefined` where it cannot be read.
 */
export function readInput(input: unknown): RecallInput | undefined {
  if (!isObject(input)) return undefined;
  const query = input['query'] ?? '';
  const position = placeOf(input['position']);
  const offset = placeOf(input['offset']);
  const isRead = typeof query === 'string' && !Number.isNaN((position ?? 0) + (offset ?? 0));
  return isRead ? { query, position, offset } : undefined;
}

/** A place, `undefined` where none is given, `NaN` for what is none. */
function placeOf(given: unknown): number | undefined {
  if ((given ?? '') === '') return undefined;
  const place = typeof given === 'string' ? Number(given) : given;
  return typeof place === 'number' && Number.isSafeInteger(place) && place >= 0 ? place : NaN;
}
