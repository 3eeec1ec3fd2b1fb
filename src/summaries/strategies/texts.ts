import { splitsSurrogatePair } from '../../foundations/util/strings.ts';

/** Puts a text on one line. */
export function asOneLine(text: string): string {
  return text.toWellFormed().trim().replaceAll(/\s+/g, ' ');
}

/** Returns the key that equal texts share: case, spaces and Unicode form do not matter. */
export function comparisonKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

// Marks that join a piece of a text to its neighbors, and say nothing without them.
const openers = '|,;:) ';
const closers = '|,;( ';

/**
 * Puts a piece of a text on one line, without the quotes, brackets and escapes that rendering would have to escape for
 * more tokens than they say, and without the marks that joined it to omitted text.
 */
export function inlineText(text: string): string {
  const line = text.toWellFormed().replaceAll(/["\\<>[\]{}`\s]+/g, ' ');
  let start = 0;
  let end = line.length;
  while (start < end && openers.includes(line.charAt(start))) start += 1;
  while (start < end && closers.includes(line.charAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

/** Cuts a text at the end of a word; in the middle of a text without words. */
export function cutAtWord(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, wordEnd(text, 0, maxCharacters - 1)).trimEnd()}…`;
}

/** Longer sentences are logs and code: they end where a line or a word does. */
const longestSentence = 400;

/** A mark that ends a sentence: before white space, or in a script that needs none; or the end of a line. */
const sentenceEnd = /[.!?](?=\s)|[。！？؟۔।]|\n/g;

/** Splits a text into sentences and lines that together are the text, each with the space after it. */
export function sentencesOf(text: string, longest: number = longestSentence): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  const endAt = (end: number): void => {
    for (let from = start; from < end; from = start) {
      start = Math.min(end, from + Math.max(2, longest));
      if (start < end) start = wordEnd(text, from, start);
      sentences.push(text.slice(from, start));
    }
  };
  for (const { 0: mark, index } of text.matchAll(sentenceEnd)) {
    let end = index + mark.length;
    // An initial, the number of an item and `e.g.` end nothing.
    if (mark === '.' && /[\s.(]/.test(text.charAt(index - 2) || ' ')) continue;
    while (end < text.length && /\s/.test(text.charAt(end))) end += 1;
    if (end > start) endAt(end);
  }
  endAt(text.length);
  return sentences;
}

/** Finds where to cut a stretch of a text: after a word of its second half, else at its end, never within a pair. */
export function wordEnd(text: string, start: number, end: number): number {
  const space = text.slice(start, end).lastIndexOf(' ') + 1;
  if (space > (end - start) / 2) return start + space;
  return splitsSurrogatePair(text, end) ? end - 1 : end;
}

/** Estimates how many characters of a text's script make a token. */
export function charactersOfToken(text: string, count: (text: string) => number): number {
  // A sample shows the script as well as the whole, which may be megabytes.
  const sample = text.slice(0, 1000);
  return sample.length / Math.max(count(sample), 1);
}
