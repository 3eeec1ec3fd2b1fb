import type { SummaryContent } from '../../record/summary-record.ts';
import type { SummaryBudget } from './summary-budget.ts';
import { unitTokens, type SummaryUnit } from './summary-unit.ts';

/** Share of the room that may stay empty: finding the last token of it costs as much as all before. */
const tolerance = 0.01;

/** Exact counts that are made: each is dear. */
const mostCounts = 10;

/** What is said already takes none, which says nothing of the others. */
const leastRate = 0.5;

/** By how much an estimate is mended at least that was too low. */
const leastCorrection = 1.1;

/**
 * Composes as many of the first units as the budget has room for. Exact counts are dear, so the estimates
 * say where to look; a unit that does not fit is passed over, for smaller ones behind it may.
 *
 * @returns `undefined` when none fits.
 */
export async function fitUnits(
  units: readonly SummaryUnit[],
  compose: (units: readonly SummaryUnit[]) => SummaryContent,
  { room, maxTokens, tokens }: SummaryBudget,
): Promise<SummaryContent | undefined> {
  let best: SummaryContent | undefined;
  const chosen: SummaryUnit[] = [];
  let others = units;
  let left = room;
  /** Real tokens for each estimated one. */
  let rate = 1;
  for (let counts = 0; counts < mostCounts && left > tolerance * room; counts += 1) {
    const more = unitsWithin(others, left / rate);
    if (more.length === 0) break;
    const content = compose([...chosen, ...more]);
    const before = maxTokens - left;
    const taken = await tokens(content);
    const real = (taken - before) / more.reduce((sum, unit) => sum + unitTokens(unit), 0);
    if (taken > maxTokens) {
      rate = Math.max(leastCorrection * rate, real);
      continue;
    }
    best = content;
    left = maxTokens - taken;
    rate = Math.max(leastRate, real);
    chosen.push(...more);
    const added = new Set(more);
    others = others.filter((unit) => !added.has(unit));
  }
  return best;
}

/** Units in their order while they fit, those that do not passed over. */
function unitsWithin(units: readonly SummaryUnit[], maxTokens: number): readonly SummaryUnit[] {
  let left = maxTokens;
  return units.filter((unit) => {
    const tokens = unitTokens(unit);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}
