import { readFileSync } from 'node:fs';

/**
 * Reads the messages of all conversations in a file of JSON Lines, one a line with `messages` as a
 * `LanguageModelV4Prompt`, as one text: a message a line, a blank line between conversations.
 */
export function loadText(path: string): string {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => textsIn(JSON.parse(line)).join('\n'))
    .join('\n\n');
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('messages' in value) return textsIn(value.messages);
  if ('text' in value && typeof value.text === 'string') return [value.text];
  return Object.values(value).flatMap(textsIn);
}

/** A text of about 700,000 characters with sentences of its own, the same in every run. */
export function generatedText(): string {
  const subjects = ['The team', 'A reviewer', 'The customer', 'Operations', 'The new service'];
  const verbs = ['asked for', 'reported', 'moved', 'tested', 'postponed', 'measured', 'approved'];
  const objects = ['the release', 'a migration', 'the nightly job', 'two reports', 'the budget'];
  const ends = ['on Monday', 'after the meeting', 'without a reason', 'for the third time'];
  const sentence = (seed: number): string =>
    `${pick(subjects, seed)} ${pick(verbs, seed * 3 + 1)} ${pick(objects, seed * 7 + 2)} ${pick(ends, seed * 5)}, item ${seed}.`;
  return Array.from({ length: 11_000 }, (_, seed) =>
    seed % 6 === 5 ? `${sentence(seed)}\n\n` : `${sentence(seed)} `,
  ).join('');
}

function pick(words: readonly string[], seed: number): string {
  return words[seed % words.length] ?? '';
}
