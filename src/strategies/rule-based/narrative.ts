import { tidy } from '../tidy.ts';
import type { Excerpt } from './terms/excerpt-candidates.ts';
import type { SourceText } from './texts/source-texts.ts';

/** A line that stands behind the texts of a message. */
export interface NarrativeLine {
  /** Position of the message. */
  readonly index: number;
  readonly text: string;
}

/** Stands in for the user's words where there are too few of them to list. */
export const fewUserTurns = '• (few user messages)';

const bullet = '• ';

/** Writes excerpts in the order of the conversation, one line for each text, and the lines between them. */
export function writeNarrative(
  texts: readonly SourceText[],
  excerpts: readonly Excerpt[],
  lines: readonly NarrativeLine[],
): string {
  const bySource = Map.groupBy(
    excerpts.toSorted((left, right) => left.source - right.source || left.start - right.start),
    ({ source }) => source,
  );
  const quoted: NarrativeLine[] = [];
  for (const [source, ofSource] of bySource) {
    const { index = 0, text = '', bullet: isListed = false } = texts[source] ?? {};
    quoted.push({ index, text: `${isListed ? bullet : ''}${joinedExcerpts(text, ofSource)}` });
  }
  return [...quoted, ...lines]
    .toSorted((left, right) => left.index - right.index)
    .map(({ text }) => text)
    .join('\n');
}

/** Gaps below this are shown: leaving them out would cost as much. */
const smallGap = 4;

function joinedExcerpts(text: string, excerpts: readonly Excerpt[]): string {
  const ranges: { readonly start: number; end: number }[] = [];
  for (const { start, end } of excerpts) {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end + smallGap) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges
    .map(({ start, end }) => tidy(text.slice(start, end)))
    .filter((piece) => piece !== '')
    .join(' … ');
}

/** Characters of a narrative that are read: one that is longer was not written for a budget. */
const maxNarrativeCharacters = 500_000;

/**
 * Takes the narrative of an earlier record apart.
 *
 * @returns Its texts, to be selected from like any other; its tool lines, newest first; how many of the
 * texts are what a user said.
 */
export function readNarrative(narrative: string): {
  readonly texts: readonly SourceText[];
  readonly lines: readonly NarrativeLine[];
  readonly userTurns: number;
} {
  const texts: SourceText[] = [];
  const lines: NarrativeLine[] = [];
  for (const line of narrative.slice(0, maxNarrativeCharacters).split('\n')) {
    if (line.trim() === '' || line === fewUserTurns) continue;
    const isListed = line.startsWith(bullet);
    const text = isListed ? line.slice(bullet.length) : line;
    if (line.startsWith('[') && line.endsWith(']')) lines.push({ index: -1, text });
    else texts.push({ index: -1, role: 'memory', bullet: isListed, text });
  }
  const userTurns = texts.filter((text) => text.bullet).length;
  return { texts, lines: lines.toReversed(), userTurns };
}
