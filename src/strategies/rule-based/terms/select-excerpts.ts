import type { TimeSlices } from '../../../util/time-slices.ts';
import { priorityQueue } from './priority-queue.ts';
import type { SourceText } from '../texts/source-texts.ts';
import type { Term } from './term.ts';
import type { TermIndex } from './term-index.ts';
import { excerptCandidates, type Excerpt, type ExcerptCandidate } from './excerpt-candidates.ts';

/** An excerpt that was chosen. */
export interface ChosenExcerpt extends Excerpt {
  /** Weight it adds for each of its tokens. */
  readonly worth: number;
}

/** What excerpts are chosen by. */
export interface ExcerptChoice {
  readonly weigh: (term: Term) => number;
  /** Estimated size at which choosing stops. */
  readonly maxTokens: number;
  /** Terms that are said elsewhere and count no more; added to. */
  readonly said: Set<Term>;
  readonly slices: TimeSlices;
}

/**
 * Ranks excerpts so that any number of the first ones say as much weight for their tokens as a greedy
 * choice can.
 */
export async function selectExcerpts(
  texts: readonly SourceText[],
  index: TermIndex,
  { weigh, maxTokens, said, slices }: ExcerptChoice,
): Promise<readonly ChosenExcerpt[]> {
  const weights = await weightsOf(index, weigh, slices);
  const gainOf = (terms: readonly Term[]): number => {
    let gain = 0;
    for (const term of terms) if (!said.has(term)) gain += weights[term.id] ?? 0;
    return gain;
  };
  const queue = priorityQueue<ExcerptCandidate>();
  for (const candidate of await excerptCandidates(texts, index, weights, slices)) {
    queue.add(candidate, gainOf(candidate.terms) / candidate.cost);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }

  const chosen: ChosenExcerpt[] = [];
  let tokens = 0;
  for (let best = queue.take(); best !== undefined; best = queue.take()) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    const { item, priority } = best;
    const current = gainOf(item.terms) / item.cost;
    if (current <= 0) continue;
    // What was chosen since has lowered it: it waits for its turn at its new value.
    if (current < priority) {
      queue.add(item, current);
      continue;
    }
    tokens += item.cost;
    if (tokens > maxTokens) break;
    for (const term of item.terms) said.add(term);
    const { source, start, end } = item;
    chosen.push({ source, start, end, worth: current });
  }
  return chosen;
}

/** The weights of terms by their ids. */
async function weightsOf(
  { terms }: TermIndex,
  weigh: ExcerptChoice['weigh'],
  slices: TimeSlices,
): Promise<Float64Array> {
  const weights = new Float64Array(terms.size);
  for (const term of terms.values()) {
    weights[term.id] = weigh(term);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return weights;
}
