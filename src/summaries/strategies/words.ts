/** Characters of a word that count: inflection leaves its beginning alone. */
const stemCharacters = 6;

/** Scripts without spaces, or where they join words that are inflected at their end. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Lists the words of a text for comparison: in scripts without spaces, pairs of characters. */
export function wordsIn(text: string): readonly string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(/\d+|[\p{L}\p{M}]+/gu)) {
    const word = run.normalize('NFKC').toLowerCase();
    if (word.length < 3 || !unspaced.test(word))
      words.push(plainDigits(word.slice(0, stemCharacters)));
    else for (let at = 0; at < word.length - 1; at += 1) words.push(word.slice(at, at + 2));
  }
  return words;
}

/** Collects the words of a text, each once. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(wordsIn(asciiOf(text)));
}

/** Calculates the share of some words that others hold; 0 without words. */
export function overlapShare(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...words].filter((word) => others.has(word)).length / Math.max(1, words.size);
}

/** Removes leading zeros. */
export function plainDigits(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Writes digits of other scripts and wide forms as ASCII, character by character. */
export function asciiOf(text: string): string {
  return text.replaceAll(/[\uff01-\uff5e]|(?![0-9])\p{Nd}/gu, (character) => {
    const code = character.charCodeAt(0);
    if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
    if (character.length > 1) return character;
    // Digits stand in runs of ten.
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}
