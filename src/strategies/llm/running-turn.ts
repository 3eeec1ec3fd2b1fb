import type { Message } from '../../prompt/prompt-types.ts';

/**
 * Where the turn begins that goes on behind some messages: their end is no answer, and other messages, or an earlier
 * record, come before it.
 *
 * @returns The index of the user's message; `undefined` where no turn goes on, or all of it is one.
 */
export function runningTurn(messages: readonly Message[], hasEarlier: boolean): number | undefined {
  const last = messages.at(-1);
  if (last === undefined || (last.role !== 'tool' && !callsTool(last))) return undefined;
  const start = messages.findLastIndex(({ role }) => role === 'user');
  return start > 0 || (start === 0 && hasEarlier) ? start : undefined;
}

function callsTool({ role, content }: Message): boolean {
  return role === 'assistant' && content.some(({ type }) => type === 'tool-call');
}
