import type { TimeSlices } from '../../util/async/time-slices.ts';
import { scanTerms } from './terms/scan-terms.ts';
import { estimateTokens } from './texts/estimate-tokens.ts';
import { selectExcerpts, type ChosenExcerpt } from './terms/select-excerpts.ts';
import type { MinutesText } from './texts/minutes-text.ts';
import { unitText, unitTokens, type SummaryUnit } from './summary-unit.ts';
import { indexTerms, termKey, type TermIndex } from './terms/term-index.ts';
import { termWeigher, type Term } from './terms/term.ts';

/** What a summary is chosen from, each list most important first. */
export interface UnitSources {
  readonly texts: readonly MinutesText[];
  /** Files that were created or changed. */
  readonly artifacts: readonly SummaryUnit[];
  /** What the user told the agent to do or not to do. */
  readonly rules: readonly SummaryUnit[];
  /** What the user said in the same words, but of themselves, or in what they quoted. */
  readonly remarks: readonly SummaryUnit[];
  /** Open tasks and questions, decisions. */
  readonly statements: readonly SummaryUnit[];
  /** Who takes part and what was asked for. */
  readonly overview: readonly SummaryUnit[];
  /** What the user asked for, in each message. */
  readonly asks: readonly SummaryUnit[];
  /** What the assistant answered. */
  readonly answers: readonly SummaryUnit[];
  /** What was done and how it ended. */
  readonly done: readonly SummaryUnit[];
  /** Of the record that is continued: its open tasks and questions, decisions; its other items. */
  readonly inheritedStatements: readonly SummaryUnit[];
  readonly inheritedPoints: readonly SummaryUnit[];
  readonly inheritedEntities: readonly SummaryUnit[];
  readonly placeholder: readonly SummaryUnit[];
}

/** Tokens of room from which there are more than bare facts, and from which there is an overview. */
const comfortableRoom = 200;
const overviewRoom = 800;

/** By how much the estimated size of excerpts may be off. */
const excerptMargin = 1.6;

/** Shares of the room, in the order in which they are given out; what one does not use is for excerpts. */
function roomShares(
  room: number,
  hasTools: boolean,
): readonly (readonly [list: Exclude<keyof UnitSources, 'texts'>, share: number])[] {
  const isComfortable = room >= comfortableRoom;
  // To an agent "I don't fly before 11" is a rule; in a chat such sentences belong to a story.
  return [
    ['placeholder', isComfortable ? 1 : 0],
    ['artifacts', 0.2],
    ['rules', hasTools ? 0.5 : 0.15],
    ['remarks', hasTools ? 0.4 : 0.05],
    ['statements', isComfortable ? 0.06 : 0],
    ['overview', room >= overviewRoom ? 0.08 : 0],
    ['inheritedStatements', 0.2],
    ['inheritedPoints', 0.25],
    ['inheritedEntities', 0.1],
    ['asks', isComfortable ? 0.06 : 0],
    ['answers', isComfortable ? 0.1 : 0],
    ['done', isComfortable ? 0.06 : 0],
  ];
}

/**
 * Puts everything a summary could say in the order in which it is taken in, as many as fit: within their
 * shares artifacts, rules and statements, then excerpts by what they say, then what their shares had no
 * room for.
 */
export async function planUnits(
  sources: UnitSources,
  room: number,
  slices: TimeSlices,
): Promise<readonly SummaryUnit[]> {
  const { texts } = sources;
  const hasTools = texts.some(({ role }) => role === 'call');
  const taken: SummaryUnit[] = [];
  const moreRules: SummaryUnit[] = [];
  const later: SummaryUnit[] = [];
  for (const [list, share] of roomShares(room, hasTools)) {
    const isRule = hasTools && (list === 'rules' || list === 'remarks');
    let left = share * room;
    for (const unit of sources[list]) {
      const tokens = sizeOf(unit, texts);
      const fits = tokens <= left;
      if (fits) left -= tokens;
      (fits ? taken : isRule ? moreRules : later).push(unit);
    }
  }
  const index = await indexTerms(texts, slices);
  const said = termsIn(
    index,
    taken.map((unit) => wordsOf(unit, texts)),
  );
  const excerpts = await selectExcerpts(texts, index, {
    weigh: termWeigher(hasTools),
    maxTokens: room * excerptMargin,
    said,
    opened: taken.flatMap((unit) =>
      unit.type === 'excerpt' ? [texts[unit.excerpt.source]?.line ?? -1] : [],
    ),
    slices,
  });
  return [...taken, ...mergeByWorth(excerpts, moreRules, texts), ...later];
}

/** What a rule is worth in the weight of terms: as much as two ids that came up a few times. */
const ruleWorth = 4;

/** Excerpts, and between them the rules that are worth more for their tokens than the next excerpt. */
function mergeByWorth(
  excerpts: readonly ChosenExcerpt[],
  rules: readonly SummaryUnit[],
  texts: readonly MinutesText[],
): readonly SummaryUnit[] {
  const merged: SummaryUnit[] = [];
  let next = 0;
  for (const excerpt of excerpts) {
    for (let rule = rules[next]; rule !== undefined; rule = rules[next]) {
      if (ruleWorth / sizeOf(rule, texts) < excerpt.worth) break;
      merged.push(rule);
      next += 1;
    }
    merged.push({ type: 'excerpt', excerpt });
  }
  return [...merged, ...rules.slice(next)];
}

/** The words of a unit, where they stand. */
function wordsOf(unit: SummaryUnit, texts: readonly MinutesText[]): string {
  if (unit.type !== 'excerpt') return unitText(unit);
  const { source, start, end } = unit.excerpt;
  return texts[source]?.text.slice(start, end) ?? '';
}

function sizeOf(unit: SummaryUnit, texts: readonly MinutesText[]): number {
  return unit.type === 'excerpt' ? 4 + estimateTokens(wordsOf(unit, texts)) : unitTokens(unit);
}

/** The terms of an index that some texts mention. */
function termsIn({ terms }: TermIndex, texts: readonly string[]): Set<Term> {
  const found = new Set<Term>();
  for (const text of texts)
    scanTerms(text, true, (kind, start, end) => {
      const term = terms.get(termKey(kind, text.slice(start, end)));
      if (term !== undefined) found.add(term);
    });
  return found;
}
