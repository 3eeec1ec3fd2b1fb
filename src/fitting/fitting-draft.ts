import type { CountedConversation } from './zones/counted-conversation.ts';
import { keptContent, type KeptContent } from './zones/kept-content.ts';
import { userWords } from './zones/user-words.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { shrinkMessage } from './zones/shrink-messages.ts';
import { composePrompt, type Composition, type CoveredPart } from '../composing/compose-prompt.ts';
import type { CallInspection } from '../call/read-call.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import { trimRecord } from './trim-record.ts';

/** A prompt that is too long. */
export interface FittingTask {
  /** The call, with the record that applies as its composition. */
  readonly inspection: CallInspection;
  readonly measure: TokenMeasure;
  readonly conversation: CountedConversation;
  /** Tokens that the whole prompt may take. */
  readonly target: number;
  /** Characters that a shortened text keeps at the least. */
  readonly leastCharacters: number;
}

/** A prompt whose older messages were shortened or left out. */
export interface ShortenedPrompt {
  readonly prompt: readonly Message[];
  /** Indexes in the prompt of the messages that were shortened. */
  readonly shortenedMessages: readonly number[];
  readonly composition: Composition | undefined;
}

/** One that may be sent, and what it comes to. */
export interface FittingDraft extends ShortenedPrompt {
  /** Index in the conversation at which the tail begins. */
  readonly cut: number;
  readonly fits: boolean;
  /** Tokens of the target that are left, unscaled. */
  readonly left: number;
  readonly kept: KeptContent;
}

/** Writes a prompt with other forms of some messages of its tail, by index. */
export async function writeDraft(
  { inspection, measure, conversation, target }: FittingTask,
  covered: CoveredPart | undefined,
  forms: ReadonlyMap<number, Message>,
): Promise<FittingDraft> {
  const { params, view, style } = inspection;
  const { messages } = conversation;
  const given = messages.map((message, index) => forms.get(index) ?? message);
  const composition = covered && composePrompt({ ...view, conversation: given }, style, covered);
  const prompt = composition?.prompt ?? [...view.systems, ...given];
  await measure.count(prompt, params.abortSignal);
  const left = measure.unscaled.room(target) - measure.unscaled.prompt(prompt);
  const cut = covered?.cut ?? 0;
  return {
    prompt,
    // The tail is the end of the prompt, whatever stands in front of it.
    shortenedMessages: given.flatMap((message, index) =>
      message === messages[index] ? [] : [prompt.length - messages.length + index],
    ),
    composition,
    cut,
    fits: left >= 0 && measure.prompt(prompt) <= target,
    left,
    kept: await keptContent(conversation, cut, forms, covered?.userTexts ?? []),
  };
}

/**
 * Writes what stands in front of a tail that begins at `cut`: a record that names what is left out, with
 * as many of the user's words as `room` tokens hold.
 *
 * @returns `undefined` for nothing.
 */
export async function coverUpTo(
  { inspection, conversation, leastCharacters }: FittingTask,
  cut: number,
  room: number,
): Promise<CoveredPart | undefined> {
  const { messages, start, kept, count } = conversation;
  const { composition } = inspection;
  if (cut === start) return composition;
  const sent = new Set(kept(cut));
  const leftOut = messages
    .slice(start, cut)
    .filter((_, index) => !sent.has(start + index))
    .map((message) => shrinkMessage(message, leastCharacters));
  return {
    record: await trimRecord(inspection, composition, cut, true),
    cut,
    userTexts: await userWords(leftOut, room, count),
    instead: { of: composition },
  };
}
