import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { priorityQueue } from '../../rule-based/terms/priority-queue.ts';
import type { SourceText } from '../../rule-based/texts/source-texts.ts';
import { indexTerms } from '../../rule-based/terms/term-index.ts';
import { identifierKinds, termWeigher } from '../../rule-based/terms/term.ts';

/** Identifiers looked at; the share is used up long before. */
const maxIdentifiers = 200;

/** Identifiers that somebody took up, by their weight. */
export async function rankIdentifiers(
  texts: readonly SourceText[],
  isAgent: boolean,
  slices: TimeSlices,
): Promise<readonly string[]> {
  const weigh = termWeigher(isAgent);
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
  const identifiers: string[] = [];
  for (let rank = 0; rank < maxIdentifiers; rank += 1) {
    const next = ranked.take();
    if (next === undefined) break;
    identifiers.push(next.item);
  }
  return withoutEndsOfOthers(identifiers);
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
