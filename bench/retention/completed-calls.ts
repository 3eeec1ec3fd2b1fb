import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { argumentsText } from './segments.ts';

/** Characters of the arguments of a call that are looked at: the beginning of a file that is written tells it. */
const lookedAtCharacters = 200;

/** Share of the words of a call that must stand on one line for it to be known as done. */
const knownShare = 0.8;

/**
 * The words of the arguments of each call that was answered without an error; calls of the same tool with the
 * same arguments are one.
 */
export function completedCalls(
  messages: readonly LanguageModelV4Message[],
): readonly (readonly string[])[] {
  const failed = new Set<string>();
  const answered = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      answered.add(part.toolCallId);
      if (part.output.type.startsWith('error')) failed.add(part.toolCallId);
    }
  }
  const calls = new Map<string, readonly string[]>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue;
      if (!answered.has(part.toolCallId) || failed.has(part.toolCallId)) continue;
      const text = argumentsText(part.input);
      const words = wordsOf(text.slice(0, lookedAtCharacters));
      if (words.length > 0) calls.set(`${part.toolName} ${text}`, words);
    }
  }
  return [...calls.values()];
}

/** Whether a line of a text tells of a call. */
export function callTeller(compacted: string): (words: readonly string[]) => boolean {
  const lines = compacted.split('\n').map((line) => new Set(wordsOf(line)));
  return (words) =>
    lines.some(
      (line) => words.filter((word) => line.has(word)).length >= knownShare * words.length,
    );
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? [])];
}
