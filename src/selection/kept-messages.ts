import { isStateOnly } from '../prompt/message-state.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { StateDialect } from '../prompt/state-dialect.ts';
import type { AtomicGroups } from './atomic-groups.ts';
import { remainingToolChanges, type DeclaredTools } from './tool-changes.ts';

/** A conversation, a place to cut it, and what must not go. */
export interface KeptMessagesInput {
  readonly conversation: readonly Message[];
  readonly groups: AtomicGroups;
  readonly cut: number;
  readonly pinned: ReadonlySet<number>;
  /** Whose options change the state of the conversation. */
  readonly dialect: StateDialect | undefined;
  /** The tools of the call. */
  readonly tools: DeclaredTools;
}

/** What stays in front of the tail although a record covers it. */
export interface KeptMessages {
  /** Index of the anchor: the last user message before a tail that does not begin with one. */
  readonly anchor: number | undefined;
  /**
   * Indexes of all kept messages in the order they are sent in: the texts of earlier system messages,
   * then everything else as it was, the anchor included.
   */
  readonly indexes: readonly number[];
  /** Whether the tail goes on with the turn of the anchor. */
  readonly isOpenTurn: boolean;
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
export function keptMessages(input: KeptMessagesInput): KeptMessages {
  const { conversation, groups, cut, pinned, dialect, tools } = input;
  const roleAt = (index: number): Message['role'] | undefined => conversation[index]?.role;
  const isUser = (index: number): boolean => roleAt(index) === 'user';
  const kept = new Set<number>();
  const keepRange = (start: number, end: number): void => {
    for (let index = start; index < end; index += 1) kept.add(index);
  };

  // A group or a turn may hold thousands of pins: each is walked once.
  const pinnedGroups = new Set<number>();
  const turnEnds = new Set<number>();
  for (const index of pinned) {
    if (index < 0 || index >= cut || roleAt(index) === 'system') continue;
    const start = groups.startOf(index);
    if (pinnedGroups.has(start)) continue;
    pinnedGroups.add(start);
    const end = groups.endOf(index);
    keepRange(start, end);
    const user = groups.lastUserAt(start);
    if (user !== undefined) kept.add(user);
    turnEnds.add(Math.max(end, Math.min(cut, groups.nextUserFrom(end) ?? cut)));
  }
  for (const turnEnd of turnEnds) {
    // A turn that runs on into the tail is closed there.
    const isClosed = turnEnd < cut || isUser(cut);
    let last = turnEnd - 1;
    while (roleAt(last) === 'system') last -= 1;
    if (isClosed) keepRange(groups.startOf(last), last + 1);
  }

  const anchor = isUser(cut) ? undefined : groups.lastUserAt(cut - 1);
  if (anchor !== undefined) kept.add(anchor);
  let next = cut;
  while (roleAt(next) === 'system') next += 1;
  const isOpenTurn = anchor !== undefined && roleAt(next) === 'assistant';
  let turn = anchor;
  if (!isOpenTurn && remainingToolChanges(input, tools).length > 0) {
    // Changes of tools must be followed by an assistant message, and the tail has none to offer.
    const last = lastAssistantBefore(conversation, cut);
    if (last !== undefined) {
      const start = groups.startOf(last);
      keepRange(start, groups.endOf(last));
      turn = groups.lastUserAt(start);
      if (turn !== undefined) kept.add(turn);
    }
  }

  const head: number[] = [];
  for (const index of groups.systemMessages) {
    const message = conversation[index];
    if (index >= cut || message === undefined) continue;
    if (isStateOnly(message, dialect)) continue;
    if (dialect === 'anthropic' && isCleared(input, index, next)) continue;
    // Behind a user message of an earlier turn no assistant message would follow it, which some
    // providers insist on; the head of the prompt is legal for all.
    if (isOpenTurn && index > anchor) kept.add(index);
    else head.push(index);
  }
  const inOrder = [...kept].toSorted((a, b) => a - b);
  return {
    anchor,
    indexes: [...head, ...inOrder],
    isOpenTurn,
    stateAt: inOrder.find((index) => index > (turn ?? -1) && roleAt(index) === 'assistant') ?? cut,
  };
}

function lastAssistantBefore(conversation: readonly Message[], cut: number): number | undefined {
  let index = cut - 1;
  while (index >= 0 && conversation[index]?.role !== 'assistant') index -= 1;
  return index < 0 ? undefined : index;
}

/** Whether a system message was meant for a turn that is over before the message at `next` is answered. */
function isCleared(
  { conversation, groups }: KeptMessagesInput,
  index: number,
  next: number,
): boolean {
  const clearAt = conversation[index]?.providerOptions?.['anthropic']?.['clearAt'];
  const user = clearAt === undefined ? undefined : groups.nextUserFrom(index + 1);
  return user !== undefined && user <= Math.max(next, index + 1);
}
