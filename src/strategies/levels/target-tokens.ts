import type { SummaryLevel } from '../../record/summary-record.ts';

/** Share of its text that a summary of each level is asked for in. */
const levelShares: Readonly<Record<SummaryLevel, number>> = {
  NONE: 1,
  BRIEF: 0.2,
  STANDARD: 0.12,
  DETAILED: 0.07,
  HIERARCHICAL: 0.04,
};

/** What many models write at most in one answer; what is longer would be cut off. */
const maxTokens = 8000;

/** Tokens that the final summary of a text is asked for in. */
export function targetTokens(level: SummaryLevel, inputTokens: number): number {
  return Math.min(Math.ceil(inputTokens * levelShares[level]), maxTokens);
}

/** A sample shows the script of a text as well as the whole, which may be megabytes. */
const scriptSampleCharacters = 1000;

/** How many characters of a text's script make a token. */
export function charactersOfToken(text: string, count: (text: string) => number): number {
  const sample = text.slice(0, scriptSampleCharacters);
  return sample.length / Math.max(count(sample), 1);
}
