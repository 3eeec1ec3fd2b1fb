import type { SummaryContent } from '../../record/summary-record.ts';
import { scanTerms } from './scan-terms.ts';
import { selectWindows, type TextWindow } from './select-windows.ts';
import type { SourceText } from './source-texts.ts';
import type { SummaryBudget } from './summary-budget.ts';
import { unitText, type SummaryUnit } from './summary-unit.ts';
import { indexTerms, type Term } from './term-index.ts';
import { weighTerm } from './weigh-term.ts';

/** What a summary is chosen from, each list most important first. */
export interface UnitSources {
  readonly texts: readonly SourceText[];
  /** Files that were created or changed. */
  readonly artifacts: readonly SummaryUnit[];
  readonly rules: readonly SummaryUnit[];
  /** Open tasks and questions, decisions, key points. */
  readonly statements: readonly SummaryUnit[];
  /** Other items of the record that is continued. */
  readonly inherited: readonly SummaryUnit[];
  readonly toolLines: readonly SummaryUnit[];
  readonly placeholder: readonly SummaryUnit[];
}

/** Shares of the room; what one does not use is for the windows, and what is left then for all. */
const shares = {
  artifacts: 0.2,
  rules: 0.3,
  statements: 0.1,
  inherited: 0.15,
  bullets: 0.1,
  toolLines: 0.12,
} as const;

/** Tokens of room from which there are more than bare facts. */
const comfortableRoom = 200;

/** Characters of the beginning of a user message that its bullet shows. */
const bulletCharacters = 60;

/** By how much the estimated size of windows may be off. */
const estimateMargin = 1.6;

/**
 * Puts everything a summary could say in the order in which it is taken in, as many as fit: within their
 * shares artifacts, rules and statements, then windows by what they cover, then what their shares had
 * no room for.
 */
export function planUnits(sources: UnitSources, budget: SummaryBudget): readonly SummaryUnit[] {
  const { room, size } = budget;
  const taken: SummaryUnit[] = [];
  const later: SummaryUnit[] = [];
  const take = (units: readonly SummaryUnit[], share: number): void => {
    let left = share * room;
    for (const unit of units) {
      // Once the share is used up, not even the size of the others needs to be known.
      const tokens = left > 0 ? size(unitText(unit)) : 0;
      if (left > 0 && tokens <= left) {
        left -= tokens;
        taken.push(unit);
      } else {
        later.push(unit);
      }
    }
  };
  const isComfortable = room >= comfortableRoom;
  if (isComfortable) taken.push(...sources.placeholder);
  take(sources.artifacts, shares.artifacts);
  take(sources.rules, shares.rules);
  take(sources.statements, isComfortable ? shares.statements : 0);
  take(sources.inherited, shares.inherited);
  take(sources.toolLines, isComfortable ? shares.toolLines : 0);
  const bullets = isComfortable ? bulletWindows(sources.texts, shares.bullets * room, size) : [];

  const index = indexTerms(sources.texts);
  const covered = new Set<Term>();
  for (const unit of taken) coverTerms(unitText(unit));
  for (const { source, start, end } of bullets)
    coverTerms(sources.texts[source]?.text.slice(start, end) ?? '');
  const windows = selectWindows(
    sources.texts,
    index,
    weighTerm,
    room * estimateMargin,
    covered,
  );
  return [
    ...taken,
    ...[...bullets, ...windows].map((window): SummaryUnit => ({ type: 'window', window })),
    ...later,
  ];

  function coverTerms(text: string): void {
    scanTerms(text, true, (kind, start, end) => {
      const spelled = text.slice(start, end);
      const term = index.terms.get(kind === 'word' ? spelled.toLowerCase() : spelled);
      if (term !== undefined) covered.add(term);
    });
  }
}

/** The beginnings of what the user said, the newest first, as far as they fit. */
function bulletWindows(
  texts: readonly SourceText[],
  maxTokens: number,
  size: (text: string) => number,
): readonly TextWindow[] {
  const windows: TextWindow[] = [];
  let left = maxTokens;
  for (let source = texts.length - 1; source >= 0 && left > 0; source -= 1) {
    const text = texts[source];
    if (text?.bullet !== true) continue;
    const end = beginningOf(text.text);
    left -= size(text.text.slice(0, end)) + 2;
    if (left >= 0) windows.push({ source, start: 0, end });
  }
  return windows;
}

/** Where the first words of a text end. */
function beginningOf(text: string): number {
  if (text.length <= bulletCharacters) return text.length;
  const space = text.lastIndexOf(' ', bulletCharacters);
  const end = space > bulletCharacters / 2 ? space : bulletCharacters;
  return text.slice(0, end).toWellFormed() === text.slice(0, end) ? end : end - 1;
}

/** The longest beginning of the plan whose content fits, by halving; none when not even that fits. */
export function longestFitting(
  units: readonly SummaryUnit[],
  compose: (units: readonly SummaryUnit[]) => SummaryContent,
  fits: (content: SummaryContent) => boolean,
): SummaryContent | undefined {
  let best: SummaryContent | undefined;
  let low = 1;
  let high = units.length;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const candidate = compose(units.slice(0, middle));
    if (fits(candidate)) {
      best = candidate;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return best;
}
