import type { parsePartialJson } from 'ai';

/** Characters, and the share of what is there, by which an answer grows before it is looked at again. */
const leastGrowth = 120;
const growthShare = 0.1;

/**
 * Characters that are looked at: a narrative of the largest budget has some 10,000. What is buffered is read without a
 * pause, and all looks at so many brackets take some 30 ms.
 */
const maxCharacters = 30_000;

/**
 * Where a sentence ends: neither behind an initial nor with a line. Half a secret, as of a key of several lines, is
 * recognised by no redaction.
 */
const sentenceEnd = /[^\s.]{2}[.!?؟۔।](?=\s)|[。！？]/g;

/**
 * Reads the narrative in the JSON of an answer that is still being written, and tells it as far as its last whole
 * sentence. Each look reads all that is there: looks are so far apart that together they cost some ten times the answer.
 *
 * @param readJson - The SDK's, which is loaded with the first summary.
 * @returns Takes the whole answer so far.
 */
export function partialNarrative(
  readJson: typeof parsePartialJson,
  onPartial: (narrative: string) => void,
): (answer: string) => Promise<void> {
  let nextLook = 0;
  let told = '';
  return async (answer) => {
    if (answer.length < nextLook || answer.length > maxCharacters) return;
    nextLook = answer.length + Math.max(leastGrowth, answer.length * growthShare);
    // A fence may stand before the object.
    const { value } = await readJson(answer.slice(answer.indexOf('{')));
    const narrative = narrativeIn(value);
    if (narrative === told || narrative === '') return;
    told = narrative;
    onPartial(narrative);
  };
}

/** The narrative as far as its last whole sentence; all of it where something follows it. */
function narrativeIn(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('summary' in answer)) return '';
  const { summary } = answer;
  if (typeof summary !== 'string') return '';
  if (Object.keys(answer).at(-1) !== 'summary') return summary.trim();
  const last = [...summary.matchAll(sentenceEnd)].at(-1);
  return last === undefined ? '' : summary.slice(0, last.index + last[0].length).trim();
}
