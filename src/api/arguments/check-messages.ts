import { checkThat } from '../../checks/check-object.ts';
import { SummarizationOptionError } from '../../errors/summarization-option-error.ts';
import { canonicalMessage } from '../../identity/canonical-message.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { scanPrompt } from '../../tokens/scan-prompt.ts';
import { isObject } from '../../util/is-object.ts';
import { runInSlices } from '../../util/async/run-steps.ts';
import { timeSlices } from '../../util/async/time-slices.ts';
import type { ModelMessage } from 'ai';
import { messageOf } from '../../util/errors.ts';

/**
 * Checks the shape of messages as far as the package reads it; the SDK checks the rest.
 *
 * @param name - What the caller calls the list.
 * @throws {SummarizationOptionError} naming the message that is wrong.
 */
export function checkMessages(
  messages: unknown,
  name: string,
): asserts messages is readonly ModelMessage[] | readonly Message[] {
  const allowed = name === 'prompt' ? 'a string or a list of messages' : 'a list of messages';
  checkThat(Array.isArray(messages), name, messages, allowed);
  for (const [index, message] of messages.entries()) {
    const path = `${name}[${index}]`;
    try {
      if (isMessage(message)) continue;
      const isFromUI = isObject(message) && 'parts' in message;
      const how = isFromUI ? '; convertToModelMessages makes them of UI messages' : '';
      checkThat(false, path, isFromUI ? 'a UI message' : message, shape + how);
    } catch (error) {
      refuse(path, message, error);
    }
  }
}

/**
 * Checks that everything in messages can be read, with those that read it.
 *
 * @throws {SummarizationOptionError} naming the message that holds itself, throws or lacks something.
 */
export async function checkReadable(prompt: readonly Message[], name: string): Promise<void> {
  const slices = timeSlices();
  for (const [index, message] of prompt.entries()) {
    await slices.pause();
    try {
      await runInSlices(scanPrompt({ prompt: [message] }, 'other'), slices);
      await runInSlices(canonicalMessage(message, new Map()), slices);
    } catch (error) {
      refuse(`${name}[${index}]`, message, error);
    }
  }
}

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

const shape = `an object with a role (${[...roles].join(', ')}) and a content: a string, or a list of parts that have a type`;

function isMessage(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { role, content } = message;
  if (!roles.has(role)) return false;
  if (typeof content === 'string') return true;
  return (
    role !== 'system' &&
    Array.isArray(content) &&
    content.every((part) => isObject(part) && typeof part['type'] === 'string')
  );
}

function refuse(path: string, message: unknown, error: unknown): never {
  if (SummarizationOptionError.isInstance(error)) throw error;
  const allowed = `a message of which every part can be read (${messageOf(error)})`;
  throw new SummarizationOptionError({ option: path, value: message, allowed });
}
