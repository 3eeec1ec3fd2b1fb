import type { Message } from '../../prompt/prompt-types.ts';
import { spareFrameTokens } from '../../sizing/size-rates.ts';
import type { CountedConversation } from './counted-conversation.ts';

/** How much of a conversation a prompt keeps. */
export interface KeptContent {
  /**
   * Tokens of messages, whole or shortened, and of repeated texts of the user, each counted as the
   * message it was, less what a frame may take. What else a record says does not count.
   */
  readonly tokens: number;
  readonly wholeMessages: number;
}

/** Sums up what a prompt keeps whose tail begins at `cut`. */
export async function keptContent(
  { messages, kept, count }: CountedConversation,
  cut: number,
  forms: ReadonlyMap<number, Message>,
  userTexts: readonly string[],
): Promise<KeptContent> {
  let tokens = 0;
  let wholeMessages = 0;
  const tail = messages.map((_, index) => index).slice(cut);
  for (const index of [...kept(cut), ...tail]) {
    const message = messages[index];
    if (message === undefined) continue;
    const form = forms.get(index) ?? message;
    tokens += (await count(form)) - spareFrameTokens;
    if (form === message) wholeMessages += 1;
  }
  for (const text of userTexts)
    tokens += (await count({ role: 'user', content: [{ type: 'text', text }] })) - spareFrameTokens;
  return { tokens, wholeMessages };
}

/** Whether a prompt keeps fewer tokens than another, or as many with fewer whole messages. */
export function keepsLess(one: KeptContent, other: KeptContent): boolean {
  return (
    one.tokens < other.tokens ||
    (one.tokens === other.tokens && one.wholeMessages < other.wholeMessages)
  );
}
