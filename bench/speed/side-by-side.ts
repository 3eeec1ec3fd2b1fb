import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { agentPrompt } from './bodies.ts';
import { timeOf, type Timing } from './harness.ts';

// Without it, it throws on text that looks like a special token.
const ordinaryText = { disallowedSpecial: new Set<string>() };

/** What somebody would do on every call in the package's place. */
const alternatives: Readonly<Record<string, (prompt: LanguageModelV4Prompt) => number>> = {
  'countTokens(JSON.stringify(prompt))': (prompt) =>
    countTokens(JSON.stringify(prompt), ordinaryText),
  'characters / 4 of JSON.stringify(prompt)': (prompt) => JSON.stringify(prompt).length / 4,
};

/** Times alternatives on the prompt that the paths of the package are timed on. */
export async function alternativeTimes(
  tokens: number,
): Promise<readonly (Timing & { readonly name: string })[]> {
  const body = JSON.stringify(agentPrompt(tokens));
  const rows: (Timing & { readonly name: string })[] = [];
  for (const [name, run] of Object.entries(alternatives))
    rows.push({ name, ...(await timeOf([body], run)) });
  return rows;
}
