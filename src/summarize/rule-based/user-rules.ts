import { estimateTokens } from './estimate-tokens.ts';
import { oneLine, sentencesOf } from './sentences.ts';
import type { SourceText } from './source-texts.ts';

/** A sentence in which the user states a rule. */
export interface UserRule {
  /** The sentence as the user wrote it, on one line. */
  readonly text: string;
  /** Higher for what forbids or demands outright, and for what takes fewer tokens. */
  readonly rank: number;
  /** Whether it speaks of the user, `I never fly on Sundays`, rather than to the agent. */
  readonly isRemark: boolean;
}

/** Words that forbid or demand. A word list, not a language model: what it misses is in the windows. */
const strong =
  /\b(?:never|must|mustn['’]?t|always|only|do(?: not|n['’]?t)|can(?:not|['’]t)|avoid|forbidden|prohibited|required|mandatory|niemals|immer|nur|jamais|toujours|seulement|nunca|siempre|solamente)\b|不要|必须|只能|禁止|始终|绝不|しない|必ず|하지 마|반드시|항상/i;
const weak =
  /\b(?:instead|without|ensure|make sure|should(?: not|n['’]?t)|no longer|at (?:least|most)|unless|except|prefer|requires?|exactly)\b/i;

const speaksOfSelf = /\b(?:I|we|We|my|My|our|Our)\b/;

/** A rule that has been kept once is not given up for one that is a word shorter. */
const keptBonus = 1.5;

/**
 * Finds the rules in what the user wrote and joins them with those of an earlier record, most important
 * first; of equal ones the shorter, then the newer.
 */
export function findUserRules(
  texts: readonly SourceText[],
  kept: readonly string[],
): readonly UserRule[] {
  const rules = new Map<string, UserRule>();
  const add = (text: string, strength: number): void => {
    const rank = strength / (2 + estimateTokens(text));
    const key = text.toLowerCase();
    const isRemark = speaksOfSelf.test(text);
    // The newest mention goes last, so that reversing puts it first.
    rules.delete(key);
    rules.set(key, { text, rank, isRemark });
  };
  for (const text of kept.toReversed()) add(text, keptBonus * (ruleStrength(text) || 1));
  for (const { role, text } of texts) {
    if (role !== 'user') continue;
    for (const sentence of sentencesOf(text)) {
      const strength = ruleStrength(sentence);
      if (strength === 0) continue;
      const line = oneLine(sentence);
      if (line.length > 6) add(line, strength);
    }
  }
  return [...rules.values()].toReversed().toSorted((left, right) => right.rank - left.rank);
}

/** 0 for a sentence that states no rule. */
function ruleStrength(sentence: string): number {
  if (strong.test(sentence)) return 1;
  return weak.test(sentence) ? 0.7 : 0;
}
