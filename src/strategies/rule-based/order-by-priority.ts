import { defaultPriority, priorityOf } from '../../selection/message-priority.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { unitTokens, type SummaryUnit } from './summary-unit.ts';
import type { UnitSources } from './unit-sources.ts';

/** Share of the room that messages may take which the caller has raised. */
const raisedShare = 0.5;

/**
 * Puts what a summary could say in the order of the caller's priorities: what was said in messages that matter
 * more than others of their kind comes first, highest first, within half of the room; what was said in those
 * that matter less comes last.
 */
export function orderByPriority(
  units: readonly SummaryUnit[],
  { texts, asks, answers, done }: UnitSources,
  { messages, priority }: Pick<SummaryInput, 'messages' | 'priority'>,
  room: number,
): readonly SummaryUnit[] {
  if (priority === undefined) return units;
  const given = priorityOf(priority);
  const rankOf = (unit: SummaryUnit): number => {
    if (unit.type !== 'excerpt') return 0;
    const message = messages[texts[unit.excerpt.source]?.index ?? -1];
    return message === undefined ? 0 : given(message) - defaultPriority(message);
  };
  const ranked = new Map(
    [...asks, ...answers, ...done, ...units].map((unit) => [unit, rankOf(unit)]),
  );
  const byRank = [...ranked].toSorted(([, one], [, other]) => other - one);
  let left = raisedShare * room;
  const raised = new Set(
    byRank.flatMap(([unit, rank]) => {
      const tokens = unitTokens(unit);
      if (rank <= 0 || tokens > left) return [];
      left -= tokens;
      return [unit];
    }),
  );
  const others = units.filter((unit) => !raised.has(unit));
  const isLowered = (unit: SummaryUnit): boolean => (ranked.get(unit) ?? 0) < 0;
  return [...raised, ...others.filter((unit) => !isLowered(unit)), ...others.filter(isLowered)];
}
