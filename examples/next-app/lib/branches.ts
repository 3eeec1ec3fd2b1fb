import { textOf, type ChatMessage } from './chat-message.ts';
import type { Chat } from './chat-store.ts';

const maxBranches = 50;

/** The branches of a chat that goes on with other messages: what these leave out is kept as a branch. */
export function branchesAfter(
  { messages, branches }: Pick<Chat, 'messages' | 'branches'>,
  next: readonly ChatMessage[],
): Chat['branches'] {
  const common = messages.findIndex(({ id }, index) => id !== next[index]?.id);
  const dropped = common === -1 ? [] : messages.slice(common);
  const isWorthKeeping = dropped.some((message) => textOf(message).trim() !== '');
  return isWorthKeeping ? [...branches, messages].slice(-maxBranches) : branches;
}

/** The chat as it goes on with a version of a message; `undefined` if there is none. */
export function switchedTo(
  { messages, branches }: Pick<Chat, 'messages' | 'branches'>,
  messageId: string,
): Pick<Chat, 'messages' | 'branches'> | undefined {
  const chosen = branches.findLast((branch) => branch.some(({ id }) => id === messageId));
  if (chosen === undefined) return undefined;
  const others = branches.filter((branch) => branch !== chosen);
  return { messages: chosen, branches: [...others, messages] };
}

/** Ids of the versions of each message that has several, the earliest first. */
export function versionsOf(
  ids: readonly string[],
  branches: readonly (readonly string[])[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    ids.flatMap((id, index) => {
      const siblings = branches
        .filter((branch) => branch.slice(0, index).every((other, at) => other === ids[at]))
        .flatMap((branch) => branch[index] ?? []);
      const versions = [...new Set([id, ...siblings])].toSorted();
      return versions.length > 1 ? [[id, versions] as const] : [];
    }),
  );
}
