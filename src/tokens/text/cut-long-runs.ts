import { splitsSurrogatePair } from '../../util/strings.ts';

/** Characters of one class that reach the tokenizer in one stretch, at most. */
export const maxRunLength = 128;

/**
 * What a longer run is cut into where it is not ASCII, which takes two to four bytes a character: 1 MB of
 * Thai takes 5 times as long as prose this way, 15 times in pieces of 128. Between the two it is cut behind
 * a seam, so that parts of one text are cut at the same places wherever they begin: counted again, they are
 * mostly what the tokenizer remembers.
 */
const wideCutLength = maxRunLength / 2;
const leastWideCut = 34;

/** Whether a run is cut behind such a character: one in 16, whatever the script. */
function isSeam(code: number): boolean {
  return Math.imul(code, 0x9e3779b1) >>> 28 === 0;
}

// Half of maxRunLength: two runs of different classes can stand in one piece of the tokenizer
// (punctuation, then line breaks), so texts below it need no cut at all.
const suspectRunLength = maxRunLength / 2;

/**
 * Hands `text` to `visit` in pieces whose runs of one character class (letters with their marks,
 * punctuation and symbols, white space) have at most {@link maxRunLength} characters. A byte-pair
 * tokenizer takes quadratic time on such a run: 36 s for 100 KB of unspaced Chinese. Joined, the
 * pieces are the text; a surrogate pair is never split. Most texts are one piece.
 */
export function cutLongRuns(text: string, visit: (piece: string) => void): void {
  if (text === '') return;
  if (!hasSuspectRun(text)) {
    visit(text);
    return;
  }
  // The four classes cover every character, so each match begins where the last one ended.
  const run = /[\p{L}\p{M}]+|\p{N}+|\s+|[^\s\p{L}\p{N}]+/gu;
  let pieceStart = 0;
  let runStart = 0;
  while (run.test(text)) {
    const isWide = text.charCodeAt(runStart) > 127;
    const cutAfter = (start: number): number =>
      isWide ? wideCutAfter(text, start) : start + maxRunLength;
    const isLong = run.lastIndex - runStart > maxRunLength;
    let cut = isLong ? cutAfter(runStart) : run.lastIndex;
    while (cut < run.lastIndex) {
      if (splitsSurrogatePair(text, cut)) cut -= 1;
      visit(text.slice(pieceStart, cut));
      pieceStart = cut;
      cut = cutAfter(cut);
    }
    runStart = run.lastIndex;
  }
  visit(text.slice(pieceStart));
}

function wideCutAfter(text: string, start: number): number {
  const last = start + wideCutLength;
  for (let end = start + leastWideCut; end < last; end += 1)
    if (isSeam(text.charCodeAt(end - 1))) return end;
  return last;
}

/**
 * Whether a run may be long, by character code alone: about 4 ms per MB, against 50 ms for the
 * regular expression with Unicode classes. Characters beyond ASCII may be of any class.
 */
function hasSuspectRun(text: string): boolean {
  if (text.length <= suspectRunLength) return false;
  let letters = 0;
  let symbols = 0;
  let spaces = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const lowerCased = code | 32;
    if (code > 127) {
      letters += 1;
      symbols += 1;
      spaces += 1;
    } else if (lowerCased >= 97 && lowerCased <= 122) {
      letters += 1;
      symbols = 0;
      spaces = 0;
    } else if (code === 32 || (code >= 9 && code <= 13)) {
      spaces += 1;
      letters = 0;
      symbols = 0;
    } else if (code >= 48 && code <= 57) {
      // Numbers need no guard: the tokenizer takes them three digits at a time.
      letters = 0;
      symbols = 0;
      spaces = 0;
    } else {
      symbols += 1;
      letters = 0;
      spaces = 0;
    }
    if (letters > suspectRunLength || symbols > suspectRunLength || spaces > suspectRunLength) {
      return true;
    }
  }
  return false;
}
