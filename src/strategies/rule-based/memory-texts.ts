import type { SummaryContent } from '../../record/summary-record.ts';
import type { SourceText } from './texts/source-texts.ts';
import type { SummaryUnit } from './summary-unit.ts';

/** What an earlier record hands on. */
export interface Memory {
  /** Lines of its narrative, to be selected from like any other text. */
  readonly texts: readonly SourceText[];
  /** Its tool lines, newest first. */
  readonly lines: readonly SummaryUnit[];
  /** How many of its lines tell what a user said. */
  readonly userTurns: number;
}

/** Stands in for the user's words where there are too few of them to list. */
export const fewUserTurns = '• (few user messages)';

const bullet = '• ';

/** Characters of a narrative that are read: one that is longer was not written for a budget. */
const maxNarrativeCharacters = 500_000;

/** Takes the narrative of an earlier record apart. */
export function memoryTexts(previous: Pick<SummaryContent, 'summary'> | undefined): Memory {
  const texts: SourceText[] = [];
  const lines: SummaryUnit[] = [];
  for (const line of (previous?.summary ?? '').slice(0, maxNarrativeCharacters).split('\n')) {
    if (line.trim() === '' || line === fewUserTurns) continue;
    if (line.startsWith('[') && line.endsWith(']')) {
      lines.push({ type: 'line', index: -1, text: line });
    } else if (line.startsWith(bullet)) {
      texts.push({ index: -1, role: 'memory', bullet: true, text: line.slice(bullet.length) });
    } else {
      texts.push({ index: -1, role: 'memory', text: line });
    }
  }
  return {
    texts,
    lines: lines.toReversed(),
    userTurns: texts.filter((text) => text.bullet === true).length,
  };
}
