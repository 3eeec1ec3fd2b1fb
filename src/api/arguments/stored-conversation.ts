import { conversationKeys } from '../../state/conversation-keys.ts';
import type { WholeRecord } from '../../state/document.ts';
import {
  newestRecord,
  readConversationState,
  type StoredConversation,
} from '../../state/stored-conversation.ts';
import { identityOfGiven, type GivenState } from './given-state.ts';
import { openState, type OpenState, type StateInput } from './state-input.ts';
import type { ConversationIdentity } from '../../identity/conversation-identity.ts';

/** What was found of a conversation. */
export interface FoundConversation extends Pick<OpenState, 'fault'> {
  /** What it says; `undefined` when it is given by its id. */
  readonly identity: ConversationIdentity | undefined;
  /** Its newest record; `undefined` where there is none. */
  readonly found?: { readonly conversation: StoredConversation; readonly newest: WholeRecord };
}

/** Finds the newest record of a conversation. */
export async function storedConversation(
  input: StateInput & GivenState,
): Promise<FoundConversation> {
  const identity = await identityOfGiven(input);
  const { stores, copy, fault } = openState(input);
  const names = conversationKeys(identity, input.conversationId);
  const conversation = await readConversationState({ stores, copy, names });
  const newest = await newestRecord(conversation, identity);
  return { identity, fault, ...(newest && { found: { conversation, newest } }) };
}
