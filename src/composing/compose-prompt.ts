import { injectSummary } from './inject-summary.ts';
import { placeUpdate } from './place-state.ts';
import { renderSummary } from './render-summary.ts';
import type { Placement } from './resolve-placement.ts';
import { withoutState } from '../prompt/message-state.ts';
import type { Message, Prompt } from '../prompt/prompt-types.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { carriedState } from '../selection/carried-state.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import type { TimeSlices } from '../util/time-slices.ts';
import type { ConversationView } from '../selection/conversation-view.ts';

/** How records are written into prompts. */
export interface CompositionStyle {
  readonly placement: Placement;
  /** Characters of the user's covered texts to repeat beside the summary; 0 for none. */
  readonly userTextCharacters: number;
}

/** The part of a conversation that a record stands for. */
export interface CoveredPart {
  readonly record: SummaryRecord;
  /** Index in the conversation at which the tail begins. */
  readonly cut: number;
  /** Texts of the user to repeat beside the record, chosen already. */
  readonly userTexts?: readonly string[] | undefined;
  /** Where messages were left out only to make this prompt fit: the composition without that. */
  readonly instead?: { readonly of: Composition | undefined } | undefined;
}

/** A prompt in which a record stands for what it covers. */
export interface Composition extends CoveredPart {
  readonly prompt: Prompt;
  /** The rendered summary as it stands in the prompt. */
  readonly text: string;
}

/** Writes a record into the prompt in place of the messages before the cut. */
export async function composePrompt(
  view: Omit<ConversationView, 'identity'>,
  style: CompositionStyle,
  { record, cut, userTexts, instead }: CoveredPart,
  { pause }: TimeSlices,
): Promise<Composition> {
  const { systems, conversation } = view;
  const covered = conversation.slice(0, cut);
  const selection = { ...view, cut };
  const kept = keptMessages(selection);
  const { indexes, stateAt } = kept;
  await pause();
  const { ahead, behind, last } = carriedState(selection, kept);
  await pause();
  const keptIndexes = new Set(indexes);
  const replaced =
    indexes.length === 0 ? covered : covered.filter((_, index) => !keptIndexes.has(index));
  const userMessages = userTexts ?? recentUserTexts(replaced, style.userTextCharacters);
  const text =
    userMessages.length > 0 ? renderSummary(record, { userMessages }) : renderedAlone(record);
  await pause();
  const prompt = injectSummary({
    text,
    placement: style.placement,
    systems,
    covered: replaced,
    kept: [
      ...present(ahead),
      ...indexes.flatMap((index) => {
        const message = covered[index];
        if (message === undefined) return [];
        return [...(index === stateAt ? present(behind) : []), withoutState(message, view.dialect)];
      }),
      ...(stateAt === cut ? present(behind) : []),
      ...present(last),
    ],
    tail: conversation.slice(cut),
  });
  return {
    prompt: placeUpdate(prompt, ahead, view.dialect),
    text,
    record,
    cut,
    userTexts,
    instead,
  };
}

function present(message: Message | undefined): readonly Message[] {
  return message === undefined ? [] : [message];
}

const rendered = new WeakMap<SummaryRecord, string>();

/** Every call of a conversation renders the record that stands in it. */
function renderedAlone(record: SummaryRecord): string {
  const text = rendered.get(record) ?? renderSummary(record);
  rendered.set(record, text);
  return text;
}

/** The user's texts among the messages, newest first as long as they fit, returned oldest first. */
function recentUserTexts(messages: readonly Message[], characters: number): readonly string[] {
  const texts: string[] = [];
  let room = characters;
  if (room === 0) return texts;
  for (const message of messages.toReversed()) {
    if (message.role !== 'user') continue;
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    room -= text.length;
    if (room < 0) break;
    if (text !== '') texts.unshift(text);
  }
  return texts;
}
