import type { Steps } from '../util/async/run-steps.ts';

/** What is done at the places of a JSON value, in their order. */
export interface JsonPlaces {
  /**
   * Begins a value.
   *
   * @param isAround - Whether an object or array holds this place.
   * @returns the object or array to go into; `undefined` when nothing is left to do with the value.
   */
  readonly begin: (
    value: unknown,
    depth: number,
    isAround: (value: object) => boolean,
  ) => object | undefined;
  /** Stands in front of an element, which has a name or a number; `false` leaves it out. */
  readonly element: (place: string | number, element: unknown, isFirst: boolean) => boolean;
  /** Ends what `begin` went into. */
  readonly end?: ((value: object) => void) | undefined;
  /** Whether names come in the order of their UTF-16 units. */
  readonly isSorted?: boolean | undefined;
}

/** `JSON.stringify` is recursive and fails on a few thousand levels; nobody reads as many as this. */
export const maxReadableDepth = 64;

/** Places between two steps: under 1 ms. */
const placesAtOnce = 1024;

/** Levels of a value: twenty times as many as `JSON.stringify`, and so a provider, can write. */
const maxLevels = 100_000;

/** An object or array that is being walked, and the place in it. */
interface Frame {
  readonly given: unknown;
  readonly value: object;
  /** Of an object; an array has indexes. */
  names: readonly string[] | undefined;
  readonly length: number;
  next: number;
  isFirst: boolean;
}

/**
 * Walks a JSON value in steps between which others may work, with a stack of its own. Only the names of an
 * object are asked for in one go, and a step ends behind very many.
 *
 * @throws RangeError for a value of more than 100,000 levels, unless `begin` stops before.
 */
function* jsonSteps(
  root: unknown,
  { begin, element: stand, end, isSorted = false }: JsonPlaces,
): Steps<void> {
  const frames: Frame[] = [];
  const around = new Set<unknown>();
  const isAround = (value: object): boolean => around.has(value);
  let left = placesAtOnce;
  const open = (given: unknown): void => {
    const value = begin(given, frames.length, isAround);
    if (value === undefined) return;
    if (frames.length === maxLevels) throw new RangeError('The value is nested too deeply.');
    around.add(given);
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const length = Array.isArray(value) ? value.length : (names?.length ?? 0);
    if (names !== undefined && length > placesAtOnce) left = 0;
    else if (isSorted) names?.sort();
    frames.push({ given, value, names, length, next: 0, isFirst: true });
  };
  open(root);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (left <= 0) yield;
    left = left <= 0 ? placesAtOnce : left - 1;
    if (frame.next === 0 && isSorted && frame.names !== undefined && frame.length > placesAtOnce)
      frame.names = yield* sortSteps(frame.names);
    if (frame.next === frame.length) {
      end?.(frame.value);
      frames.pop();
      around.delete(frame.given);
      continue;
    }
    const place = frame.names?.[frame.next] ?? frame.next;
    frame.next += 1;
    const element: unknown = Reflect.get(frame.value, place);
    if (!stand(place, element, frame.isFirst)) continue;
    frame.isFirst = false;
    open(element);
  }
}

/**
 * Sorts many names by their UTF-16 units in steps, ever longer runs of them: the runtime finds the two
 * runs in each that are sorted, and merges them.
 */
function* sortSteps(names: readonly string[]): Steps<readonly string[]> {
  let sorted = names;
  for (let width = placesAtOnce; width < 2 * names.length; width *= 2) {
    const runs: string[][] = [];
    for (let start = 0; start < names.length; start += width) {
      runs.push(sorted.slice(start, start + width).toSorted());
      yield;
    }
    sorted = runs.flat();
  }
  return sorted;
}

/**
 * Writes a text at the places of a JSON value, in steps between which others may work.
 *
 * @param maxCharacters - Nothing is written at the places after so many, so that the text is hardly longer.
 */
export function* textSteps(
  root: unknown,
  maxCharacters: number,
  placesOf: (write: (piece: string) => void) => JsonPlaces,
): Steps<string> {
  const texts: string[] = [];
  let pieces: string[] = [];
  let length = 0;
  const places = placesOf((piece) => {
    pieces.push(piece);
    length += piece.length;
  });
  const isTooLong = (): boolean => length > maxCharacters;
  const steps = jsonSteps(root, {
    ...places,
    element: (place, element, isFirst) => !isTooLong() && places.element(place, element, isFirst),
  });
  while (steps.next().done !== true && !isTooLong()) {
    // A million in one go would take longer than a step.
    texts.push(pieces.join(''));
    pieces = [];
    yield;
  }
  return [...texts, ...pieces].join('');
}
