import { checkThat } from '../../checks/check-object.ts';
import { anyText, checkedElsewhere, type OptionRule } from '../../checks/option-rule.ts';
import {
  identifyConversation,
  type ConversationIdentity,
} from '../../identity/conversation-identity.ts';
import { splitSystem } from '../../prompt/prompt-types.ts';
import { checkMessages } from './check-messages.ts';
import { readMessages, type Conversation } from './given-conversation.ts';
import { standInTools } from './stand-in-tools.ts';

/** Whose state it is: a conversation, by one of the two. */
export type GivenState =
  | {
      /** The `conversationId` that its calls carry. */
      readonly conversationId: string;
      readonly messages?: undefined;
    }
  | {
      /** Of a conversation without an id, all messages, as its last call sent them. */
      readonly messages: Conversation;
      readonly conversationId?: undefined;
    };

/** Rules of what {@link GivenState} adds to an input. */
export const givenStateRules: Readonly<Record<keyof GivenState, OptionRule>> = {
  conversationId: anyText,
  messages: checkedElsewhere,
};

/**
 * The identity of a conversation that is given by its messages; `undefined` for one that is given by its id.
 *
 * @throws {SummarizationOptionError} when it is given by both or none, or a message cannot be read.
 */
export async function identityOfGiven({
  conversationId,
  messages,
}: Pick<Partial<GivenState>, 'conversationId' | 'messages'>): Promise<
  ConversationIdentity | undefined
> {
  const isOne = (conversationId === undefined) !== (messages === undefined);
  checkThat(isOne, 'conversationId', conversationId, 'given, or messages, and not both');
  if (messages === undefined) return undefined;
  checkMessages(messages, 'messages');
  const prompt = await readMessages(messages, 'messages', standInTools(messages));
  return identifyConversation(splitSystem(prompt).conversation);
}
