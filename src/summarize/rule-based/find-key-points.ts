import { oneLine, sentencesOf } from './sentences.ts';
import type { SourceText } from './source-texts.ts';

/** Shorter sentences are greetings and answers, longer ones explain. */
const leastCharacters = 20;
const maxCharacters = 200;

/** What the user asked for: the newest request first, then the one that everything began with. */
export function findKeyPoints(texts: readonly SourceText[]): readonly string[] {
  const spoken = texts.filter(({ role }) => role === 'user');
  const requests = [spoken.at(-1), spoken[0]].map((source) =>
    source === undefined ? undefined : requestIn(source.text),
  );
  return [...new Set(requests.filter((text) => text !== undefined))];
}

function requestIn(text: string): string | undefined {
  return sentencesOf(text)
    .map(oneLine)
    .find((line) => line.length >= leastCharacters && line.length <= maxCharacters);
}
