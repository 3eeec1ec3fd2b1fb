/** Longer sentences are logs and code. */
const maxSentenceCharacters = 400;

/** Splits a text at line ends and full stops. Sentences of more than 400 characters are passed over. */
export function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  const add = (end: number): void => {
    if (end - start > 1 && end - start <= maxSentenceCharacters)
      sentences.push(text.slice(start, end));
    start = end;
  };
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === 10) add(position + 1);
    else if ((code === 46 || code === 33 || code === 63) && endsSentence(text, position))
      add(position + 1);
    else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) add(position + 1);
  }
  add(text.length);
  return sentences;
}

/** A full stop before white space, but not that of `e.g.` or of an initial. */
function endsSentence(text: string, position: number): boolean {
  if (!(text.charCodeAt(position + 1) <= 32)) return false;
  const before = text.charCodeAt(position - 2);
  return text.charCodeAt(position) !== 46 || !(before === 46 || before === 32 || before === 40);
}

/** Puts a sentence on one line. */
export function oneLine(sentence: string): string {
  return sentence.toWellFormed().trim().replaceAll(/\s+/g, ' ');
}
