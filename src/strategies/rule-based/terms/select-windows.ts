import type { TimeSlices } from '../../../util/time-slices.ts';
import { priorityQueue } from './priority-queue.ts';
import type { SourceText } from '../texts/source-texts.ts';
import type { Term, TermIndex } from './term-index.ts';
import { windowCandidates, type TextWindow, type WindowCandidate } from './window-candidates.ts';

/** A window that was chosen. */
export interface ChosenWindow extends TextWindow {
  /** Weight it covers for each of its tokens. */
  readonly worth: number;
}

/** What windows are chosen by. */
export interface WindowChoice {
  readonly weigh: (term: Term) => number;
  /** Estimated size at which choosing stops. */
  readonly maxTokens: number;
  /** Terms that are said elsewhere and count no more; added to. */
  readonly covered: Set<Term>;
  readonly slices: TimeSlices;
}

/**
 * Ranks windows so that any number of the first ones cover as much weight for their tokens as a greedy
 * choice can.
 */
export async function selectWindows(
  texts: readonly SourceText[],
  index: TermIndex,
  { weigh, maxTokens, covered, slices }: WindowChoice,
): Promise<readonly ChosenWindow[]> {
  const weights = new Float64Array(index.terms.size);
  for (const term of index.terms.values()) {
    weights[term.id] = weigh(term);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  const gainOf = (terms: readonly Term[]): number => {
    let gain = 0;
    for (const term of terms) if (!covered.has(term)) gain += weights[term.id] ?? 0;
    return gain;
  };
  const queue = priorityQueue<WindowCandidate>();
  for (const candidate of await windowCandidates(texts, index, weights, slices)) {
    queue.add(candidate, gainOf(candidate.terms) / candidate.cost);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }

  const chosen: ChosenWindow[] = [];
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
    for (const term of item.terms) covered.add(term);
    const { source, start, end } = item;
    chosen.push({ source, start, end, worth: current });
  }
  return chosen;
}
