import type { Steps } from '../util/async/run-steps.ts';
import { jsonSteps, type JsonPlaces } from './json-steps.ts';

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
