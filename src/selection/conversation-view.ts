import {
  identifyConversation,
  type ConversationIdentity,
} from '../identity/conversation-identity.ts';
import type { PrefixMemory } from '../identity/prefix-memory.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import { splitSystem, type SplitPrompt } from '../prompt/split-system.ts';
import { stateDialectOf, type StateDialect } from '../prompt/state-dialect.ts';
import { atomicGroups, type AtomicGroups } from './atomic-groups.ts';
import type { OwnCall } from '../options/call-options.ts';

/** The conversation of one call and what is known of its shape. */
export interface ConversationView extends SplitPrompt {
  readonly identity: ConversationIdentity;
  readonly groups: AtomicGroups;
  /** Indexes in the conversation of the messages that stay verbatim. */
  readonly pinned: ReadonlySet<number>;
  /** Whose options on messages change the state of the conversation. */
  readonly dialect: StateDialect | undefined;
  /** The tools of the call. */
  readonly tools: CallOptions['tools'];
}

/**
 * Reads the shape of a call's conversation, groups and pins not before somebody asks for them. A `pin`
 * function that throws pins nothing.
 */
export function viewConversation(
  own: OwnCall & { readonly model: ModelIdentity },
  pin: SummarizationOptions['pin'],
  onPinError: (error: unknown) => void,
  prefixes?: PrefixMemory,
): ConversationView {
  const { systems, conversation } = splitSystem(own.params.prompt);
  let groups: AtomicGroups | undefined;
  let pinned: ReadonlySet<number> | undefined;
  return {
    systems,
    conversation,
    identity: identifyConversation(conversation, prefixes),
    dialect: stateDialectOf(own.model),
    tools: own.params.tools,
    get groups(): AtomicGroups {
      groups ??= atomicGroups(conversation);
      return groups;
    },
    get pinned(): ReadonlySet<number> {
      pinned ??= new Set([
        ...own.pinnedMessages.map((index) => index - systems.length),
        ...(own.callOptions.pin ?? []).map((index) =>
          index < 0 ? conversation.length + index : index,
        ),
        ...pinnedBy(pin, conversation, onPinError),
      ]);
      return pinned;
    },
  };
}

function pinnedBy(
  pin: SummarizationOptions['pin'],
  conversation: readonly Message[],
  onPinError: (error: unknown) => void,
): readonly number[] {
  if (pin === undefined) return [];
  return conversation.flatMap((message, index) => {
    try {
      return pin(message) ? [index] : [];
    } catch (error) {
      onPinError(error);
      return [];
    }
  });
}
