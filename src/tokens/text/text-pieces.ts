import { splitsSurrogatePair } from '../../util/strings.ts';

/** Characters counted in one stretch: under 5 ms for the slowest kind of text. */
export const maxPieceLength = 4096;

/** Characters that a token of ordinary text has at most. */
export const mostCharactersPerToken = 16;

/** How far back from there a piece looks for a line break or a space to end before. */
const pieceReach = 256;

/**
 * Cuts a text into pieces that are counted one by one: the sum is the count of the text but for about
 * one token in 10,000. The same text is always cut at the same places.
 */
export function* textPieces(text: string): Generator<string, void, undefined> {
  let start = 0;
  while (text.length - start > maxPieceLength) {
    const end = pieceEnd(text, start + maxPieceLength);
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

function pieceEnd(text: string, latest: number): number {
  for (let end = latest; end > latest - pieceReach; end -= 1) {
    // Tokens begin with the space before a word, and most end with the line.
    if (text.charCodeAt(end) === 32 && text.charCodeAt(end - 1) > 32) return end;
  }
  return splitsSurrogatePair(text, latest) ? latest - 1 : latest;
}
