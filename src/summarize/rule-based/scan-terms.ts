import { classOf, firstUnspaced, lower, separator, upper } from './character-class.ts';
import { classifyTerm, trimmedEnd, type Scan } from './classify-term.ts';
import type { TermVisitor } from './term-kind.ts';

/** Longer runs are encoded data, which nobody refers to. */
const maxAtomLength = 256;

/**
 * Finds what a text may be referred to by: paths, URLs, e-mail addresses, dates, file names, code
 * identifiers, ids, numbers; with `withWords` also names and words. One pass over the characters.
 */
export function scanTerms(text: string, withWords: boolean, visit: TermVisitor): void {
  const scan = { text, withWords, visit };
  let position = 0;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (classOf(code) === separator) {
      position += 1;
      continue;
    }
    if (code >= firstUnspaced) {
      position = scanUnspaced(scan, position);
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
}

/** Pairs of characters stand in for words. */
function scanUnspaced({ text, withWords, visit }: Scan, start: number): number {
  let position = start;
  while (position < text.length) {
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
