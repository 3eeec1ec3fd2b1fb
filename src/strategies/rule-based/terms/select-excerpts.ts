import type { TimeSlices } from '../../../util/async/time-slices.ts';
import type { Excerpt } from '../texts/excerpt.ts';
import type { MinutesText } from '../texts/minutes-text.ts';
import { excerptCandidates, type ExcerptCandidate } from './excerpt-candidates.ts';
import { priorityQueue } from './priority-queue.ts';
import type { TermIndex } from './term-index.ts';
import type { Term } from './term.ts';

/** What excerpts are chosen by. */
export interface ExcerptChoice {
  readonly weigh: (term: Term) => number;
  /** Estimated size at which choosing stops. */
  readonly maxTokens: number;
  /** Terms that are said elsewhere and count no more. */
  readonly said: ReadonlySet<Term>;
  /** Whether an excerpt tells a reader anything. Asked for the best ones alone. */
  readonly isQuotable: (excerpt: Excerpt) => boolean;
  readonly slices: TimeSlices;
}

/**
 * Ranks excerpts so that any number of the first ones say as much weight for their tokens as a greedy
 * choice can.
 */
// oxlint-disable-next-line max-lines-per-function -- one queue, which each choice reorders
export async function selectExcerpts(
  texts: readonly MinutesText[],
  index: TermIndex,
  { weigh, maxTokens, said, isQuotable, slices }: ExcerptChoice,
): Promise<readonly Excerpt[]> {
  const weights = new Float64Array(index.terms.size);
  for (const term of index.terms.values()) {
    if (!said.has(term)) weights[term.id] = weigh(term);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  const candidates = await excerptCandidates(texts, index, weights, slices);
  const worthOf = ({ terms, cost }: ExcerptCandidate): number =>
    terms.reduce((gain, { id }) => gain + (weights[id] ?? 0), 0) / cost;
  const queue = priorityQueue<ExcerptCandidate>();
  for (const candidate of candidates) {
    queue.add(candidate, worthOf(candidate));
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  const chosen: Excerpt[] = [];
  let tokens = 0;
  for (let best = queue.take(); best !== undefined; best = queue.take()) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    const { item, priority } = best;
    const worth = worthOf(item);
    if (worth <= 0) continue;
    // What was chosen since has lowered it: it waits for its turn at its new value.
    if (worth < priority) {
      queue.add(item, worth);
      continue;
    }
    if (!isQuotable(item)) continue;
    tokens += item.cost;
    if (tokens > maxTokens) break;
    chosen.push({ source: item.source, start: item.start, end: item.end });
    for (const { id } of item.terms) weights[id] = 0;
  }
  return chosen;
}
