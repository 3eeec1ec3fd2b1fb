import { jsonLines } from './known-record.ts';
import { remarksIn, sentences } from './reading.ts';
import { findings, readEntry } from './write-summary.ts';

/** Whether a prompt asks for a summary in plain text: of a part of a conversation, or of such summaries. */
export function asksForText(prompt: string): boolean {
  return prompt.trimEnd().endsWith('Write the summary and nothing else.');
}

/** Writes that summary, by extraction: what the user said and what tools found, as much as may be said. */
export function condenseText(prompt: string): string {
  const maxChars = Number(/at most (\d+) characters/.exec(prompt)?.[1] ?? 600);
  const given = jsonLines(prompt).filter(Array.isArray).flat();
  const said = given.flatMap((entry) => {
    if (typeof entry === 'string') return sentences(entry);
    const turn = readEntry(entry);
    return turn.role === 'user' ? remarksIn(turn.text) : findings([turn]);
  });
  const chosen: string[] = [];
  let length = 0;
  for (const sentence of new Set(said)) {
    length += sentence.length + 1;
    if (length <= maxChars) chosen.push(sentence);
  }
  return chosen.join(' ') || 'Nothing was said.';
}
