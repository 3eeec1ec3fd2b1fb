import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';

/** The messages that a record newly stands for; `undefined` where not all of them are sent. */
export async function sentOriginals(
  { coveredMessages, originalMessageIds, prefixDigest }: SummaryRecord,
  sent: {
    readonly identity: ConversationIdentity;
    readonly conversation: readonly Message[];
  },
): Promise<readonly Message[] | undefined> {
  const { identity, conversation } = sent;
  const before = coveredMessages - originalMessageIds.length;
  if (before < identity.significantBefore(0)) return undefined;
  const [start, end] = [identity.indexAfter(before), identity.indexAfter(coveredMessages)];
  const isOurs = (await identity.prefixDigest(coveredMessages)) === prefixDigest;
  return isOurs && start !== undefined ? conversation.slice(start, end) : undefined;
}
