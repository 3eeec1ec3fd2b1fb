import { objectsIn, wholeSentences } from './lenient-json.ts';
import { spokenIn } from './summary-answer.ts';

/** Characters, and the share of what is there, by which an answer grows before it is looked at again. */
const leastGrowth = 120;
const growthShare = 0.1;

/**
 * Characters that are looked at: a narrative of the largest budget has some 10,000. What is buffered is read without a
 * pause, and all looks at so many brackets take some 30 ms.
 */
const maxCharacters = 30_000;

/**
 * Reads the narrative in the JSON of an answer that is still being written, and tells it as far as its last whole
 * sentence. Each look reads all that is there: looks are so far apart that together they cost some ten times the answer.
 *
 * @returns Takes the whole answer so far.
 */
export function partialNarrative(onPartial: (narrative: string) => void): (answer: string) => void {
  let nextLook = 0;
  let told = '';
  return (answer) => {
    if (answer.length < nextLook || answer.length > maxCharacters) return;
    nextLook = answer.length + Math.max(leastGrowth, answer.length * growthShare);
    const narrative = narrativeIn(answer);
    if (narrative === told || narrative === '') return;
    told = narrative;
    onPartial(narrative);
  };
}

/** The narrative as far as its last whole sentence; all of it where something follows it. */
function narrativeIn(answer: string): string {
  for (const { value, cut } of objectsIn(spokenIn(answer)[0] ?? '')) {
    const { summary } = value;
    if (typeof summary === 'string') return summary.trim();
    if (cut?.key === 'summary') return wholeSentences(cut.text);
  }
  return '';
}
