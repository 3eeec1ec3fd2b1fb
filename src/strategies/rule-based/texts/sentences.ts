/** Longer sentences are logs and code. */
const maxSentenceCharacters = 400;

/** Characters after which a caller can let others work, about: a fraction of a millisecond. */
const strideCharacters = 16_384;

/**
 * Splits a text at line ends and full stops. For sentences of more than 400 characters nothing stands,
 * and an empty one for every 16,384 characters without any, so that the caller can pause.
 */
export function* sentencesOf(text: string): Generator<string, void, undefined> {
  let start = 0;
  let stride = strideCharacters;
  for (let position = 0; position < text.length; position += 1) {
    if (position === stride) {
      stride += strideCharacters;
      yield '';
    }
    if (!endsAt(text, position)) continue;
    const length = position + 1 - start;
    if (length > 1 && length <= maxSentenceCharacters) yield text.slice(start, position + 1);
    start = position + 1;
  }
  const length = text.length - start;
  if (length > 1 && length <= maxSentenceCharacters) yield text.slice(start);
}

function endsAt(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  if (code === 10 || code === 0x3002 || code === 0xff01 || code === 0xff1f) return true;
  return (code === 46 || code === 33 || code === 63) && endsSentence(text, position);
}

/** A full stop before white space, but not that of `e.g.` or of an initial. */
function endsSentence(text: string, position: number): boolean {
  if (!(text.charCodeAt(position + 1) <= 32)) return false;
  const before = text.charCodeAt(position - 2);
  return text.charCodeAt(position) !== 46 || !(before === 46 || before === 32 || before === 40);
}

/** Puts a sentence on one line. */
export function asOneLine(sentence: string): string {
  return sentence.toWellFormed().trim().replaceAll(/\s+/g, ' ');
}

/** What two texts have in common that are one: case, spaces and Unicode form do not matter. */
export function sameness(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
