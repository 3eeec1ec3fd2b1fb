import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { agentPrompt } from './bodies.ts';
import { timeOf, type Timing } from './harness.ts';

// Without it, it throws on text that looks like a special token.
const ordinaryText = { disallowedSpecial: new Set<string>() };

/** What somebody would do on every call in the package's place. */
export interface Alternative {
  readonly name: string;
  readonly run: (prompt: LanguageModelV4Prompt) => unknown;
}

/** Those that need nothing installed; others are added by whoever has them. */
export const alternatives: readonly Alternative[] = [
  {
    name: 'countTokens(JSON.stringify(prompt))',
    run: (prompt) => countTokens(JSON.stringify(prompt), ordinaryText),
  },
  {
    name: 'characters / 4 of JSON.stringify(prompt)',
    run: (prompt) => JSON.stringify(prompt).length / 4,
  },
];

/** Times alternatives on the prompt that the paths of the package are timed on. */
export async function alternativeTimes(
  tokens: number,
  others: readonly Alternative[] = [],
): Promise<readonly (Timing & { readonly name: string })[]> {
  const body = JSON.stringify(agentPrompt(tokens));
  const rows: (Timing & { readonly name: string })[] = [];
  for (const { name, run } of [...alternatives, ...others])
    rows.push({ name, ...(await timeOf([body], run)) });
  return rows;
}
