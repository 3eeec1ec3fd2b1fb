import { runInSlices } from '../../util/async/run-steps.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { quotedRanges } from '../rule-based/texts/quoted-ranges.ts';
import { asOneLine, sentencesOf } from '../rule-based/texts/sentences.ts';
import type { SourceText } from '../rule-based/texts/source-texts.ts';

/** A sentence of the user. */
export interface UserSentence {
  /** As the user wrote it, on one line. */
  readonly text: string;
  /** Position of its message in the conversation. */
  readonly message: number;
}

/** Lists what the user says, sentence by sentence in order; not what they show: documents, code, forwarded text. */
export async function userSentences(
  texts: readonly SourceText[],
  positionOf: (index: number) => number,
  slices: TimeSlices,
): Promise<readonly UserSentence[]> {
  const said: UserSentence[] = [];
  for (const { index, role, text } of texts) {
    if (role !== 'user') continue;
    const message = positionOf(index);
    const quoted = await runInSlices(quotedRanges(text), slices);
    let next = 0;
    for (const { text: sentence, start } of sentencesOf(text)) {
      const pause = slices.pause();
      if (pause !== undefined) await pause;
      while (next < quoted.length && (quoted[next]?.end ?? 0) <= start) next += 1;
      const line = asOneLine(sentence);
      if (line !== '' && (quoted[next]?.start ?? text.length) > start)
        said.push({ text: line, message });
    }
  }
  return said;
}
