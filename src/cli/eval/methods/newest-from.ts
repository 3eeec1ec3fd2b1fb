import { countPromptTokens } from '../../../api/count-prompt-tokens.ts';
import type { Message } from '../../../prompt/prompt-types.ts';
import { sumsFrom } from '../../../util/numbers.ts';

/** Where the newest messages begin that take at most some tokens; with one of the user, as providers want it. */
export function newestFrom(
  messages: readonly Message[],
  tokens: readonly number[],
  most: number,
): number {
  const sizes = sumsFrom(tokens);
  const first = messages.findIndex(
    ({ role }, index) => role === 'user' && (sizes[index] ?? 0) <= most,
  );
  return first === -1 ? messages.length : first;
}

export async function tokensOfEach(prompt: readonly Message[]): Promise<readonly number[]> {
  return (await countPromptTokens({ prompt })).perMessage;
}
