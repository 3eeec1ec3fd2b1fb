/** Longer sentences are logs and code. */
const maxSentenceCharacters = 400;

/** Characters after which a caller can let others work, about: a fraction of a millisecond. */
const strideCharacters = 16_384;

/** A sentence and where it begins. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
}

/**
 * Splits a text at full stops and line ends; a line that goes on in the middle of a sentence is no end. For
 * sentences of more than 400 characters nothing stands, and an empty one for every 16,384 characters
 * without any, so that the caller can pause.
 */
export function* sentencesOf(text: string): Generator<Sentence, void, undefined> {
  let start = 0;
  let stride = strideCharacters;
  for (let position = 0; position <= text.length; position += 1) {
    if (position === stride) {
      stride += strideCharacters;
      yield { text: '', start };
    }
    if (position < text.length && !endsAt(text, position, start)) continue;
    const length = position + 1 - start;
    if (length > 1 && length <= maxSentenceCharacters)
      yield { text: text.slice(start, position + 1), start };
    start = position + 1;
  }
}

function endsAt(text: string, position: number, start: number): boolean {
  if (text.charCodeAt(position) !== 10) return endsSentence(text, position);
  return position - start < wrappedCharacters || !goesOn(text, position);
}

/** Shorter lines are not wrapped: they are items of a list. */
const wrappedCharacters = 40;

/** Whether a line ends in the middle of a sentence: a word or a comma before it, a small letter behind it. */
function goesOn(text: string, position: number): boolean {
  return /[\p{L}\d,]/u.test(text.charAt(position - 1)) && /\p{Ll}/u.test(text.charAt(position + 1));
}

/** A mark that ends a sentence, before white space; not the full stop of `e.g.`, of an initial, of `1.`. */
export function endsSentence(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  if (code > 127) return fullStops.has(code);
  if (code !== 46 && code !== 33 && code !== 63) return false;
  if (!(text.charCodeAt(position + 1) <= 32)) return false;
  const before = text.charCodeAt(position - 2);
  return code !== 46 || !(before === 46 || before === 40 || before <= 32 || position < 2);
}

/** Full stops, and the marks of questions and exclamations, of East Asia, of Arabic and Urdu, of Devanagari. */
const fullStops: ReadonlySet<number> = new Set([0x3002, 0xff01, 0xff1f, 0x061f, 0x06d4, 0x0964]);

/** Puts a sentence on one line. */
export function asOneLine(sentence: string): string {
  return sentence.toWellFormed().trim().replaceAll(/\s+/g, ' ');
}

/** What two texts have in common that are one: case, spaces and Unicode form do not matter. */
export function sameness(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
