import type { Prompt } from '../prompt/prompt-types.ts';
import { measureMessage } from '../tokens/measure-message.ts';
import { walkSteps } from '../json/walk-json.ts';
import type { Steps } from '../util/async/run-steps.ts';

/** Says whether some words of an error, in lower case, stand in what was sent. */
export type IsQuoted = (words: string) => boolean;

/** Words looked for in one prompt at the most: an error may repeat itself, and a prompt be of any size. */
const maxLookups = 64;

/** Characters that are made ready at once: under 1 ms. */
const charactersAtOnce = 16_384;

/**
 * Looks for words of an error in the messages of its call: a provider that quotes them says nothing of
 * itself. Reads all of them, in steps between which others may work.
 */
export function* quotedIn(prompt: Prompt): Steps<IsQuoted> {
  const texts: string[] = [];
  const text = (given: string): number => texts.push(given);
  for (const message of prompt) {
    const values: unknown[] = [];
    measureMessage(message, { text, json: (value) => values.push(value), file: () => 0 });
    for (const value of values) yield* walkSteps(value, { text, number: () => {} });
    yield;
  }
  return yield* quotedAmong(texts);
}

/** The same for a request of which only the body is known. */
export function* quotedInBody(body: unknown): Steps<IsQuoted> {
  const texts: string[] = [];
  yield* walkSteps(body, { text: (text) => texts.push(text), number: () => {} });
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
