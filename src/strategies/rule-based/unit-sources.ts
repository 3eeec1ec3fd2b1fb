import type { SummaryUnit } from './summary-unit.ts';
import type { MinutesText } from './texts/minutes-text.ts';

/** What a summary is chosen from, each list most important first. */
export interface UnitSources {
  readonly texts: readonly MinutesText[];
  readonly placeholder: readonly SummaryUnit[];
  /** What the user asked for and is not done; its share was kept when it was chosen. */
  readonly requests: readonly SummaryUnit[];
  /** Files that were created or changed. */
  readonly artifacts: readonly SummaryUnit[];
  /** What the user told the agent to do or not to do. */
  readonly rules: readonly SummaryUnit[];
  /** What the user said in the same words, but of themselves, or in what they quoted. */
  readonly remarks: readonly SummaryUnit[];
  /** Open tasks and questions, decisions. */
  readonly statements: readonly SummaryUnit[];
  /** Who takes part. */
  readonly overview: readonly SummaryUnit[];
  /** What the user asked for, in each message. */
  readonly asks: readonly SummaryUnit[];
  /** What the assistant answered. */
  readonly answers: readonly SummaryUnit[];
  /** What was done and how it ended. */
  readonly done: readonly SummaryUnit[];
  /** Of the record that is continued: its files and names, open tasks and questions, decisions, other items. */
  readonly inheritedEntities: readonly SummaryUnit[];
  readonly inheritedStatements: readonly SummaryUnit[];
  readonly inheritedPoints: readonly SummaryUnit[];
}

/** The name of a list. */
export type UnitList = Exclude<keyof UnitSources, 'texts'>;

/** Tokens of room from which there are more than bare facts, and from which there is an overview. */
const comfortableRoom = 300;
const overviewRoom = 800;

/** What stands in every summary, before identifiers; then what comes behind them. */
export const foremostLists: readonly UnitList[] = [
  'requests',
  'placeholder',
  'artifacts',
  'inheritedEntities',
  'rules',
  'remarks',
  'asks',
  'answers',
  'done',
];
export const otherLists: readonly UnitList[] = [
  'statements',
  'overview',
  'inheritedStatements',
  'inheritedPoints',
];
/**
 * Shares of the room, tuned on conversations that no figures are reported of. To an agent "I don't fly
 * before 11" is a rule; in a chat such sentences belong to a story, and identifiers are few. Remarks have what rules
 * leave of their share.
 */
export function unitShares(
  room: number,
  isAgent: boolean,
): Readonly<Record<Exclude<UnitList, 'remarks'> | 'identifiers', number>> {
  const isComfortable = room >= comfortableRoom;
  return {
    requests: 1,
    placeholder: isComfortable ? 1 : 0,
    artifacts: 0.2,
    inheritedEntities: 0.2,
    rules: isAgent ? 0.65 : 0.15,
    identifiers: isAgent ? 0.45 : 0,
    statements: isComfortable ? 0.06 : 0,
    overview: room >= overviewRoom ? 0.08 : 0,
    inheritedStatements: 0.2,
    inheritedPoints: 0.25,
    asks: isComfortable ? 0.06 : 0,
    answers: isComfortable ? 0.1 : 0,
    done: isComfortable ? 0.1 : 0,
  };
}
