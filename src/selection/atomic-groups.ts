import type { AssistantMessage, Message, ToolMessage } from '../prompt/prompt-types.ts';
import { isObject } from '../util/is-object.ts';
import { countUpTo } from '../util/numbers.ts';

/** How a conversation may be cut without breaking what belongs together. */
export interface AtomicGroups {
  /** Start index of the group that holds a message. */
  readonly startOf: (index: number) => number;
  /** Index after the group that holds a message. */
  readonly endOf: (index: number) => number;
  /** Index of the last user message up to an index. */
  readonly lastUserAt: (index: number) => number | undefined;
  /** Index of the first user message from an index on. */
  readonly nextUserFrom: (index: number) => number | undefined;
  /** Indexes at which a cut leaves every group whole, ascending; a cut at `k` keeps `k` and later. */
  readonly boundaries: readonly number[];
  /** Whether a cut at an index leaves every group whole. */
  readonly isBoundary: (index: number) => boolean;
  /** Indexes of system messages, ascending: their texts are kept whatever is cut. */
  readonly systemMessages: readonly number[];
  /** No cut may lie beyond this index: the first call that waits for its result stands there. */
  readonly firstUnanswered: number;
}

/**
 * Finds the groups providers insist on: a tool call with its results and approvals, parallel calls of
 * one message, calls made from inside a code-execution call, a provider-executed call whose result came
 * in a later message, and reasoning that precedes the item it produced.
 */
// oxlint-disable-next-line max-lines-per-function -- what is read is needed together
export function atomicGroups(conversation: readonly Message[]): AtomicGroups {
  const { length } = conversation;
  // The last message that belongs together with each, as far as a join that begins there says. Ranges are marked by their
  // ends alone: thousands of late results each join thousands of messages.
  const reach = new Uint32Array(length);
  const join = (first: number, last: number): void => {
    reach[first] = Math.max(reach[first] ?? 0, last);
  };
  // Indexes of calls by their ids, and of those that wait for their results.
  const calls = new Map<string, number>();
  const open = new Map<string, number>();
  const users: number[] = [];
  const systemMessages: number[] = [];
  for (const [index, message] of conversation.entries()) {
    if (message.role === 'user') users.push(index);
    if (message.role === 'system') systemMessages.push(index);
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    if (message.role === 'tool' && index > 0) join(index - 1, index);
    if (endsWithReasoning(message) && conversation[index + 1]?.role === 'assistant')
      join(index, index + 1);
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue;
      const caller = callerOf(part.providerOptions);
      const parent = caller === undefined ? undefined : calls.get(caller);
      if (parent !== undefined) join(parent, index);
      calls.set(part.toolCallId, index);
      // A provider may keep the result of a call it executed to itself.
      if (part.providerExecuted !== true || index === length - 1) open.set(part.toolCallId, index);
    }
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const call = calls.get(part.toolCallId);
      if (call !== undefined) join(call, index);
      open.delete(part.toolCallId);
    }
  } // starts[k]: where the group of message k begins; ends[k]: the index after it.
  const starts = new Uint32Array(length);
  const boundaries: number[] = [];
  let reached = 0;
  for (let index = 0; index < length; index += 1) {
    const isJoined = index > 0 && reached >= index;
    starts[index] = isJoined ? (starts[index - 1] ?? 0) : index;
    if (index > 0 && !isJoined) boundaries.push(index);
    reached = Math.max(reached, reach[index] ?? 0);
  }
  const ends = new Uint32Array(length);
  for (let index = length - 1; index >= 0; index -= 1)
    ends[index] = starts[index + 1] === starts[index] ? (ends[index + 1] ?? 0) : index + 1;
  let firstUnanswered = length;
  for (const call of open.values())
    firstUnanswered = Math.min(firstUnanswered, starts[call] ?? call);
  return {
    startOf: (index) => starts[index] ?? index,
    endOf: (index) => ends[index] ?? index + 1,
    lastUserAt: (index) => users[countUpTo(users, index) - 1],
    nextUserFrom: (index) => users[countUpTo(users, index - 1)],
    boundaries,
    isBoundary: (index) => index > 0 && starts[index] === index,
    systemMessages,
    firstUnanswered,
  };
}

function endsWithReasoning({ content }: AssistantMessage | ToolMessage): boolean {
  const type = content.at(-1)?.type;
  return type === 'reasoning' || type === 'reasoning-file';
}

function callerOf(providerOptions: AssistantMessage['providerOptions']): string | undefined {
  const caller = providerOptions?.['anthropic']?.['caller'];
  return isObject(caller) && typeof caller['toolId'] === 'string' ? caller['toolId'] : undefined;
}
