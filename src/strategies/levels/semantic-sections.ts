import { embedTexts, type EmbedTexts } from '../../stores/chroma/embed-texts.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { textUnits } from './text-units.ts';

/** How {@link semanticSections} divides a text. */
export interface SemanticSectionsOptions {
  /** Size of a section at most. */
  readonly maxSize: number;
  readonly measure: (text: string) => number;
  readonly embed: EmbedTexts;
  readonly slices: TimeSlices;
}

/** Share of a section that is looked at as one piece, and the least that a section holds. */
const pieceShare = 1 / 12;
const leastShare = 0.4;

/** A piece does not reach across the end of a paragraph, unless that was a short one. */
const paragraphEnd = /\n[^\S\n]{0,8}\n$/;

/** Pieces on each side of a border that are compared. */
const comparedPieces = 3;

/**
 * Divides a text where its subject changes: between pieces of a few sentences whose neighbours on both sides point
 * in the most different directions (TextTiling, Hearst 1997, with embeddings in the place of word counts).
 * Filled from the front, each section to between 0.4 of the size and all of it: a text that has grown keeps its
 * first sections. Joined, they are the text.
 *
 * @throws What `embed` throws; TypeError when it returns no vector for each text.
 */
export async function semanticSections(
  text: string,
  { maxSize, measure, embed, slices }: SemanticSectionsOptions,
): Promise<readonly string[]> {
  const pieces: { text: string; size: number }[] = [];
  const pieceSize = Math.max(1, Math.floor(maxSize * pieceShare));
  for (const unit of textUnits(text, pieceSize, measure)) {
    const last = pieces.at(-1);
    const isOpen =
      last !== undefined && !(last.size > pieceSize / 4 && paragraphEnd.test(last.text.slice(-10)));
    if (isOpen && last.size + unit.sizeBefore <= pieceSize) {
      last.text += unit.text;
      last.size += unit.sizeBefore;
    } else pieces.push({ text: unit.text, size: unit.sizeBefore });
    await slices.pause();
  }
  const vectors = await embedTexts(
    embed,
    pieces.map((piece) => piece.text),
  );
  const sections: string[] = [];
  for (let start = 0; start < pieces.length;) {
    const end = borderAfter(pieces, vectors, start, maxSize);
    sections.push(
      pieces
        .slice(start, end)
        .map((piece) => piece.text)
        .join(''),
    );
    start = end;
    await slices.pause();
  }
  return sections;
}

/** Where the section that begins at a piece ends: at the deepest change of subject among the borders it may have. */
function borderAfter(
  pieces: readonly { readonly size: number }[],
  vectors: readonly (readonly number[])[],
  start: number,
  maxSize: number,
): number {
  let size = 0;
  let best = start + 1;
  let least = Number.POSITIVE_INFINITY;
  for (let border = start + 1; border <= pieces.length; border += 1) {
    size += pieces[border - 1]?.size ?? 0;
    if (size > maxSize) break;
    if (border === pieces.length) return border;
    const alike = likeness(vectors, border);
    if (size < leastShare * maxSize) best = border;
    else if (alike < least) {
      least = alike;
      best = border;
    }
  }
  return best;
}

/** How alike what stands before a border is to what stands behind it. */
function likeness(vectors: readonly (readonly number[])[], border: number): number {
  const before = sumOf(vectors.slice(Math.max(0, border - comparedPieces), border));
  const after = sumOf(vectors.slice(border, border + comparedPieces));
  const product = before.reduce((sum, value, index) => sum + value * (after[index] ?? 0), 0);
  return product / (Math.hypot(...before) * Math.hypot(...after) || 1);
}

function sumOf(vectors: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = vectors;
  return first.map((value, index) =>
    others.reduce((sum, vector) => sum + (vector[index] ?? 0), value),
  );
}
