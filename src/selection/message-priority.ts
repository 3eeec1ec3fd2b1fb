import type { Message } from '../prompt/prompt-types.ts';
import { answeredAtOnce } from '../util/async/callbacks.ts';

/** How much a message matters: what matters less gives way first. */
export type Priority = (message: Message) => number;

/**
 * How much messages matter where nobody says otherwise: what the user said 4, a tool's error 3, what the assistant
 * said 1, what else a tool printed 0. Rules of the user count above all of them and decisions between errors and the
 * assistant's other words, in a record, which takes sentences.
 */
const defaultPriorities: Readonly<Record<'user' | 'error' | 'assistant' | 'tool', number>> = {
  user: 4,
  error: 3,
  assistant: 1,
  tool: 0,
};

/** How much a message matters by what it is. */
export function defaultPriority(message: Message): number {
  const { user, error, assistant, tool } = defaultPriorities;
  if (message.role === 'user') return user;
  if (message.role === 'assistant') return assistant;
  if (message.role !== 'tool') return user;
  const isError = message.content.some(
    (part) => part.type === 'tool-result' && part.output.type.startsWith('error'),
  );
  return isError ? error : tool;
}

/** A caller's priorities, those by what a message is where it gives none: no number, or an error. */
export function priorityOf(given: Priority | undefined): Priority {
  if (given === undefined) return defaultPriority;
  return (message) => {
    try {
      const priority = answeredAtOnce(given(message));
      return typeof priority === 'number' && !Number.isNaN(priority)
        ? priority
        : defaultPriority(message);
    } catch {
      return defaultPriority(message);
    }
  };
}
