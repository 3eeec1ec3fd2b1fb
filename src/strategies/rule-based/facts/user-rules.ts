import type { TimeSlices } from '../../../util/time-slices.ts';
import { estimateTokens } from '../texts/estimate-tokens.ts';
import { asOneLine, sentencesOf } from '../texts/sentences.ts';
import type { SourceText } from '../texts/source-texts.ts';

/** A sentence in which the user states a rule. */
export interface UserRule {
  /** The sentence as the user wrote it, on one line. */
  readonly text: string;
  /** Higher for what forbids or demands outright, and for what takes fewer tokens. */
  readonly rank: number;
  /** Whether it speaks of the user, `I never fly on Sundays`, rather than to the agent. */
  readonly isRemark: boolean;
}

/** Words that forbid or demand. A word list, not a language model: what it misses is in the excerpts. */
const strong =
  /\b(?:never|must|mustn['’]?t|always|only|do(?: not|n['’]?t)|can(?:not|['’]t)|avoid|forbidden|prohibited|required|mandatory|niemals|immer|nur|jamais|toujours|seulement|nunca|siempre|solamente)\b|不要|必须|只能|禁止|始终|绝不|しない|必ず|하지 마|반드시|항상/i;
const weak =
  /\b(?:instead|without|ensure|make sure|should(?: not|n['’]?t)|no longer|at (?:least|most)|unless|except|prefer|requires?|exactly)\b/i;

const speaksOfSelf = /\b(?:I|we|We|my|My|our|Our)\b/;

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
): Promise<readonly UserRule[]> {
  const rules = new Map<string, UserRule>();
  const add = (text: string, strength: number): void => {
    const rank = strength / (2 + estimateTokens(text));
    const key = text.toLowerCase();
    const isRemark = speaksOfSelf.test(text);
    // The newest mention goes last, so that reversing puts it first.
    rules.delete(key);
    rules.set(key, { text, rank, isRemark });
    if (rules.size > 2 * maxRules) keepBest(rules);
  };
  for (const text of kept.toReversed()) add(text, keptBonus * (ruleStrength(text) || 1));
  for (const { role, text } of texts) {
    if (role !== 'user') continue;
    for (const sentence of sentencesOf(text)) {
      const strength = ruleStrength(sentence);
      const line = strength === 0 ? '' : asOneLine(sentence);
      if (line.length > 6) add(line, strength);
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
  }
  return byRank(rules).map(([, rule]) => rule);
}

function byRank(rules: ReadonlyMap<string, UserRule>): readonly [string, UserRule][] {
  return [...rules]
    .toReversed()
    .toSorted(([, left], [, right]) => right.rank - left.rank)
    .slice(0, maxRules);
}

function keepBest(rules: Map<string, UserRule>): void {
  const best = new Set(byRank(rules).map(([key]) => key));
  for (const key of rules.keys()) if (!best.has(key)) rules.delete(key);
}

/** 0 for a sentence that states no rule. */
function ruleStrength(sentence: string): number {
  if (strong.test(sentence)) return 1;
  return weak.test(sentence) ? 0.7 : 0;
}
