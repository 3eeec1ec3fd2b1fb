import type { Message } from '../../../prompt/prompt-types.ts';

/** Something that one of two speakers said. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** The messages of one session; the first one tells when it took place. What is empty is left out: providers refuse it. */
export function datedSession(said: readonly Said[], date: unknown): readonly Message[] {
  return said
    .filter(({ text }) => text.trim() !== '')
    .map(({ role, text }, index) => {
      const isDated = index === 0 && typeof date === 'string';
      return { role, content: [{ type: 'text', text: isDated ? `[${date}]\n${text}` : text }] };
    });
}

/** An answer as files have it, number or text; `undefined` for anything else. */
export function referenceOf(answer: unknown): string | undefined {
  if (typeof answer === 'number') return String(answer);
  return typeof answer === 'string' && answer.trim() !== '' ? answer : undefined;
}
