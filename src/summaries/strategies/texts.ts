import { splitsSurrogatePair } from '../../foundations/util/strings.ts';

/** Puts a text on one line. */
export function asOneLine(text: string): string {
  return text.toWellFormed().trim().replaceAll(/\s+/g, ' ');
}

/** Returns the key that equal texts share: case, spaces, Unicode form and the last point do not matter. */
export function comparisonKey(text: string): string {
  return removeEnd(text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim(), ' .。');
}

/** Removes some characters at the end of a text. */
export function removeEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Puts a piece of a text on one line, without the quotes, brackets and escapes that rendering would have to escape for
 * more tokens than they say, and without the marks that joined it to omitted text.
 */
export function inlineText(text: string): string {
  const line = text.toWellFormed().replaceAll(/["\\<>[\]{}`\s]+/g, ' ');
  const start = /[^|,;:) ]|$/.exec(line)?.index;
  return removeEnd(line.slice(start), '|,;( ');
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

/** Most texts of a value that are read, and their greatest depth. */
const mostTexts = 2000;
const mostDepth = 6;

/** Lists the texts in a JSON value. */
export function textsIn(root: unknown): readonly string[] {
  const texts: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null && depth < mostDepth)
      for (const name of Object.keys(value)) {
        if (texts.length >= mostTexts) break;
        collect(Reflect.get(value, name), depth + 1);
      }
  };
  collect(root, 0);
  return texts;
}
