import type { Message } from '../../prompt/prompt-types.ts';

/**
 * Where the calls of a conversation end: before each answer, and at its end where one is awaited; behind each
 * message where a file holds no answers.
 */
export function callsOf(prompt: readonly Message[]): readonly number[] {
  const hasAnswers = prompt.some(({ role }) => role === 'assistant');
  return prompt.flatMap(({ role }, index) => {
    if (role !== 'user' && role !== 'tool') return [];
    const next = prompt[index + 1]?.role;
    return !hasAnswers || next === undefined || next === 'assistant' ? [index + 1] : [];
  });
}
