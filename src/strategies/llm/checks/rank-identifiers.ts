import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { priorityQueue } from '../../rule-based/terms/priority-queue.ts';
import type { SourceText } from '../../rule-based/texts/source-texts.ts';
import { indexTerms } from '../../rule-based/terms/term-index.ts';
import { toolUses } from '../../rule-based/facts/tool-uses.ts';
import { touchedFiles } from '../../rule-based/facts/touched-files.ts';
import { identifierKinds, termWeigher } from '../../rule-based/terms/term.ts';
import type { SummaryInput } from '../../summary-strategy.ts';

/** Identifiers looked at; the share is used up long before. */
const maxIdentifiers = 200;

/** Files that were changed, the last one first, then identifiers by their weight. */
export async function rankIdentifiers(
  { messages, redact }: Pick<SummaryInput, 'messages' | 'redact'>,
  texts: readonly SourceText[],
  slices: TimeSlices,
): Promise<readonly string[]> {
  const options = { extractors: {}, preserveErrorDetails: false, redact, slices };
  const uses = await toolUses(messages, options);
  const weigh = termWeigher(uses.length > 0);
  const { terms } = await indexTerms(texts, slices);
  const ranked = priorityQueue<string>();
  for (const term of terms.values()) {
    const { user, assistant, call } = term.mentions;
    // What only a tool printed once is noise until somebody takes it up.
    if (identifierKinds.has(term.kind) && user + assistant + call > 0)
      ranked.add(term.text, weigh(term));
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  const identifiers = new Set((await touchedFiles(uses, slices)).map(({ file }) => file));
  for (let rank = 0; rank < maxIdentifiers; rank += 1) {
    const next = ranked.take();
    if (next === undefined) break;
    identifiers.add(next.item);
  }
  return withoutEndsOfOthers([...identifiers]);
}

/** A path says the name of its file too, and every other end of itself. */
function withoutEndsOfOthers(paths: readonly string[]): readonly string[] {
  const candidates = new Set(paths);
  const ends = new Set<string>();
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const end = path.slice(slash + 1);
      if (candidates.has(end)) ends.add(end);
    }
  }
  return paths.filter((path) => !ends.has(path));
}
