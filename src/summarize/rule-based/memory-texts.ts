import type { SummaryContent } from '../../record/summary-record.ts';
import type { SourceText } from './source-texts.ts';
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

/** Takes the narrative of an earlier record apart. */
export function memoryTexts(previous: Pick<SummaryContent, 'summary'> | undefined): Memory {
  const texts: SourceText[] = [];
  const lines: SummaryUnit[] = [];
  for (const line of (previous?.summary ?? '').split('\n')) {
    if (line.trim() === '' || line === fewUserTurns) continue;
    if (line.startsWith('[') && line.endsWith(']')) {
      lines.unshift({ type: 'line', index: -1, text: line });
    } else if (line.startsWith(bullet)) {
      texts.push({ index: -1, role: 'memory', bullet: true, text: line.slice(bullet.length) });
    } else {
      texts.push({ index: -1, role: 'memory', text: line });
    }
  }
  return { texts, lines, userTurns: texts.filter((text) => text.bullet === true).length };
}
