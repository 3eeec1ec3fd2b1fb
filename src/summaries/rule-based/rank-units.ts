import { sumOf } from '../../foundations/util/numbers.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { estimateTokens } from '../../sizes/tokens/text-counter.ts';
import { wordsOf } from '../strategies/words.ts';

/** A stretch of the conversation that a record may hold: a sentence of the user, a line of the activity log. */
export interface Unit {
  readonly text: string;
  /** Position of its message among those that are summarized; below 0 for lines of an earlier record. */
  readonly index: number;
  readonly isUser: boolean;
  /** Whether somebody says it: such units of one message share a line. */
  readonly isSpoken: boolean;
  /** Factor of its worth over others with the same words. */
  readonly weight: number;
  readonly tokens: number;
}

/** Exponent of the tokens by which the gain of a text is divided: below 1, a short text is better by less. */
const lengthExponent = 0.95;

/** Tokens that are added to those of a text: short texts say too little. */
const frameTokens = 4;

/** Factor for a figure over a word that is as rare; factor for a word that the record already holds. */
const figureWeight = 2;
const saidWeight = 0.15;

/** How often a word loses worth by being said: with more, repetitive talk would be weighed anew without end. */
const mostSaid = 2;

/** How much the newest text is worth over the oldest. */
const recency = 0.3;

/** Most units that are ranked: the newest ones. */
const mostUnits = 6000;

export function makeUnit(text: string, unit: Omit<Unit, 'text' | 'tokens'>): Unit {
  return { text, ...unit, tokens: 2 + estimateTokens(text) };
}

/**
 * Ranks stretches of a conversation by what they add: words that are rare in it, figures above all, which neither the
 * record nor a better stretch says already.
 *
 * @param said - Text of the record.
 * @param maxTokens - How far the ranking goes.
 */
export async function rankUnits(
  given: readonly Unit[],
  said: string,
  maxTokens: number,
): Promise<readonly Unit[]> {
  const units = given.slice(-mostUnits);
  const words: ReadonlySet<string>[] = [];
  const holders = new Map<string, number>();
  for (const { text } of units) {
    const own = wordsOf(text);
    words.push(own);
    for (const word of own) holders.set(word, (holders.get(word) ?? 0) + 1);
    await yieldToEventLoop();
  }
  const worth = new Map(
    [...holders].map(([word, count]) => {
      const rarity = Math.log(1 + units.length / (1 + count));
      return [word, /\d/.test(word) ? figureWeight * rarity : rarity];
    }),
  );
  const times = new Map<string, number>();
  const cover = (own: Iterable<string>): void => {
    for (const word of own) {
      const count = (times.get(word) ?? 0) + 1;
      if (count > mostSaid) continue;
      times.set(word, count);
      worth.set(word, saidWeight * (worth.get(word) ?? 0));
    }
  };
  cover(wordsOf(said));
  const gainOf = (place: number): number => {
    const { weight, tokens } = units[place] ?? { weight: 0, tokens: 1 };
    const sum = sumOf([...(words[place] ?? [])], (word) => worth.get(word) ?? 0);
    const age = 1 + recency * (place / units.length - 0.5);
    return (weight * age * sum) / (tokens + frameTokens) ** lengthExponent;
  };
  // Each choice makes others worth less: the best unit is weighed once more before it is taken.
  const queue = units.map((_, place) => ({ place, gain: gainOf(place) }));
  queue.sort((one, other) => one.gain - other.gain);
  const ranked: Unit[] = [];
  let left = maxTokens;
  for (let best = queue.pop(); best !== undefined && left > 0; best = queue.pop()) {
    const gain = gainOf(best.place);
    if (gain <= 0) continue;
    const unit = units[best.place];
    if (unit === undefined) continue;
    if (gain >= (queue.at(-1)?.gain ?? 0)) {
      ranked.push(unit);
      left -= unit.tokens;
      cover(words[best.place] ?? []);
    } else queue.splice(queue.findLastIndex((each) => each.gain < gain) + 1, 0, { ...best, gain });
    await yieldToEventLoop();
  }
  return ranked;
}
