import type { TimeSlices } from '../../../util/time-slices.ts';
import { oneLine, sentencesOf } from '../texts/sentences.ts';
import type { SourceText } from '../texts/source-texts.ts';

/** Shorter sentences are greetings and answers, longer ones explain. */
const leastCharacters = 20;
const maxCharacters = 200;

/** What the user asked for: the newest request first, then the one that everything began with. */
export async function findKeyPoints(
  texts: readonly SourceText[],
  slices: TimeSlices,
): Promise<readonly string[]> {
  const requests = new Set<string>();
  for (const source of [texts.findLast(isSpoken), texts.find(isSpoken)]) {
    const request = source === undefined ? undefined : await requestIn(source.text, slices);
    if (request !== undefined) requests.add(request);
  }
  return [...requests];
}

function isSpoken({ role }: SourceText): boolean {
  return role === 'user';
}

async function requestIn(text: string, slices: TimeSlices): Promise<string | undefined> {
  for (const sentence of sentencesOf(text)) {
    const line = oneLine(sentence);
    if (line.length >= leastCharacters && line.length <= maxCharacters) return line;
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return undefined;
}
