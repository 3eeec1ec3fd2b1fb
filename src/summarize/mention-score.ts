const wordPattern = /[\p{L}\p{N}_]+/gu;
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Names, numbers and identifiers tell items apart; other words occur in any text on the subject. */
const nameWeight = 4;

/**
 * Returns a function that tells how much of an item's wording occurs in a text, from 0 to 1. Case does
 * not matter; words of fewer than three letters count only as names; scripts without spaces are
 * compared by pairs of characters.
 */
export function mentionScore(text: string): (item: string) => number {
  const mentioned = new Set(wordsOf(text).map((word) => word.toLowerCase()));
  return (item) => {
    let found = 0;
    let total = 0;
    for (const word of new Set(wordsOf(item))) {
      const weight = weigh(word);
      total += weight;
      if (mentioned.has(word.toLowerCase())) found += weight;
    }
    return total === 0 ? 0 : found / total;
  };
}

function weigh(word: string): number {
  if (/[\p{Lu}\p{N}_]/u.test(word)) return nameWeight;
  return word.length > 2 || unspaced.test(word) ? 1 : 0;
}

function wordsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(wordPattern), ([word]) => word).flatMap((word) =>
    unspaced.test(word) && word.length > 2
      ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
      : [word],
  );
}
