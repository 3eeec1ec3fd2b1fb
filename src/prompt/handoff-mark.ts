import { providerOptionsKey } from './provider-options-key.ts';
import type { CallOptions, Message } from './prompt-types.ts';

/**
 * What a message carries that hands on a record of another conversation: it stays verbatim. UI messages of a client
 * cannot set it: they carry options on their parts, never on a message of the user.
 */
export const handoffMark: NonNullable<CallOptions['providerOptions']> = {
  [providerOptionsKey]: { pin: true, handoff: true },
};

/** Whether a message hands on a record. Without types, a list of messages may hold anything. */
export function isHandoff(message: Message | null | undefined): boolean {
  return (
    message?.role === 'user' && message.providerOptions?.[providerOptionsKey]?.['handoff'] === true
  );
}

/** A message as those read it who take rules from what the user said: what is handed on, nobody has said here. */
export function asTold(message: Message): Message {
  if (message.role !== 'user' || !isHandoff(message)) return message;
  return { ...message, role: 'assistant' };
}
