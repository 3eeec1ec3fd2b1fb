import {
  identifyConversation,
  type ConversationIdentity,
} from '../identity/conversation-identity.ts';
import { stateDialectOf, type StateDialect } from '../prompt/message-state.ts';
import {
  splitSystem,
  type CallOptions,
  type Message,
  type ModelIdentity,
  type SplitPrompt,
} from '../prompt/prompt-types.ts';
import { answeredAtOnce } from '../util/async/callbacks.ts';
import { atomicGroups, type AtomicGroups } from './atomic-groups.ts';

/** How much a message matters: what matters less gives way first. */
export type Priority = (message: Message) => number;

/** The conversation of one call and what is known of its shape. */
export interface ConversationView extends SplitPrompt {
  readonly identity: ConversationIdentity;
  readonly groups: AtomicGroups;
  /** Indexes in the conversation of the messages that stay verbatim. */
  readonly pinned: ReadonlySet<number>;
  /** How much a message matters. Does not throw. */
  readonly priority: Priority;
  /** Whose options on messages change the state of the conversation. */
  readonly dialect: StateDialect | undefined;
  /** The tools of the call. */
  readonly tools: CallOptions['tools'];
}

/** A conversation, what must not be taken apart or left out of it, and where its recent messages begin. */
export interface CutConversation extends Pick<
  ConversationView,
  'conversation' | 'groups' | 'pinned' | 'dialect' | 'tools'
> {
  readonly cut: number;
}

/** A call whose conversation is to be read. */
export interface ViewedCall {
  readonly params: Pick<CallOptions, 'prompt' | 'tools'>;
  readonly model: ModelIdentity;
  /** Indexes in the prompt of messages that are pinned themselves. */
  readonly pinnedMessages: readonly number[];
  /** Indexes that the call pins: from the end when negative, leading system messages not counted. */
  readonly callOptions: { readonly pin?: readonly number[] | undefined };
  /** Whether a message is never summarised. One that throws, or answers with a promise, pins nothing. */
  readonly pin: ((message: Message) => boolean) | undefined;
  /** Told once of what went wrong with messages, however many they are. */
  readonly onPinError: (error: unknown) => void;
  /** @default by what a message is */
  readonly priority?: Priority | undefined;
}

/**
 * Reads the shape of a call's conversation, groups and pins not before somebody asks for them.
 *
 * @param identity - Default: that of what is sent.
 */
export function viewConversation(
  call: ViewedCall,
  identity?: ConversationIdentity,
): ConversationView {
  const { systems, conversation } = splitSystem(call.params.prompt);
  let groups: AtomicGroups | undefined;
  let pinned: ReadonlySet<number> | undefined;
  return {
    systems,
    conversation,
    identity: identity ?? identifyConversation(conversation),
    priority: priorityOf(call.priority),
    dialect: stateDialectOf(call.model),
    tools: call.params.tools,
    get groups(): AtomicGroups {
      groups ??= atomicGroups(conversation);
      return groups;
    },
    get pinned(): ReadonlySet<number> {
      pinned ??= pinnedIndexes(call, systems.length, conversation);
      return pinned;
    },
  };
}

function pinnedIndexes(
  { pinnedMessages, callOptions, pin, onPinError }: ViewedCall,
  start: number,
  conversation: readonly Message[],
): ReadonlySet<number> {
  const pinned = new Set([
    ...pinnedMessages.map((index) => index - start),
    ...(callOptions.pin ?? []).map((index) => (index < 0 ? conversation.length + index : index)),
  ]);
  if (pin === undefined) return pinned;
  const errors: unknown[] = [];
  for (const [index, message] of conversation.entries()) {
    try {
      const answer: unknown = pin(message);
      const isPinned = answeredAtOnce(answer);
      if (isPinned !== answer) throw new TypeError('pin returns a boolean, at once.');
      if (isPinned) pinned.add(index);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) onPinError(errors[0]);
  return pinned;
}

/** A caller's priorities, those by what a message is where it gives none: no number, or an error. */
export function priorityOf(given: Priority | undefined): Priority {
  if (given === undefined) return defaultPriority;
  return (message) => {
    try {
      const priority = answeredAtOnce(given(message));
      if (typeof priority === 'number' && !Number.isNaN(priority)) return priority;
    } catch {
      // The default counts.
    }
    return defaultPriority(message);
  };
}

/**
 * How much a message matters by what it is: what the user said 4, a tool's error 3, what the assistant said 1, what else a
 * tool printed 0. Rules of the user count above all of them and decisions between errors and the assistant's other words,
 * in a record, which takes sentences.
 */
export function defaultPriority(message: Message): number {
  if (message.role === 'assistant') return 1;
  if (message.role !== 'tool') return 4;
  const isError = message.content.some(
    (part) => part.type === 'tool-result' && part.output.type.startsWith('error'),
  );
  return isError ? 3 : 0;
}
