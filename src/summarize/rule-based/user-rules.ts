import { estimateTokens } from './estimate-tokens.ts';
import type { SourceText } from './source-texts.ts';

/** A sentence in which the user states a rule. */
export interface UserRule {
  /** The sentence as the user wrote it, on one line. */
  readonly text: string;
  /** Higher for what forbids or demands outright. */
  readonly rank: number;
  /** Position of the message. */
  readonly index: number;
}

/** Longer sentences are logs and code. */
const maxSentenceCharacters = 400;

/** Words that forbid or demand. A word list, not a language model: what it misses is in the windows. */
const strong: ReadonlySet<string> = new Set(
  (
    'never must mustn always only don dont cannot avoid forbidden prohibited required mandatory ' +
    'niemals immer nur jamais toujours seulement nunca siempre solamente'
  ).split(' '),
);
const weak: ReadonlySet<string> = new Set(
  'instead without ensure shouldn unless except prefer required require requires exactly'.split(
    ' ',
  ),
);
const phrases: readonly string[] = [
  'do not',
  'make sure',
  'no longer',
  'can’t',
  "can't",
  'at least',
  'at most',
  'should not',
];
const unspacedPhrases: readonly string[] = [
  '不要',
  '必须',
  '只能',
  '禁止',
  '始终',
  '绝不',
  'しない',
  '必ず',
  '하지 마',
  '반드시',
  '항상',
];

/** Finds the rules in what the user wrote, most important first; of equal ones the shorter. */
export function findUserRules(texts: readonly SourceText[]): readonly UserRule[] {
  const rules = new Map<string, UserRule>();
  for (const { role, text, index } of texts) {
    if (role !== 'user') continue;
    for (const sentence of sentencesOf(text)) {
      const strength = ruleStrength(sentence);
      if (strength === 0) continue;
      rules.set(sentence.toLowerCase(), {
        text: sentence,
        rank: strength / (8 + estimateTokens(sentence)),
        index,
      });
    }
  }
  return [...rules.values()].toSorted(
    (left, right) => right.rank - left.rank || right.index - left.index,
  );
}

/** Sentences of at most 400 characters, white space collapsed. Longer ones are passed over. */
export function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  const add = (end: number): void => {
    if (end - start <= maxSentenceCharacters) {
      const sentence = text.slice(start, end).trim().replaceAll(/\s+/g, ' ');
      if (sentence.length > 1) sentences.push(sentence);
    }
    start = end;
  };
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === 10) add(position + 1);
    else if ((code === 46 || code === 33 || code === 63) && text.charCodeAt(position + 1) <= 32)
      add(position + 1);
    else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) add(position + 1);
  }
  add(text.length);
  return sentences;
}

/** 0 for a sentence that states no rule. */
function ruleStrength(sentence: string): number {
  const lowered = sentence.toLowerCase();
  const words = lowered.match(/[\p{L}]+/gu) ?? [];
  // "I don't know" is no rule, but two words more may be one; a line of code hardly ever is.
  if (unspacedPhrases.some((phrase) => lowered.includes(phrase))) return 1;
  if (words.length < 3) return 0;
  if (words.some((word) => strong.has(word))) return 1;
  if (phrases.some((phrase) => lowered.includes(phrase))) return 0.9;
  return words.some((word) => weak.has(word)) ? 0.7 : 0;
}
