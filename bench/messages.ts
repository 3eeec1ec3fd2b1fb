import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { words } from '../test/support/messages.ts';
import { assistant, call, result, user } from '../test/support/prompt-messages.ts';

/** A message with words of its own. */
export function message(
  role: 'user' | 'assistant',
  seed: number,
  tokens: number,
): LanguageModelV4Message {
  const text = `${role} ${seed}: ${words(seed, tokens)}`;
  return role === 'user' ? user(text) : assistant(text);
}

/** A chat of so many messages, which ends with one of the user. */
export function chat(name: number, count: number, tokens: number): LanguageModelV4Message[] {
  return Array.from({ length: count }, (_, index) =>
    message((count - index) % 2 === 1 ? 'user' : 'assistant', name * 100_000 + index, tokens),
  );
}

/** A step of an agent: a call and its result. */
export function step(number: number, tokens: number): LanguageModelV4Message[] {
  const id = `call${number}`;
  return [
    assistant('', call(id, { input: { path: `src/${number}.ts` } })),
    { role: 'tool', content: [result(id, words(number, tokens))] },
  ];
}
