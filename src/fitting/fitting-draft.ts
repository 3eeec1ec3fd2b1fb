import {
  composePrompt,
  type Composition,
  type SummarisedPart,
} from '../composing/compose-prompt.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { spareFrameTokens } from '../sizing/size-rates.ts';
import type { CountedConversation, CountedTask } from './counted-conversation.ts';

/** A prompt whose older messages were shortened or left out. */
export interface ShortenedPrompt {
  readonly prompt: readonly Message[];
  /** Indexes in the prompt of the messages that were shortened. */
  readonly shortenedMessages: readonly number[];
  readonly composition: Composition | undefined;
}

/** One that may be sent, and what it comes to. */
export interface FittingDraft extends ShortenedPrompt {
  /** Index in the conversation at which the recent messages begin. */
  readonly cut: number;
  readonly fits: boolean;
  /** Tokens of the target that are left, unscaled. */
  readonly left: number;
  readonly kept: KeptContent;
}

/** How much of a conversation a prompt keeps. */
export interface KeptContent {
  /** Texts of the user that the record repeats. */
  readonly repeated: number;
  /**
   * Tokens of messages, whole or shortened, and of repeated texts of the user, each counted as the
   * message it was, less what a frame may take. What else a record says does not count.
   */
  readonly tokens: number;
  readonly wholeMessages: number;
}

/** Writes a prompt with other forms of some of its recent messages, by index. */
export async function writeDraft(
  { view, style, measure, conversation, target, abortSignal }: CountedTask,
  part: SummarisedPart | undefined,
  forms: ReadonlyMap<number, Message>,
): Promise<FittingDraft> {
  const { messages } = conversation;
  const given = messages.map((message, index) => forms.get(index) ?? message);
  await conversation.pause();
  const composition =
    part && (await composePrompt({ ...view, conversation: given }, style, part, conversation));
  await conversation.pause();
  const prompt = composition?.prompt ?? [...view.systems, ...given];
  await measure.count(prompt, abortSignal);
  const left = measure.unscaled.room(target) - measure.unscaled.prompt(prompt);
  const cut = part?.cut ?? 0;
  return {
    prompt,
    // The recent messages are the end of the prompt, whatever stands in front of them.
    shortenedMessages: given.flatMap((message, index) =>
      message === messages[index] ? [] : [prompt.length - messages.length + index],
    ),
    composition,
    cut,
    fits: left >= 0 && measure.prompt(prompt) <= target,
    left,
    kept: await keptContent(conversation, cut, forms, part?.userTexts ?? []),
  };
}

async function keptContent(
  { messages, kept, count }: CountedConversation,
  cut: number,
  forms: ReadonlyMap<number, Message>,
  userTexts: readonly string[],
): Promise<KeptContent> {
  let tokens = 0;
  let wholeMessages = 0;
  const recent = messages.map((_, index) => index).slice(cut);
  for (const index of [...kept(cut), ...recent]) {
    const message = messages[index];
    if (message === undefined) continue;
    const form = forms.get(index) ?? message;
    tokens += (await count(form)) - spareFrameTokens;
    if (form === message) wholeMessages += 1;
  }
  for (const text of userTexts)
    tokens += (await count({ role: 'user', content: [{ type: 'text', text }] })) - spareFrameTokens;
  return { tokens, wholeMessages, repeated: userTexts.length };
}

/** Tokens that texts of the user take as JSON, beyond their own, and the ends that nothing fits into. */
const repeatingTokens = 16;

/**
 * Whether a prompt keeps fewer tokens than another, or as many with fewer whole messages. What the user said is worth
 * more than the few tokens that it takes to repeat any of it.
 */
export function keepsLess(one: KeptContent, other: KeptContent): boolean {
  if (one.repeated > 0 && other.repeated === 0) return one.tokens + repeatingTokens < other.tokens;
  return (
    one.tokens < other.tokens ||
    (one.tokens === other.tokens && one.wholeMessages < other.wholeMessages)
  );
}
