import type { AssistantMessage, Message, ToolMessage } from '../prompt/prompt-types.ts';
import { countUpTo } from '../util/count-up-to.ts';
import { runAtOnce, type Steps } from '../util/run-steps.ts';

/** Messages between two steps: under 1 ms. */
const messagesAStep = 1024;

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
export function atomicGroups(conversation: readonly Message[]): AtomicGroups {
  return runAtOnce(groupSteps(conversation));
}

/** The same in steps between which others may work. */
export function* groupSteps(conversation: readonly Message[]): Steps<AtomicGroups> {
  const { length } = conversation;
  const { reach, unanswered } = yield* groupJoins(conversation);
  yield;
  // starts[k]: where the group of message k begins; ends[k]: the index after it.
  const starts = new Uint32Array(length);
  let reached = 0;
  for (let index = 0; index < length; index += 1) {
    starts[index] = index > 0 && reached >= index ? (starts[index - 1] ?? 0) : index;
    reached = Math.max(reached, reach[index] ?? 0);
  }
  const ends = new Uint32Array(length);
  for (let index = length - 1; index >= 0; index -= 1)
    ends[index] = starts[index + 1] === starts[index] ? (ends[index + 1] ?? 0) : index + 1;

  yield;
  const isBoundary = (index: number): boolean => index > 0 && starts[index] === index;
  const indexes = [...conversation.keys()];
  const users = indexes.filter((index) => conversation[index]?.role === 'user');
  return {
    startOf: (index) => starts[index] ?? index,
    endOf: (index) => ends[index] ?? index + 1,
    lastUserAt: (index) => users[countUpTo(users, index) - 1],
    nextUserFrom: (index) => users[countUpTo(users, index - 1)],
    boundaries: indexes.filter(isBoundary),
    isBoundary,
    systemMessages: indexes.filter((index) => conversation[index]?.role === 'system'),
    firstUnanswered: unanswered.reduce(
      (first, call) => Math.min(first, starts[call] ?? call),
      length,
    ),
  };
}

/** What belongs together, and the indexes of the calls that wait for their results. */
function* groupJoins(conversation: readonly Message[]): Steps<{
  /**
   * The last message that belongs together with each, as far as a join that begins there says. Ranges are
   * marked by their ends alone: thousands of late results each join thousands of messages.
   */
  readonly reach: Uint32Array;
  readonly unanswered: readonly number[];
}> {
  const reach = new Uint32Array(conversation.length);
  const join = (first: number, last: number): void => {
    reach[first] = Math.max(reach[first] ?? 0, last);
  };
  const calls = new Map<string, number>();
  const open = new Map<string, number>();
  for (const [index, message] of conversation.entries()) {
    if (index % messagesAStep === messagesAStep - 1) yield;
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
      if (part.providerExecuted !== true || index === conversation.length - 1)
        open.set(part.toolCallId, index);
    }
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const call = calls.get(part.toolCallId);
      if (call !== undefined) join(call, index);
      open.delete(part.toolCallId);
    }
  }
  return { reach, unanswered: [...open.values()] };
}

function endsWithReasoning({ content }: AssistantMessage | ToolMessage): boolean {
  const type = content.at(-1)?.type;
  return type === 'reasoning' || type === 'reasoning-file';
}

function callerOf(providerOptions: AssistantMessage['providerOptions']): string | undefined {
  const caller = providerOptions?.['anthropic']?.['caller'];
  if (typeof caller !== 'object' || caller === null || !('toolId' in caller)) return undefined;
  return typeof caller.toolId === 'string' ? caller.toolId : undefined;
}
