import { classOf, firstUnspaced, lower, separator, upper } from './character-class.ts';
import { classifyTerm, trimmedEnd, type Scan } from './classify-term.ts';
import type { TermVisitor } from './term.ts';

/** Longer runs are encoded data, which nobody refers to. */
const maxAtomLength = 256;

/** Characters that are looked at in one go, about: a few milliseconds. */
const rangeCharacters = 16_384;

/** How far a range is extended to end between two runs of characters. */
const rangeReach = 2 * maxAtomLength;

/**
 * Where to leave off in a text, so that the event loop is left to others while it is read: ascending
 * positions between runs of characters, the end of the text last.
 */
export function* rangeEnds(text: string): Generator<number, void, undefined> {
  let end = 0;
  while (text.length - end > rangeCharacters) {
    end += rangeCharacters;
    const last = Math.min(end + rangeReach, text.length);
    let position = end;
    while (position < last && classOf(text.charCodeAt(position)) !== separator) position += 1;
    // A run that long is data, or has no words to be cut; pairs of characters stay pairs.
    if (position < last) end = position;
    yield end;
  }
  yield text.length;
}

/**
 * Finds what a text may be referred to by: paths, URLs, e-mail addresses, dates, file names, code
 * identifiers, ids, numbers; with `withWords` also names and words. One pass over the characters.
 *
 * @param from - Where to begin; terms before it have been found.
 * @param to - No term begins from there on.
 * @returns Where it left off, `to` or behind it.
 */
export function scanTerms(
  text: string,
  withWords: boolean,
  visit: TermVisitor,
  from: number = 0,
  to: number = text.length,
): number {
  const scan = { text, withWords, visit };
  let position = from;
  while (position < to) {
    const code = text.charCodeAt(position);
    if (classOf(code) === separator) {
      position += 1;
      continue;
    }
    if (code >= firstUnspaced) {
      position = scanUnspaced(scan, position, to);
      continue;
    }
    const start = position;
    let flags = 0;
    for (; position < text.length; position += 1) {
      const next = text.charCodeAt(position);
      if (next >= firstUnspaced) break;
      const kind = classOf(next);
      if (kind === separator) break;
      flags |= kind;
    }
    if (text.startsWith('://', position) && (flags & ~(lower | upper)) === 0) {
      position = urlEnd(text, position);
      if (position - start <= maxAtomLength) visit('url', start, trimmedEnd(text, start, position));
      continue;
    }
    if (position - start <= maxAtomLength) classifyTerm(scan, start, position, flags);
  }
  return position;
}

/** Pairs of characters stand in for words. */
function scanUnspaced({ text, withWords, visit }: Scan, start: number, to: number): number {
  let position = start;
  while (position < to) {
    const code = text.charCodeAt(position);
    if (code < firstUnspaced || classOf(code) === separator) break;
    if (withWords && (position - start) % 2 === 1) visit('word', position - 1, position + 1);
    position += 1;
  }
  return position;
}

function urlEnd(text: string, from: number): number {
  let position = from;
  for (; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    // Space and controls, then: " ' ( ) < > [ \ ] ` { }
    if (code <= 32 || code > 126) break;
    if ([34, 39, 40, 41, 60, 62, 91, 92, 93, 96, 123, 125].includes(code)) break;
  }
  return position;
}
