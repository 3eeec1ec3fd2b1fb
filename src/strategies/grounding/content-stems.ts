/** Characters of scripts without spaces between words. */
export const unspaced: RegExp =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Letters by which words are compared: `decided` and `decision` are one, `use` and `user` are not. */
const stemLetters = 5;

/** Letters of a word that says something, in scripts with spaces. */
const leastLetters = 3;

/** Words, and beginnings of words, that any statement holds, or its contrary. */
const emptyWords: ReadonlySet<string> = new Set(
  (
    'the and for with that this from are was were been have has had not but you your our can will would ' +
    'should they them their there here then than when where which who what into onto about also user ' +
    'decid agree assis did does none never nothi nobod neith nicht nie niema kein keine nunca pas jamai нет никог'
  ).split(' '),
);

/**
 * Beginnings of the content words of a text, so that tense and number do not matter; single characters of
 * scripts without spaces.
 */
export function contentStems(text: string): readonly string[] {
  const isPlain = !/[\u0080-\uffff]/.test(text);
  const lowered = (isPlain ? text : text.normalize('NFKC')).toLowerCase();
  const stems: string[] = [];
  for (const word of lowered.match(isPlain ? /[a-z_]{3,}/g : /[\p{L}_]+/gu) ?? []) {
    if (!isPlain && unspaced.test(word)) stems.push(...Array.from(word));
    else if (word.length >= leastLetters) stems.push(word.slice(0, stemLetters));
  }
  return stems.filter((stem) => !emptyWords.has(stem));
}
