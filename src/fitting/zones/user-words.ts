import type { Message } from '../../prompt/prompt-types.ts';
import type { CountTokens } from './counted-conversation.ts';

/**
 * Chooses what the user said in messages that are left out, to be repeated in the record: the first
 * text, which mostly says what all is about, and the newest ones that fit beside it.
 *
 * @param messages - What is left out, long texts shortened.
 * @returns the texts, oldest first.
 */
export async function userWords(
  messages: readonly Message[],
  room: number,
  count: CountTokens,
): Promise<readonly string[]> {
  const texts: string[] = [];
  const first = messages.find(({ role }) => role === 'user');
  if (first === undefined) return texts;
  const firstTokens = await count(first);
  if (firstTokens > room) return texts;
  let left = room - firstTokens;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.role !== 'user' || message === first) continue;
    left -= await count(message);
    if (left < 0) break;
    texts.push(textOf(message));
  }
  texts.push(textOf(first));
  return texts.filter((text) => text.trim() !== '').toReversed();
}

function textOf({ role, content }: Message): string {
  if (role !== 'user') return '';
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
