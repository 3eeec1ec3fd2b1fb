import type { Message } from '../../../src/index.ts';

/**
 * What identifies each message of a conversation that was written without noise, as text; `undefined`
 * for a message that identifies nothing. Written apart from the package: the tests' own opinion.
 */
export function canonicalTexts(conversation: readonly Message[]): readonly (string | undefined)[] {
  return conversation.map((message) => {
    if (message.role === 'system') return JSON.stringify(['system', message.content]);
    const parts = message.content.filter(
      (part) => part.type !== 'reasoning' && !(part.type === 'text' && part.text === ''),
    );
    if (parts.length === 0) return undefined;
    return JSON.stringify([
      message.role,
      parts.map(({ providerOptions: _volatile, ...part }) => part),
    ]);
  });
}
