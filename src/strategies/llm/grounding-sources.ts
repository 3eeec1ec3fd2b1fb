import { textPieces } from '../../tokens/text/text-pieces.ts';
import { unspaced } from './mention-score.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';

/** Tells whether a text occurs literally in the sources. */
export type SourceMatcher = (text: string) => boolean;

/** Share of a decision's content words that one source must contain. */
const decisionShare = 0.6;

/** Letters by which words are compared: `decided` and `decision` are one, `use` and `user` are not. */
const stemLetters = 5;

/** Letters of a word that says something, in scripts with spaces. */
const leastLetters = 3;

/** Makes a matcher for which case, spaces, punctuation and Unicode form do not matter. */
export async function sourceMatcher(
  sources: readonly string[],
  slices: TimeSlices,
): Promise<SourceMatcher> {
  const plain: string[] = [];
  for (const source of sources) {
    const pieces: string[] = [];
    for (const piece of textPieces(source)) {
      pieces.push(plainText(piece));
      await slices.pause();
    }
    plain.push(pieces.join(''));
  }
  return (text) => {
    const sought = plainText(text);
    return sought !== '' && plain.some((source) => source.includes(sought));
  };
}

/**
 * Makes a test for decisions: most of their content words must occur in one source. Words are compared
 * by their first five letters, so that tense and number do not matter. A decision without any content
 * word passes.
 */
export async function isDecisionOf(
  sources: readonly string[],
  slices: TimeSlices,
): Promise<SourceMatcher> {
  const stems: ReadonlySet<string>[] = [];
  for (const source of sources) {
    const found = new Set<string>();
    for (const piece of textPieces(source)) {
      for (const stem of stemsOf(piece)) found.add(stem);
      await slices.pause();
    }
    stems.push(found);
  }
  return (text) => {
    const words = [...new Set(stemsOf(text))];
    const least = decisionShare * words.length;
    return stems.some(
      (known) =>
        // Many short sources would be asked for every word otherwise.
        known.size >= least && words.filter((word) => known.has(word)).length >= least,
    );
  };
}

function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Words, and beginnings of words, that any decision holds. */
const emptyWords: ReadonlySet<string> = new Set(
  (
    'the and for with that this from are was were been have has had not but you your our can will would ' +
    'should they them their there here then than when where which who what into onto about also user ' +
    'decid agree assis'
  ).split(' '),
);

/** Beginnings of content words; single characters of scripts without spaces. */
function stemsOf(text: string): readonly string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words
    .flatMap((word) => (unspaced.test(word) ? Array.from(word) : [word]))
    .filter((word) => word.length >= leastLetters || /\d/.test(word) || unspaced.test(word))
    .map((word) => word.slice(0, stemLetters))
    .filter((stem) => !emptyWords.has(stem));
}
