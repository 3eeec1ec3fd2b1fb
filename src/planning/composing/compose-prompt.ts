import { injectSummary, type Placement } from './place-summary.ts';
import { renderSummary } from './render-summary.ts';
import {
  isConfigurationUpdate,
  messageState,
  withoutState,
  type StateDialect,
} from '../../prompt/messages/message-state.ts';
import type { Message, Prompt, SystemMessage } from '../../prompt/messages/prompt-types.ts';
import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import {
  carriedState,
  type CarriedState,
  keptMessages,
  type KeptMessages,
} from '../selection/kept-messages.ts';
import type { ConversationView, CutConversation } from '../selection/conversation-view.ts';

/** How records are written into prompts. */
export interface CompositionStyle {
  readonly placement: Placement;
  /** Characters of the user's summarized texts to repeat beside the summary; 0 for none. */
  readonly userTextCharacters: number;
}

/** The part of a conversation that a record stands for. */
export interface SummarizedPart {
  readonly record: SummaryRecord;
  /** Index in the conversation at which the recent messages begin. */
  readonly cut: number;
  /** Texts of the user to repeat beside the record, chosen already. */
  readonly userTexts?: readonly string[] | undefined;
  /** The composition with all messages, if some were left out only to make this prompt fit. */
  readonly instead?: { readonly of: Composition | undefined } | undefined;
}

/** A prompt in which a record stands for what it summarizes. */
export interface Composition extends SummarizedPart {
  readonly prompt: Prompt;
  /** The rendered summary. */
  readonly text: string;
}

/** Writes a record into the prompt in place of the messages before the cut. */
export function composePrompt(
  prompt: Omit<CutConversation, 'cut'> & Pick<ConversationView, 'systems'>,
  { placement, userTextCharacters }: CompositionStyle,
  part: SummarizedPart,
): Composition {
  const { systems, conversation, dialect } = prompt;
  const { record, cut } = part;
  const selection = { ...prompt, cut };
  const selected = keptMessages(selection);
  const state = carriedState(selection, selected);
  const kept = new Set(selected.indexes);
  const summarized = conversation.filter((_, index) => index < cut && !kept.has(index));
  const userMessages = part.userTexts ?? recentUserTexts(summarized, userTextCharacters);
  const text = renderedText(record, userMessages);
  const injected = injectSummary({
    text,
    placement,
    systems,
    summarized,
    kept: withState(selection, selected, state),
    recent: conversation.slice(cut),
  });
  return { ...part, prompt: placeUpdate(injected, state.ahead, dialect), text };
}

/** Texts of records, which are rendered for each call otherwise. */
const renderedTexts = new WeakMap<SummaryRecord, string>();

function renderedText(record: SummaryRecord, userMessages: readonly string[]): string {
  if (userMessages.length > 0) return renderSummary(record, userMessages);
  const text = renderedTexts.get(record) ?? renderSummary(record);
  renderedTexts.set(record, text);
  return text;
}

/** Returns the kept messages, with legal remains of the state of the others. */
function withState(
  { conversation, cut, dialect }: CutConversation,
  { indexes, stateAt }: KeptMessages,
  { ahead, behind, last }: CarriedState,
): readonly Message[] {
  const kept: (Message | undefined)[] = [ahead];
  for (const index of indexes) {
    const message = conversation[index];
    if (index === stateAt) kept.push(behind);
    kept.push(message && withoutState(message, dialect));
  }
  if (stateAt === cut) kept.push(behind);
  return [...kept, last].filter((message) => message !== undefined);
}

/** Returns the text of a user message. */
export function userText({ role, content }: Message): string {
  if (role !== 'user') return '';
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Returns the newest texts of the user that fit, oldest first. */
function recentUserTexts(messages: readonly Message[], characters: number): readonly string[] {
  const texts: string[] = [];
  let room = characters;
  for (const message of messages.toReversed()) {
    const text = userText(message);
    room -= text.length;
    if (room < 0) break;
    if (text !== '') texts.unshift(text);
  }
  return texts;
}

/**
 * Moves a configuration update to where it is legal: not first, because an update that the call itself asks for goes in
 * front of everything, and not beside another. It is merged with an update that follows, whose values take precedence.
 */
function placeUpdate(
  prompt: Prompt,
  update: SystemMessage | undefined,
  dialect: StateDialect | undefined,
): Prompt {
  if (update === undefined || !isConfigurationUpdate(update, dialect)) return prompt;
  const at = prompt.indexOf(update);
  const next = prompt[at + 1];
  if (isConfigurationUpdate(next, dialect)) {
    const merged = mergedUpdate(update, next, dialect);
    return placeUpdate(prompt.toSpliced(at, 2, merged), merged, dialect);
  }
  const before = prompt[at - 1];
  if (before !== undefined && !isConfigurationUpdate(before, dialect)) return prompt;
  const others = prompt.toSpliced(at, 1);
  // A user message follows it, or the summary is in one before it.
  const user = others.findIndex(({ role }) => role === 'user');
  return placeUpdate(others.toSpliced(user + 1, 0, update), update, dialect);
}

function mergedUpdate(
  earlier: SystemMessage,
  later: SystemMessage,
  dialect: StateDialect = 'openai',
): SystemMessage {
  const [before, after] = [earlier, later].map((message) => messageState(message, dialect));
  const additionalTools = after?.additionalTools ?? [];
  return {
    ...later,
    providerOptions: {
      ...later.providerOptions,
      [dialect]: {
        ...before?.update,
        ...after?.update,
        ...(additionalTools.length === 0 ? {} : { additionalTools }),
      },
    },
  };
}
