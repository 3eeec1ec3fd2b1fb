import { identityOfGiven } from '../api/arguments/given-state.ts';
import { openState } from '../api/arguments/state-input.ts';
import { identifyConversation } from '../identity/conversation-identity.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { readOriginals } from '../state/changes/archive-place.ts';
import { newestDigest } from '../state/lookup/newest-digest.ts';
import { readChain } from '../state/lookup/record-chain.ts';
import { stateScope } from '../state/prefixes/state-scope.ts';
import type { RecallToolOptions } from './recall-tool-options.ts';

/** What was summarised away of a conversation, as far as it is archived. */
export interface ArchivedConversation {
  /** Names what it was read for: another one is another archive. */
  readonly newest: string | undefined;
  /** In their order; `undefined` where one is gone. */
  readonly messages: readonly (Message | undefined)[];
}

const nothing: ArchivedConversation = { newest: undefined, messages: [] };

/** Reads the archive of a conversation unless it is known already. */
export async function archivedConversation(
  options: RecallToolOptions,
  known: ArchivedConversation | undefined,
): Promise<ArchivedConversation> {
  const identity = await identityOfGiven(options);
  const { stores, copy, fault } = openState(options);
  const scope = stateScope(identity ?? identifyConversation([]), options.conversationId);
  for (const store of stores) {
    const place = { store, copy, scope, home: await scope.homeKey(store.keys) };
    const newest = await newestDigest(place, identity);
    if (newest === undefined) continue;
    if (newest === known?.newest) return known;
    const messages: (Message | undefined)[] = [];
    for (const { figures } of (await readChain(place, newest)).toReversed()) {
      const archive = await readOriginals(store, scope, figures.archiveId);
      // What cannot be read now may be read later: it is not to count as lost.
      if (!archive.known) throw fault();
      const lost = Math.max(0, figures.originalMessageIds.length - archive.messages.length);
      messages.push(
        ...archive.messages.map((each) => each?.message),
        ...Array.from({ length: lost }, () => undefined),
      );
    }
    return { newest, messages };
  }
  if (fault() !== undefined) throw fault();
  return nothing;
}
