import type { Question } from './conversation.ts';

/** Characters within which a text has to hold all that an answer consists of. */
const stretch = 320;

/** How far the next stretch that is looked at begins after the one before. */
const step = 40;

/** Whether a text states the answer to a question. */
export function isStated(text: string, { states }: Question): boolean {
  const patterns = states.map((group) => group.map((pattern) => new RegExp(pattern, 'iu')));
  const plain = unescaped(text);
  for (let start = 0; start < plain.length; start += step) {
    const part = plain.slice(start, start + stretch);
    if (patterns.every((group) => group.some((pattern) => pattern.test(part)))) return true;
  }
  return false;
}

/** Whether a text states something untrue in the place of an answer, without a mark on it. */
export function isFalselyStated(text: string, question: Question): boolean {
  return unescaped(text)
    .split('\n')
    .some(
      (line) =>
        !/unconfirmed|→/u.test(line) &&
        question.false.some((pattern) => new RegExp(pattern, 'iu').test(line)),
    );
}

/** A text without the escapes of a record. */
function unescaped(text: string): string {
  return text.replaceAll(/\\u([0-9a-f]{4})/giu, (_whole, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}
