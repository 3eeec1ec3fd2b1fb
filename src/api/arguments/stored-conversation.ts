import { identifyConversation } from '../../identity/conversation-identity.ts';
import type { KnownPlace } from '../../state/lookup/known-record.ts';
import { newestDigest } from '../../state/lookup/newest-digest.ts';
import { stateScope } from '../../state/prefixes/state-scope.ts';
import { identityOfGiven, type GivenState } from './given-state.ts';
import { openState, type OpenState, type StateInput } from './state-input.ts';

/** What was found of a conversation. */
export interface StoredConversation extends Pick<OpenState, 'fault'> {
  /** Where it is, and the digest of what its newest record stands for; `undefined` where there is none. */
  readonly found?: { readonly place: KnownPlace; readonly newest: string } | undefined;
}

/** Finds the newest record of a conversation, with the current secret or the former one. */
export async function storedConversation(
  input: StateInput & GivenState,
): Promise<StoredConversation> {
  const identity = await identityOfGiven(input);
  const { stores, copy, fault } = openState(input);
  const scope = stateScope(identity ?? identifyConversation([]), input.conversationId);
  for (const store of stores) {
    const place = { store, copy, scope, home: await scope.homeKey(store.keys) };
    const newest = await newestDigest(place, identity);
    if (newest !== undefined) return { found: { place, newest }, fault };
  }
  return { fault };
}
