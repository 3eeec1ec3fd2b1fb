import type { Message } from '../prompt/prompt-types.ts';
import type { AtomicGroups } from './atomic-groups.ts';

/** What stays verbatim in front of the tail although a record covers it. */
export interface KeptMessages {
  /** Index of the anchor: the last user message before a tail that does not begin with one. */
  readonly anchor: number | undefined;
  /** Indexes of all kept messages, ascending, the anchor included. */
  readonly indexes: readonly number[];
}

/**
 * Finds what a cut must keep: the anchor (providers want the first message to be the user's), pinned
 * messages, and system messages in mid-conversation, which carry the operator's authority and sometimes
 * settings. A pinned message brings its whole group, the user message of its turn and the turn's last
 * message, so that roles alternate as they did.
 */
export function keptMessages(options: {
  readonly conversation: readonly Message[];
  readonly groups: AtomicGroups;
  readonly cut: number;
  readonly pinned: ReadonlySet<number>;
}): KeptMessages {
  const { conversation, groups, cut, pinned } = options;
  const isUser = (index: number): boolean => conversation[index]?.role === 'user';
  const lastUserBefore = (index: number): number | undefined => {
    let user = index;
    while (user >= 0 && !isUser(user)) user -= 1;
    return user < 0 ? undefined : user;
  };
  const kept = new Set<number>();
  const keepRange = (start: number, end: number): void => {
    for (let index = start; index < end; index += 1) kept.add(index);
  };

  for (const index of pinned) {
    if (index < 0 || index >= cut) continue;
    const start = groups.startOf(index);
    const end = groups.endOf(index);
    keepRange(start, end);
    const user = lastUserBefore(start);
    if (user !== undefined) kept.add(user);
    let turnEnd = end;
    while (turnEnd < cut && !isUser(turnEnd)) turnEnd += 1;
    // A turn that runs on into the tail is closed there.
    if (turnEnd < cut || isUser(cut)) keepRange(groups.startOf(turnEnd - 1), turnEnd);
  }
  const firstKept = Math.min(cut, ...kept);
  for (const index of groups.systemMessages) {
    if (index >= cut) continue;
    kept.add(index);
    // Behind another kept turn it would follow that turn's answer; providers want it after a user.
    const user = lastUserBefore(index);
    if (index > firstKept && user !== undefined) kept.add(user);
  }
  const anchor = isUser(cut) ? undefined : lastUserBefore(cut - 1);
  if (anchor !== undefined) kept.add(anchor);
  return { anchor, indexes: [...kept].toSorted((a, b) => a - b) };
}
