import type { SummaryContent } from '../../record/summary-record.ts';
import { countUpTo } from '../../util/count-up-to.ts';
import { sumsBefore } from '../../util/running-sums.ts';
import type { SummaryBudget } from './summary-budget.ts';
import { unitTokens, type SummaryUnit } from './summary-unit.ts';

/** Share of the room that may stay empty: finding the last token of it costs as much as all before. */
const tolerance = 0.01;

/** Guesses by proportion, which mostly suffice; then halving, which always ends. */
const guesses = 4;

/**
 * Composes as many of the first units as the budget has room for. Exact counts are dear, so the estimates
 * say where to look.
 *
 * @returns `undefined` when not even the first unit fits.
 */
export async function fitUnits(
  units: readonly SummaryUnit[],
  compose: (units: readonly SummaryUnit[]) => SummaryContent,
  { room, maxTokens, tokens }: SummaryBudget,
): Promise<SummaryContent | undefined> {
  const sizes = sumsBefore(units.map(unitTokens));
  let best: SummaryContent | undefined;
  let low = 0;
  let high = units.length + 1;
  let left = room;
  /** Real tokens for each estimated one. */
  let rate = 1;
  for (let step = 0; high - low > 1 && left > tolerance * room; step += 1) {
    const wanted = (sizes[low] ?? 0) + left / rate;
    const guess = step < guesses ? countUpTo(sizes, wanted) - 1 : Math.floor((low + high) / 2);
    const middle = Math.min(Math.max(guess, low + 1), high - 1);
    const content = compose(units.slice(0, middle));
    const taken = await tokens(content);
    const estimated = sizes[middle] ?? 0;
    if (estimated > 0) rate = Math.max(0.1, (taken - (maxTokens - room)) / estimated);
    if (taken <= maxTokens) {
      best = content;
      low = middle;
      left = maxTokens - taken;
    } else {
      high = middle;
    }
  }
  const taken = units.slice(0, low);
  // The unit that does not fit is passed over: smaller ones behind it may.
  const attempts = left > tolerance * room ? guesses : 0;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const more = unitsWithin(units.slice(low), left / (rate + attempt / guesses));
    const content = compose([...taken, ...more]);
    const tokensTaken = more.length === 0 ? maxTokens + 1 : await tokens(content);
    if (tokensTaken <= maxTokens) return content;
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
