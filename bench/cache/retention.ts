import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { messageText } from './encode-prompt.ts';
import { namesIn, userRules } from './scenario.ts';

/** What a prompt still holds, as shares from 0 to 1; `undefined` where there was nothing to hold. */
export interface Retention {
  /** Of the files that the next answers and questions name again, those that stand in the prompt. */
  readonly needed: number | undefined;
  /** Of the user's rules, those that stand in it word for word. */
  readonly rules: number | undefined;
  /** Of the files that were changed, those that stand in it. */
  readonly changed: number | undefined;
}

/** Messages ahead in which is looked for what is needed. */
const aheadMessages = 20;

/**
 * Looks up what is left in a prompt of what the continuation needs.
 *
 * @param text - All of the prompt that is sent.
 * @param count - Messages of the conversation that came before the answer.
 */
export function retentionOf(
  text: string,
  messages: LanguageModelV4Prompt,
  count: number,
): Retention {
  const past = messages.slice(0, count);
  const told = new Set(past.flatMap(namesOf));
  const next = messages.slice(count, count + aheadMessages).filter(({ role }) => role !== 'tool');
  const needed = new Set(next.flatMap(namesOf).filter((name) => told.has(name)));
  const said = past
    .filter(({ role }) => role === 'user')
    .map(messageText)
    .join('\n');
  const changed = new Set(
    past.flatMap((message) =>
      message.role === 'assistant'
        ? message.content.flatMap((part) =>
            part.type === 'tool-call' && part.toolName === 'edit_file'
              ? namesIn(JSON.stringify(part.input))
              : [],
          )
        : [],
    ),
  );
  return {
    needed: shareIn(text, [...needed]),
    rules: shareIn(
      text,
      userRules.filter((rule) => said.includes(rule)),
    ),
    changed: shareIn(text, [...changed]),
  };
}

const names = new WeakMap<LanguageModelV4Message, readonly string[]>();

function namesOf(message: LanguageModelV4Message): readonly string[] {
  const found = names.get(message) ?? namesIn(messageText(message));
  names.set(message, found);
  return found;
}

function shareIn(text: string, items: readonly string[]): number | undefined {
  if (items.length === 0) return undefined;
  return items.filter((item) => text.includes(item)).length / items.length;
}
