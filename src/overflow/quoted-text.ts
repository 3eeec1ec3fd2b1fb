import { jsonSteps } from '../json/json-steps.ts';
import type { Steps } from '../util/async/run-steps.ts';

/** Says whether some words of an error, in lower case, stand in what was sent. */
export type IsQuoted = (words: string) => boolean;

/** Words looked for in one prompt at the most: an error may repeat itself, and a prompt be of any size. */
const maxLookups = 64;

/** Characters that are made ready at once: under 1 ms. */
const charactersAtOnce = 16_384;

/**
 * Looks for words of an error in what was sent, a prompt or the body of a request: a provider that quotes them says
 * nothing of itself. Reads all texts of it, in steps between which others may work.
 */
export function* quotedIn(sent: unknown): Steps<IsQuoted> {
  const texts: string[] = [];
  yield* jsonSteps(sent, {
    begin: (value, _depth, isAround) => {
      if (typeof value === 'string') texts.push(value);
      const isGroup = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
      return isGroup && !isAround(value) ? value : undefined;
    },
    element: (place) => {
      if (typeof place === 'string') texts.push(place);
      return true;
    },
  });
  return yield* quotedAmong(texts);
}

function* quotedAmong(texts: readonly string[]): Steps<IsQuoted> {
  const found: string[] = [];
  for (const text of texts) {
    const pieces: string[] = [];
    for (let start = 0; start < text.length; start += charactersAtOnce) {
      const piece = normal(text.slice(start, start + charactersAtOnce));
      // White space may run on from one piece to the next.
      const goesOn = piece.startsWith(' ') && pieces.at(-1)?.endsWith(' ') === true;
      if (!goesOn) pieces.push(piece);
      else if (piece.length > 1) pieces.push(piece.slice(1));
      if (start > 0) yield;
    }
    found.push(pieces.join(''));
  }
  let lookups = 0;
  return (words) => {
    lookups += 1;
    const wanted = normal(words);
    return lookups > maxLookups || found.some((text) => text.includes(wanted));
  };
}

function normal(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ');
}
