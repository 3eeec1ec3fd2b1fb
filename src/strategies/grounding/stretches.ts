import { endsSentence } from '../rule-based/texts/sentences.ts';
import { splitsSurrogatePair } from '../../util/strings/splits-surrogate-pair.ts';

/** Characters of a stretch in which no sentence and no line ends. */
const maxStretchCharacters = 400;

/** Cuts a text into its sentences and lines; longer ones into pieces. Nothing is left out but white space. */
export function* stretchesOf(text: string): Generator<string, void, undefined> {
  let start = 0;
  for (let position = 0; position < text.length; position += 1) {
    const isLong = position - start >= maxStretchCharacters;
    const isEnd = text.charCodeAt(position) === 10 || isSentenceEnd(text, position);
    if (!isEnd && !(isLong && isBetweenWords(text, position, start))) continue;
    const end = position + 1 - Number(splitsSurrogatePair(text, position + 1));
    if (text.slice(start, end).trim() !== '') yield text.slice(start, end);
    start = end;
  }
  if (text.slice(start).trim() !== '') yield text.slice(start);
}

/** Not the point of `26. Oktober`, which no sentence of a list would be so short for. */
function isSentenceEnd(text: string, position: number): boolean {
  return (
    endsSentence(text, position) &&
    !/(?<!\d)\d{1,2}\. \p{L}$/u.test(text.slice(position - 3, position + 3))
  );
}

/** At a space; anywhere in what has none for as long again. */
function isBetweenWords(text: string, position: number, start: number): boolean {
  return text.charCodeAt(position) <= 32 || position - start >= 2 * maxStretchCharacters;
}
