import type { UserModelMessage } from 'ai';
import { handoffMark } from '../prompt/handoff-mark.ts';

/** A message that begins a conversation with a record of another one. Its `providerOptions` keep it as it is. */
export interface HandoffMessage extends UserModelMessage {
  readonly content: string;
}

/** The message of a rendered record: the user's, because data has no place among the instructions. */
export function handoffMessage(content: string): HandoffMessage {
  return { role: 'user', content, providerOptions: handoffMark };
}
