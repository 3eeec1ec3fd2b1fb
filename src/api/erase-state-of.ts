import { checkThat } from '../checks/check-object.ts';
import { integer, type OptionRule } from '../checks/option-rule.ts';
import { identifyConversation } from '../identity/conversation-identity.ts';
import { splitSystem } from '../prompt/split-system.ts';
import { eraseState } from '../state/erase-state.ts';
import { stateScope } from '../state/state-scope.ts';
import { retentionMs } from '../stores/retention.ts';
import { checkMessages } from './check-messages.ts';
import { readMessages, type Conversation } from './given-conversation.ts';
import { checkStateInput, openState, storeFailure, type StateInput } from './state-input.ts';

/** Input of `eraseConversation`: the conversation by one of the two. */
export type EraseConversationInput = StateInput & {
  /**
   * The `retentionMs` of the middleware: for so long nothing brings back what is erased.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
} & (
    | {
        /** The `conversationId` that its calls carry: all that is stored under it goes. */
        readonly conversationId: string;
        readonly messages?: undefined;
      }
    | {
        /** Of a conversation without an id, all messages, as its last call sent them. */
        readonly messages: Conversation;
        readonly conversationId?: undefined;
      }
  );

/** What `eraseConversation` did. */
export interface EraseConversationResult {
  /** Records that were erased. */
  readonly records: number;
}

const rules: Readonly<Record<'conversationId' | 'messages' | 'retentionMs', OptionRule>> = {
  retentionMs: integer(60_000),
  conversationId: {
    allowed: 'a string that is not empty',
    accepts: (value) => typeof value === 'string' && value !== '',
  },
  // Checked in words of its own.
  messages: { allowed: '', accepts: () => true },
};

/** The part of `eraseConversation` that loads when it is called. */
export async function eraseStateOf(
  input: EraseConversationInput,
): Promise<EraseConversationResult> {
  checkStateInput(input, rules);
  const { conversationId, messages, retentionMs: ttlMs = retentionMs } = input;
  const isOne = (conversationId === undefined) !== (messages === undefined);
  checkThat(isOne, 'conversationId', conversationId, 'given, or messages, and not both');
  const identity = messages === undefined ? undefined : await identityOf(messages);
  const { stores, copy, fault } = openState(input);
  let records = 0;
  for (const store of stores) {
    const scope = stateScope(identity ?? identifyConversation([]), conversationId);
    const erased = await eraseState({ store, copy, scope, identity, ttlMs });
    records += erased.records;
    if (!erased.isConfirmed)
      throw storeFailure('The store did not confirm that all was erased.', fault());
  }
  return { records };
}

async function identityOf(
  messages: Conversation,
): Promise<ReturnType<typeof identifyConversation>> {
  checkMessages(messages, 'messages');
  const { prompt } = await readMessages(messages);
  return identifyConversation(splitSystem(prompt).conversation);
}
