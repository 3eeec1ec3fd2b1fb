import type { AssistantMessage, Message } from '../prompt/prompt-types.ts';
import { isObject } from '../util/is-object.ts';
import { firstThat, sumsFrom } from '../util/numbers.ts';
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
      // Where a stored record will be taken to end: behind a message that identifies the conversation.
      identity.indexAfter(identity.significantBefore(index)) === index,
  );
}

/** What a cut is chosen from. Tokens are of single messages unless said otherwise. */
export interface CutChoice {
  /** Tokens of each message of the conversation. */
  readonly messageTokens: readonly number[];
  /** Indexes at which a cut may be made, ascending. */
  readonly candidates: readonly number[];
  /** Tokens of the messages kept in front of the recent ones for a cut. */
  readonly keptTokens: (cut: number) => number;
  /** Messages to keep at the end. */
  readonly preserveRecent: number;
  /** Tokens up to which the recent messages grow beyond `preserveRecent`. */
  readonly preserveRecentTokens: number;
  /** Tokens that kept and recent messages may take together. */
  readonly budget: number;
}

/**
 * Chooses where the recent messages begin: `preserveRecent` of them and back to the next legal cut, more
 * while they fit their share, fewer while they do not fit the budget. `undefined` when there is nothing
 * to summarise.
 */
export async function chooseRecentMessages(input: CutChoice): Promise<number | undefined> {
  const { messageTokens, candidates, preserveRecent, keptTokens, budget } = input;
  const count = messageTokens.length;
  const recentTokens = sumsFrom(messageTokens);
  const tokensFrom = (cut: number): number => recentTokens[cut] ?? 0;
  let position = candidates.findLastIndex((cut) => count - cut >= preserveRecent);
  if (position === -1) {
    // The whole conversation is shorter than what it should keep.
    if (tokensFrom(0) <= budget) return undefined;
    position = 0;
  }
  while (position > 0 && tokensFrom(candidates[position - 1] ?? 0) <= input.preserveRecentTokens)
    position -= 1;
  // Recent messages that are too long by themselves need no look at what stands before it.
  const short = candidates.slice(position).filter((cut) => tokensFrom(cut) <= budget);
  const fits = (cut: number): boolean => keptTokens(cut) + tokensFrom(cut) <= budget;
  return (await firstThat(short, fits)) ?? candidates.at(-1);
}

/** An agent's wish for a summary, as its call of a tool and the result of that show it. */
export interface CompactRequest {
  /** Index in the conversation at which the recent messages are to begin. */
  readonly boundary: number;
  /** What the agent wants the summary to look to. */
  readonly instructions?: string | undefined;
}

/** User messages after which a wish lapses: a summary that cannot be made is not tried for ever. */
const mostUserMessages = 1;

/**
 * Finds the newest call of a tool that asks for a summary, behind the record that applies. A summary up to the
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
  const found = names.size === 0 ? undefined : newestCall(view.conversation, names, start);
  if (found === undefined) return undefined;
  const first = view.groups.startOf(found.index);
  const boundary = legalCuts(view, 0).findLast((cut) => cut <= first);
  if (boundary === undefined || boundary <= start) return undefined;
  const { input } = found.call;
  const instructions = isObject(input) ? input['instructions'] : undefined;
  return typeof instructions === 'string' && instructions.trim() !== ''
    ? { boundary, instructions }
    : { boundary };
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
        // One that failed or was denied asks for nothing.
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
