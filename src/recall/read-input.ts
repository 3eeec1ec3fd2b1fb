import { isObject } from '../util/is-object.ts';
import type { RecallInput } from './recall-tool-options.ts';

/**
 * Reads what a model gave, which no schema holds it to: some fill what they leave out with `null`, or write numbers
 * as texts.
 *
 * @returns What is wrong with it, for the model, where it cannot be read.
 */
export function readInput(input: unknown): RecallInput | string {
  if (!isObject(input)) return 'Nothing was read: give an object with query, or with position.';
  const { query, position, offset } = input;
  const places = [position, offset].map(placeOf);
  if (places.includes(Number.NaN))
    return 'Nothing was read: position and offset are whole numbers from 0 on.';
  const words = query ?? '';
  if (typeof words !== 'string') return 'Nothing was searched for: the query is no text.';
  return { query: words, position: places[0], offset: places[1] };
}

/** A place, `undefined` where none is given, `NaN` for what is none. */
function placeOf(given: unknown): number | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const place = typeof given === 'string' ? Number(given) : given;
  return Number.isSafeInteger(place) && Number(place) >= 0 ? Number(place) : Number.NaN;
}
