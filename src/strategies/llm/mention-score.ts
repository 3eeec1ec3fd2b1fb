import { textPieces } from '../../tokens/text/text-pieces.ts';
import { unspaced } from '../grounding/content-stems.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';

const wordPattern = /[\p{L}\p{N}_]+/gu;

/** Names, numbers and identifiers tell items apart; other words occur in any text on the subject. */
const nameWeight = 4;

/**
 * Tells how much of each item's wording occurs in some texts, from 0 to 1. Case does not matter; words
 * of fewer than three letters count only as names; scripts without spaces are compared by pairs of
 * characters.
 */
export async function mentionScores(
  items: readonly string[],
  texts: Iterable<string>,
  slices: TimeSlices,
): Promise<readonly number[]> {
  const wordsOfItems: (readonly string[])[] = [];
  // Only these are kept of the texts, which may be megabytes.
  const sought = new Set<string>();
  for (const item of items) {
    const words = [...new Set(wordsOrPairs(item))];
    for (const word of words) sought.add(word.toLowerCase());
    wordsOfItems.push(words);
    await slices.pause();
  }
  const mentioned = new Set<string>();
  for (const text of texts) {
    for (const piece of textPieces(text)) {
      for (const word of wordsOrPairs(piece)) {
        const plain = word.toLowerCase();
        if (sought.has(plain)) mentioned.add(plain);
      }
      await slices.pause();
    }
  }
  return wordsOfItems.map((words) => scoreOf(words, mentioned));
}

function scoreOf(words: readonly string[], mentioned: ReadonlySet<string>): number {
  let found = 0;
  let total = 0;
  for (const word of words) {
    const weight = weigh(word);
    total += weight;
    if (mentioned.has(word.toLowerCase())) found += weight;
  }
  return total === 0 ? 0 : found / total;
}

function weigh(word: string): number {
  if (/[\p{Lu}\p{N}_]/u.test(word)) return nameWeight;
  return word.length > 2 || unspaced.test(word) ? 1 : 0;
}

function wordsOrPairs(text: string): readonly string[] {
  return Array.from(text.matchAll(wordPattern), ([word]) => word).flatMap((word) =>
    unspaced.test(word) && word.length > 2
      ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
      : [word],
  );
}
