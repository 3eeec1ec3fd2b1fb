import type { AssistantMessage, Message } from '../prompt/prompt-types.ts';

/** How a conversation may be cut without breaking what belongs together. */
export interface AtomicGroups {
  /** Start index of the group that holds a message. */
  readonly startOf: (index: number) => number;
  /** Index after the group that holds a message. */
  readonly endOf: (index: number) => number;
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
  // joined[k]: messages k - 1 and k belong together.
  const joined = new Set<number>();
  const join = (first: number, last: number): void => {
    for (let index = first + 1; index <= last; index += 1) joined.add(index);
  };
  const open = new Map<string, number>();
  const callIndexes = new Map<string, number>();

  conversation.forEach((message, index) => {
    if (message.role === 'tool' && index > 0) joined.add(index);
    if (message.role === 'assistant') {
      if (endsWithReasoning(message) && conversation[index + 1]?.role === 'assistant')
        joined.add(index + 1);
      for (const part of message.content) {
        if (part.type !== 'tool-call') continue;
        const caller = callerOf(part.providerOptions);
        const parent = caller === undefined ? undefined : callIndexes.get(caller);
        if (parent !== undefined) join(parent, index);
        callIndexes.set(part.toolCallId, index);
        // A provider may keep the result of a call it executed to itself.
        if (part.providerExecuted !== true || index === conversation.length - 1)
          open.set(part.toolCallId, index);
      }
    }
    if (message.role === 'assistant' || message.role === 'tool') {
      for (const part of message.content) {
        if (part.type !== 'tool-result') continue;
        const call = callIndexes.get(part.toolCallId);
        if (call !== undefined) join(call, index);
        open.delete(part.toolCallId);
      }
    }
  });

  const startOf = (index: number): number => {
    let start = index;
    while (joined.has(start)) start -= 1;
    return start;
  };
  const endOf = (index: number): number => {
    let end = index + 1;
    while (joined.has(end)) end += 1;
    return end;
  };
  const isBoundary = (index: number): boolean =>
    index > 0 && index < conversation.length && !joined.has(index);
  const systemMessages: number[] = [];
  for (const [index, { role }] of conversation.entries())
    if (role === 'system') systemMessages.push(index);
  return {
    startOf,
    endOf,
    isBoundary,
    get boundaries(): readonly number[] {
      return conversation.map((_, index) => index).filter(isBoundary);
    },
    systemMessages,
    firstUnanswered: Math.min(conversation.length, ...[...open.values()].map(startOf)),
  };
}

function endsWithReasoning(message: AssistantMessage): boolean {
  const type = message.content.at(-1)?.type;
  return type === 'reasoning' || type === 'reasoning-file';
}

function callerOf(providerOptions: AssistantMessage['providerOptions']): string | undefined {
  const caller = providerOptions?.['anthropic']?.['caller'];
  if (typeof caller !== 'object' || caller === null || !('toolId' in caller)) return undefined;
  return typeof caller.toolId === 'string' ? caller.toolId : undefined;
}
