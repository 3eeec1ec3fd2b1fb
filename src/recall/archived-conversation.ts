import { storedConversation } from '../api/arguments/stored-conversation.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { readChain, readOriginals } from '../state/stored-conversation.ts';
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
  const { found, fault } = await storedConversation(options);
  if (found === undefined && fault() !== undefined) throw fault();
  if (found === undefined) return nothing;
  const { conversation, newest: kept } = found;
  const newest = kept.record.prefixDigest;
  if (newest === known?.newest) return known;
  const messages: (Message | undefined)[] = [];
  for (const { figures, from, archiveId } of (await readChain(conversation, kept)).toReversed()) {
    const archive = await readOriginals(conversation.place, archiveId);
    // What cannot be read now may be read later: it is not to count as lost.
    if (!archive.known) throw fault();
    const lost = Math.max(0, figures.coveredMessages - from - archive.messages.length);
    messages.push(
      ...archive.messages.map((each) => each?.message),
      ...Array.from({ length: lost }, () => undefined),
    );
  }
  return { newest, messages };
}
