import { runInSlices } from '../../../util/async/run-steps.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';
import type { Excerpt } from '../texts/excerpt.ts';
import { estimateTokens } from '../texts/estimate-tokens.ts';
import { quotedRanges } from '../texts/quoted-ranges.ts';
import { asOneLine, sentencesOf } from '../texts/sentences.ts';
import type { SourceText } from '../texts/source-texts.ts';
import { ruleStrength } from './rule-strength.ts';

/** A sentence in which the user states a rule. */
export interface UserRule {
  /** The sentence as the user wrote it, on one line. */
  readonly text: string;
  /** Higher for what forbids or demands outright, and for what takes fewer tokens. */
  readonly rank: number;
  /** Its place among all rules as they were said. */
  readonly order: number;
}

/** What the user said in words of rules, most important first. */
export interface UserRules {
  readonly rules: readonly UserRule[];
  /** Sentences with such words that are no rules: of the user's own life, questions, quotations. */
  readonly remarks: readonly Excerpt[];
}

/** A rule that has been kept once is not given up for one that is a word shorter. */
const keptBonus = 1.5;

/** Rules that are looked at closer: no summary has room for so many. */
const maxRules = 500;

/**
 * Finds the rules in what the user wrote and joins them with those of an earlier record, most important
 * first; of equal ones the shorter, then the newer. The 500 most important ones.
 */
export async function findUserRules(
  texts: readonly SourceText[],
  kept: readonly string[],
  slices: TimeSlices,
): Promise<UserRules> {
  const rules = ranking<UserRule>();
  const remarks = ranking<Excerpt & { readonly rank: number }>();
  let order = 0;
  for (const text of kept) {
    rules.add(text, { text, order, rank: rankOf(text, keptBonus) });
    order += 1;
  }
  for (const [source, { role, text, quotesUser = role === 'user' }] of texts.entries()) {
    if (!quotesUser) continue;
    const quoted = await runInSlices(quotedRanges(text), slices);
    let next = 0;
    for (const { text: sentence, start } of sentencesOf(text)) {
      const strength = ruleStrength(sentence);
      const line = strength === 0 ? '' : asOneLine(sentence);
      if (line.length > 6) {
        while (next < quoted.length && (quoted[next]?.end ?? 0) <= start) next += 1;
        const isQuoted = (quoted[next]?.start ?? text.length) <= start;
        const rank = rankOf(line, Math.abs(strength));
        order += 1;
        // Rules of an earlier record come from its list of rules alone.
        if (role === 'user' && strength > 0 && !isQuoted)
          rules.add(line, { text: line, rank, order });
        else remarks.add(line, { source, start, end: start + sentence.length, rank });
      }
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
  }
  return { rules: rules.best(), remarks: remarks.best() };
}

function rankOf(text: string, strength: number): number {
  return strength / (2 + estimateTokens(text));
}

interface Ranking<Item> {
  /** Adds an item, in place of an earlier one in the same words. */
  readonly add: (text: string, item: Item) => void;
  /** The items by rank, of equal ones the newer first. */
  readonly best: () => readonly Item[];
}

function ranking<Item extends { readonly rank: number }>(): Ranking<Item> {
  let items = new Map<string, Item>();
  const best = (): readonly [string, Item][] =>
    [...items]
      .toReversed()
      .toSorted(([, left], [, right]) => right.rank - left.rank)
      .slice(0, maxRules);
  return {
    add: (text, item) => {
      const key = text.toLowerCase();
      items.delete(key);
      items.set(key, item);
      if (items.size > 2 * maxRules) {
        const kept = new Set(best().map(([name]) => name));
        items = new Map([...items].filter(([name]) => kept.has(name)));
      }
    },
    best: () => best().map(([, item]) => item),
  };
}
