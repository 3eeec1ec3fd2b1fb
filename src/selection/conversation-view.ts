import {
  identifyConversation,
  type ConversationIdentity,
} from '../identity/conversation-identity.ts';
import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import { splitSystem, type SplitPrompt } from '../prompt/split-system.ts';
import { stateDialectOf, type StateDialect } from '../prompt/state-dialect.ts';
import { answeredAtOnce } from '../util/async/callbacks.ts';
import { runAtOnce, runInSlices, type Steps } from '../util/async/run-steps.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';
import { priorityOf, type Priority } from './message-priority.ts';
import { atomicGroups, groupSteps, type AtomicGroups } from './atomic-groups.ts';

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
  /** Finds groups and pins in slices; whoever asks for them without that waits for all of it. */
  readonly read: (slices: TimeSlices) => Promise<void>;
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
  const split = splitSystem(call.params.prompt);
  const { systems, conversation } = split;
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
      pinned ??= runAtOnce(pinSteps(call, split));
      return pinned;
    },
    read: async (slices) => {
      groups ??= await runInSlices(groupSteps(conversation), slices);
      pinned ??= await runInSlices(pinSteps(call, split), slices);
    },
  };
}

function* pinSteps(
  { pinnedMessages, callOptions, pin, onPinError }: ViewedCall,
  { systems, conversation }: SplitPrompt,
): Steps<ReadonlySet<number>> {
  const pinned = new Set([
    ...pinnedMessages.map((index) => index - systems.length),
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
    // What a caller's function takes is not known.
    yield;
  }
  if (errors.length > 0) onPinError(errors[0]);
  return pinned;
}
