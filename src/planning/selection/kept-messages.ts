import type { JSONObject, JSONValue } from '@ai-sdk/provider';
import {
  isStateOnly,
  messageState,
  type MessageState,
  type StateDialect,
} from '../../prompt/messages/message-state.ts';
import type { SystemMessage } from '../../prompt/messages/prompt-types.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import type { CutConversation } from './conversation-view.ts';

/** Messages before the recent ones that stay although a record covers them. */
export interface KeptMessages {
  /**
   * Indexes of all kept messages in the order they are sent in: the texts of earlier system messages,
   * then everything else as it was. Among them is the anchor: the last user message, where the recent ones do not begin
   * with one.
   */
  readonly indexes: readonly number[];
  /** Index of the anchor, where the recent messages go on with its turn. */
  readonly openTurn: number | undefined;
  /** The kept message, or the cut, before which state stands that must follow a user message. */
  readonly stateAt: number;
}

/**
 * Finds what a cut must keep: the anchor (providers want the first message to be the user's), pinned
 * messages, and the texts of system messages in mid-conversation, which carry the operator's authority.
 * A pinned message brings its whole group, the user message of its turn and the turn's last message, so
 * that roles alternate as they did. System messages that only carry state are not kept: what of it is
 * left is sent again.
 */
export function keptMessages(input: CutConversation): KeptMessages {
  const { conversation, groups, cut } = input;
  const kept = new Set<number>();
  for (const [start, end] of pinnedRanges(input)) keepRange(kept, start, end);
  const anchor = conversation[cut]?.role === 'user' ? undefined : groups.lastUserAt(cut - 1);
  if (anchor !== undefined) kept.add(anchor);
  let next = cut;
  while (conversation[next]?.role === 'system') next += 1;
  const openTurn = conversation[next]?.role === 'assistant' ? anchor : undefined;
  let turn = anchor;
  // Changes of tools must be followed by an assistant message; where the recent ones have none to offer,
  // an earlier one is kept.
  const answer =
    openTurn !== undefined || remainingToolChanges(input).length === 0
      ? -1
      : conversation.findLastIndex(({ role }, index) => index < cut && role === 'assistant');
  if (answer >= 0) {
    const start = groups.startOf(answer);
    keepRange(kept, start, groups.endOf(answer));
    turn = groups.lastUserAt(start);
    if (turn !== undefined) kept.add(turn);
  }
  // After a user message of an earlier turn no assistant message would follow a system message, as some providers
  // require; the head of the prompt is legal for all.
  const systems = keptSystems(input, next);
  const openSince = openTurn ?? Number.POSITIVE_INFINITY;
  for (const index of systems) if (index > openSince) kept.add(index);
  const inOrder = [...kept].toSorted((left, right) => left - right);
  return {
    indexes: [...systems.filter((index) => index <= openSince), ...inOrder],
    openTurn,
    stateAt:
      inOrder.find((index) => index > (turn ?? -1) && conversation[index]?.role === 'assistant') ??
      cut,
  };
}

/** Ranges that pinned messages keep, from a first index to the one after the last. */
function pinnedRanges({
  conversation,
  groups,
  cut,
  pinned,
}: CutConversation): readonly (readonly [start: number, end: number])[] {
  const ranges: [start: number, end: number][] = [];
  // A group or a turn may hold thousands of pins: each is walked once.
  const starts = new Set<number>();
  const turnEnds = new Set<number>();
  for (const index of pinned)
    if (index >= 0 && index < cut && conversation[index]?.role !== 'system')
      starts.add(groups.startOf(index));
  for (const start of starts) {
    const end = groups.endOf(start);
    ranges.push([start, end]);
    const user = groups.lastUserAt(start);
    if (user !== undefined) ranges.push([user, user + 1]);
    turnEnds.add(Math.min(cut, groups.nextUserFrom(end) ?? cut));
  }
  for (const turnEnd of turnEnds) {
    // A turn that runs on into the recent messages is closed there.
    if (turnEnd === cut && conversation[cut]?.role !== 'user') continue;
    let last = turnEnd - 1;
    while (conversation[last]?.role === 'system') last -= 1;
    ranges.push([groups.startOf(last), last + 1]);
  }
  return ranges;
}

/** Indexes of the earlier system messages that still say something. */
function keptSystems(
  { conversation, groups, cut, dialect }: CutConversation,
  next: number,
): readonly number[] {
  return groups.systemMessages.filter((index) => {
    const message = conversation[index];
    if (index >= cut || message === undefined || isStateOnly(message, dialect)) return false;
    if (dialect !== 'anthropic') return true;
    // A change for one turn ends with it: before the message at `next` is answered.
    const clearAt = message.providerOptions?.['anthropic']?.['clearAt'];
    const user = clearAt === undefined ? undefined : groups.nextUserFrom(index + 1);
    return user === undefined || user > next;
  });
}

function keepRange(kept: Set<number>, start: number, end: number): void {
  for (let index = start; index < end; index += 1) kept.add(index);
}

/** Changes by the system messages before a cut, in order. */
function statesBefore({
  conversation,
  groups,
  cut,
  dialect,
}: CutConversation): readonly (MessageState & { readonly index: number })[] {
  return groups.systemMessages.flatMap((index) => {
    const message = index < cut ? conversation[index] : undefined;
    const state = message && messageState(message, dialect);
    return state === undefined ? [] : [{ ...state, index }];
  });
}

/**
 * Remaining changes of tools before a cut, the last one for each tool: an addition unless the tool is there anyway, a
 * removal only of a tool that is there without any addition.
 */
function remainingToolChanges(input: CutConversation): readonly JSONObject[] {
  const last = new Map<unknown, JSONObject>();
  for (const change of statesBefore(input).flatMap(({ toolChanges }) => toolChanges)) {
    const name = isObject(change['tool']) ? change['tool']['name'] : change['toolName'];
    // In the order of their last change.
    last.delete(name);
    last.set(name, change);
  }
  const loaded = new Set<unknown>(
    input.tools?.flatMap((tool) => {
      const options = tool.type === 'function' ? tool.providerOptions?.['anthropic'] : undefined;
      return options?.['deferLoading'] === true ? [] : [tool.name];
    }),
  );
  return [...last].flatMap(([name, change]) => {
    const isDefinition = isObject(change['tool']);
    const isRemoval = change['type'] === 'tool_removal';
    return isDefinition || isRemoval === loaded.has(name) ? [change] : [];
  });
}

/** Remaining state of the summarized messages, as system messages without other text. */
export interface CarriedState {
  /** For the head of what is kept: in force from the first message on. */
  readonly ahead?: SystemMessage | undefined;
  /** Position after a user message, before an assistant message. */
  readonly behind?: SystemMessage | undefined;
  /** For the end of what is kept, whose own word would be the later one otherwise. */
  readonly last?: SystemMessage | undefined;
}

/**
 * Derives the state that is in force at a cut from all messages before it, whatever record stands for them:
 * the same messages always leave the same state.
 */
export function carriedState(input: CutConversation, kept: KeptMessages): CarriedState {
  const { dialect } = input;
  if (dialect === undefined) return {};
  return dialect === 'anthropic'
    ? carriedByAnthropic(input, kept)
    : carriedByOpenai(input, dialect);
}

function carriedByOpenai(
  { conversation, cut }: CutConversation,
  dialect: StateDialect,
): CarriedState {
  const update: JSONObject = {};
  const loaded = new Map<string, JSONObject>();
  for (const message of conversation.slice(0, cut)) {
    const state = messageState(message, dialect);
    Object.assign(update, state?.update);
    for (const tool of state?.additionalTools ?? []) {
      const key = toolKey(tool);
      const earlier = loaded.get(key);
      // In the order of their last definitions.
      loaded.delete(key);
      loaded.set(key, earlier === undefined ? tool : withToolsOf(earlier, tool));
    }
  }
  const additionalTools = [...loaded.values()];
  return {
    ahead: stateMessage(dialect, update),
    last: stateMessage(dialect, additionalTools.length === 0 ? {} : { additionalTools }),
  };
}

/** A namespace that is loaded again keeps the tools it had; anything else is what it was last. */
function withToolsOf(earlier: JSONObject, tool: JSONObject): JSONObject {
  const before = earlier['tools'];
  const after = tool['tools'];
  if (!Array.isArray(before) || !Array.isArray(after)) return tool;
  const named = new Map([...before, ...after].map((member) => [toolKey(member), member] as const));
  return { ...tool, tools: [...named.values()] };
}

function toolKey(tool: JSONValue): string {
  return JSON.stringify(isObject(tool) ? [tool['type'], tool['name']] : tool);
}

function carriedByAnthropic(input: CutConversation, kept: KeptMessages): CarriedState {
  // An effort is in force from the next user message on: one set within the turn that goes on waits.
  const turn = kept.openTurn ?? input.cut;
  let effort: JSONValue | undefined;
  let effortOfTurn: JSONValue | undefined;
  for (const { index, effort: set } of statesBefore(input))
    if (index < turn) effort = set ?? effort;
    else effortOfTurn = set ?? effortOfTurn;
  const toolChanges = remainingToolChanges(input);
  return {
    ahead: stateMessage('anthropic', effort === undefined ? {} : { effort }),
    behind: stateMessage('anthropic', {
      ...(effortOfTurn === undefined ? {} : { effort: effortOfTurn }),
      ...(toolChanges.length === 0 ? {} : { toolChanges }),
    }),
  };
}

function stateMessage(provider: string, options: JSONObject): SystemMessage | undefined {
  return Object.keys(options).length === 0
    ? undefined
    : { role: 'system', content: '', providerOptions: { [provider]: options } };
}
