import { isFunctionWord } from './function-words.ts';

const subjectPattern = /[\p{L}\p{M}\p{N}_]+/gu;

/** Scripts that put no spaces between words. */
const unspacedScript =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const syllables = /^\p{sc=Hangul}/u;

/** The article and the prepositions that Arabic writes in front of a word. */
const arabicArticle = /^و?(?:بال|كال|لل|ال)(?=\p{L}{3})/u;

const dictionary = new Intl.Segmenter('en', { granularity: 'word' });

/** The words of a text in lower case; of scripts without spaces those of the dictionary. */
export function wordsOf(text: string): readonly string[] {
  const runs = text.normalize('NFKC').toLowerCase().match(subjectPattern) ?? [];
  return runs.flatMap((run) =>
    unspacedScript.test(run)
      ? Array.from(dictionary.segment(run), ({ segment }) => segment)
      : [run.replace(arabicArticle, '')],
  );
}

/** The words, each once, that say what a text is about. */
export function subjectWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text))].filter((word) => !isFunctionWord(word) && isTelling(word));
}

function isTelling(word: string): boolean {
  return word.length > 2 || /\p{N}/u.test(word) || (word.length === 2 && isShortScript(word));
}

function isShortScript(word: string): boolean {
  return unspacedScript.test(word) || syllables.test(word);
}

/** How many of some words are among others, whatever their endings. */
export function countShared(words: readonly string[], others: readonly string[]): number {
  return words.filter((word) => others.some((other) => isSameWord(word, other))).length;
}

/** Whether two words are forms of one: half of the longer one, and four letters, are the same. */
function isSameWord(left: string, right: string): boolean {
  if (left === right) return true;
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
  let common = 0;
  while (common < shorter.length && shorter[common] === longer[common]) common += 1;
  if (unspacedScript.test(left)) return false;
  if (syllables.test(left)) return common >= 2 && 2 * common >= longer.length;
  if (shorter.length === 3) return common === 3 && longer.length === 4;
  return common >= 4 && 2 * common >= longer.length;
}
