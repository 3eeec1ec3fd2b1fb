import type { TimeSlices } from '../../util/time-slices.ts';
import { scanTerms } from './terms/scan-terms.ts';
import { estimateTokens } from './texts/estimate-tokens.ts';
import { selectWindows, type ChosenWindow } from './terms/select-windows.ts';
import type { SourceText } from './texts/source-texts.ts';
import { frameTokens, unitText, unitTokens, type SummaryUnit } from './summary-unit.ts';
import { indexTerms, type Term } from './terms/term-index.ts';
import { termWeigher } from './terms/weigh-term.ts';
import type { TextWindow } from './terms/window-candidates.ts';

/** What a summary is chosen from, each list most important first. */
export interface UnitSources {
  readonly texts: readonly SourceText[];
  /** Files that were created or changed. */
  readonly artifacts: readonly SummaryUnit[];
  /** What the user told the agent to do or not to do. */
  readonly rules: readonly SummaryUnit[];
  /** What the user said of themselves in the same words. */
  readonly remarks: readonly SummaryUnit[];
  /** Open tasks and questions, decisions. */
  readonly statements: readonly SummaryUnit[];
  /** Who takes part and what was asked for. */
  readonly overview: readonly SummaryUnit[];
  /** Of the record that is continued: its open tasks and questions, decisions; its other items. */
  readonly inheritedStatements: readonly SummaryUnit[];
  readonly inheritedPoints: readonly SummaryUnit[];
  readonly inheritedEntities: readonly SummaryUnit[];
  readonly toolLines: readonly SummaryUnit[];
  readonly placeholder: readonly SummaryUnit[];
}

/** Shares of the room; what one does not use is for the windows, and what is left then for all. */
const shares = {
  artifacts: 0.2,
  rules: 0.38,
  remarks: 0.38,
  remarksInChat: 0.05,
  statements: 0.06,
  overview: 0.08,
  inheritedStatements: 0.2,
  inheritedPoints: 0.25,
  inheritedEntities: 0.1,
  bullets: 0.1,
  toolLines: 0.06,
} as const;

/** Tokens of room from which there are more than bare facts, and from which there is an overview. */
const comfortableRoom = 200;
const overviewRoom = 400;

/** Characters of the beginning of a user message that its bullet shows. */
const bulletCharacters = 60;

/** By how much the estimated size of windows may be off. */
const estimateMargin = 1.6;

/**
 * Puts everything a summary could say in the order in which it is taken in, as many as fit: within their
 * shares artifacts, rules and statements, then windows by what they cover, then what their shares had
 * no room for.
 */
export async function planUnits(
  sources: UnitSources,
  room: number,
  slices: TimeSlices,
): Promise<readonly SummaryUnit[]> {
  const taken: SummaryUnit[] = [];
  const later: SummaryUnit[] = [];
  const take = (units: readonly SummaryUnit[], share: number, rest = later): void => {
    let left = share * room;
    for (const unit of units) {
      const tokens = unitTokens(unit);
      if (tokens <= left) {
        left -= tokens;
        taken.push(unit);
      } else {
        rest.push(unit);
      }
    }
  };
  const isComfortable = room >= comfortableRoom;
  if (isComfortable) taken.push(...sources.placeholder);
  take(sources.artifacts, shares.artifacts);
  const moreRules: SummaryUnit[] = [];
  take(sources.rules, shares.rules, moreRules);
  // To an agent "I don't fly before 11" is a rule; in a chat it is one sentence of a story.
  const hasTools = sources.texts.some(({ role }) => role === 'call');
  take(
    sources.remarks,
    hasTools ? shares.remarks : shares.remarksInChat,
    hasTools ? moreRules : later,
  );
  take(sources.statements, isComfortable ? shares.statements : 0);
  take(sources.overview, room >= overviewRoom ? shares.overview : 0);
  take(sources.inheritedStatements, shares.inheritedStatements);
  take(sources.inheritedPoints, shares.inheritedPoints);
  take(sources.inheritedEntities, shares.inheritedEntities);
  take(sources.toolLines, isComfortable ? shares.toolLines : 0);
  const bullets = isComfortable ? bulletWindows(sources.texts, shares.bullets * room) : [];

  const index = await indexTerms(sources.texts, slices);
  const covered = new Set<Term>();
  for (const unit of taken) coverTerms(unitText(unit));
  for (const { source, start, end } of bullets)
    coverTerms(sources.texts[source]?.text.slice(start, end) ?? '');
  const windows = await selectWindows(sources.texts, index, {
    weigh: termWeigher(hasTools),
    maxTokens: room * estimateMargin,
    covered,
    slices,
  });
  return [
    ...taken,
    ...bullets.map((window): SummaryUnit => ({ type: 'window', window })),
    ...mergeByWorth(windows, moreRules),
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

/** What a rule is worth in the weight of terms: as much as an id that came up a few times. */
const ruleWorth = 2;

/** Windows, and between them the rules that are worth more for their tokens than the next window. */
function mergeByWorth(
  windows: readonly ChosenWindow[],
  rules: readonly SummaryUnit[],
): readonly SummaryUnit[] {
  const merged: SummaryUnit[] = [];
  let next = 0;
  for (const window of windows) {
    for (let rule = rules[next]; rule !== undefined; rule = rules[next]) {
      if (ruleWorth / unitTokens(rule) < window.worth) break;
      merged.push(rule);
      next += 1;
    }
    merged.push({ type: 'window', window });
  }
  return [...merged, ...rules.slice(next)];
}

/** The beginnings of what the user said, the newest first, as far as they fit. */
function bulletWindows(texts: readonly SourceText[], maxTokens: number): readonly TextWindow[] {
  const windows: TextWindow[] = [];
  let left = maxTokens;
  for (let source = texts.length - 1; source >= 0 && left > 0; source -= 1) {
    const text = texts[source];
    if (text?.bullet !== true) continue;
    const end = beginningOf(text.text);
    left -= estimateTokens(text.text.slice(0, end)) + frameTokens;
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
