import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { messageText } from './encode-prompt.ts';
import { namesIn } from './scenario.ts';

/** Messages ahead in which is looked for what is needed. */
const aheadMessages = 20;

/**
 * Of the files that the next answers and questions name again, the share that stands in a prompt; `undefined` where they
 * name none.
 *
 * @param text - All of the prompt that is sent.
 * @param count - Messages of the conversation that came before the answer.
 */
export function shareOfNeeded(
  text: string,
  messages: LanguageModelV4Prompt,
  count: number,
): number | undefined {
  const told = new Set(messages.slice(0, count).flatMap(namesOf));
  const next = messages.slice(count, count + aheadMessages).filter(({ role }) => role !== 'tool');
  const needed = [...new Set(next.flatMap(namesOf).filter((name) => told.has(name)))];
  if (needed.length === 0) return undefined;
  return needed.filter((name) => text.includes(name)).length / needed.length;
}

const names = new WeakMap<LanguageModelV4Message, readonly string[]>();

function namesOf(message: LanguageModelV4Message): readonly string[] {
  const found = names.get(message) ?? namesIn(messageText(message));
  names.set(message, found);
  return found;
}
