import type { AssistantMessage, Message } from '../../prompt/messages/prompt-types.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import type { ConversationView } from './conversation-view.ts';

/**
 * Messages that identify the beginning of a conversation: its state is filed under the digest of this many.
 * Two, because a first message alone ("Hello") is shared by too many conversations; and so the least a
 * summary may stand for.
 */
export const openingMessages = 2;

/** The least number of recent messages that ever stay. */
const leastRecentMessages = 2;

/**
 * The indexes at which the next record may end, ascending: past the last record and the opening messages,
 * before a call that waits for its result, with recent messages left.
 *
 * @param start - Index of the first message that no record stands for.
 */
export function legalCuts(
  { conversation, groups, identity }: ConversationView,
  start: number,
): readonly number[] {
  const opening = identity.indexAfter(openingMessages) ?? Number.POSITIVE_INFINITY;
  const first = Math.max(start + 1, opening);
  const last = Math.min(groups.firstUnanswered, conversation.length - leastRecentMessages);
  return groups.boundaries.filter(
    (index) =>
      index >= first &&
      index <= last &&
      // The end of a future record: after a message that identifies the conversation.
      identity.indexAfter(identity.significantBefore(index)) === index,
  );
}

/** An agent's wish for a summary, as its call of a tool and the result of that show it. */
export interface CompactRequest {
  /** Index in the conversation at which the recent messages are to begin. */
  readonly boundary: number;
  /** Guidance of the agent for the summary. */
  readonly instructions?: string | undefined;
}

/** User messages after which a wish lapses: a summary that cannot be made is not tried for ever. */
const mostUserMessages = 1;

/**
 * Finds the newest call of a tool that asks for a summary, after the record that applies. A summary up to the
 * last legal cut before the call answers it: looked for among all cuts, so that it is the same one in every
 * step, process and retry.
 *
 * @param names - Names of the tools that ask for a summary, as the application offers them in this call.
 * @param start - Index of the first message that no record stands for.
 */
export function compactRequest(
  view: ConversationView,
  names: ReadonlySet<string>,
  start: number,
): CompactRequest | undefined {
  const found = newestCall(view.conversation, names, start);
  if (found === undefined) return undefined;
  const first = view.groups.startOf(found.index);
  const boundary = legalCuts(view, 0).findLast((cut) => cut <= first);
  if (boundary === undefined || boundary <= start) return undefined;
  const { input } = found.call;
  const instructions = isObject(input) ? input['instructions'] : undefined;
  return typeof instructions === 'string' ? { boundary, instructions } : { boundary };
}

type CallPart = Extract<AssistantMessage['content'][number], { type: 'tool-call' }>;

function newestCall(
  conversation: readonly Message[],
  names: ReadonlySet<string>,
  start: number,
): { readonly index: number; readonly call: CallPart } | undefined {
  const carriedOut = new Set<string>();
  let users = 0;
  for (let index = conversation.length - 1; index >= start; index -= 1) {
    const message = conversation[index];
    if (message?.role === 'user') users += 1;
    if (users > mostUserMessages) return undefined;
    if (message?.role === 'tool')
      for (const part of message.content)
        // A call that failed or was denied asks for nothing.
        if (part.type === 'tool-result' && ['text', 'json'].includes(part.output.type))
          carriedOut.add(part.toolCallId);
    if (message?.role !== 'assistant') continue;
    const call = message.content.findLast(
      (part): part is CallPart =>
        part.type === 'tool-call' && names.has(part.toolName) && carriedOut.has(part.toolCallId),
    );
    if (call !== undefined) return { index, call };
  }
  return undefined;
}
