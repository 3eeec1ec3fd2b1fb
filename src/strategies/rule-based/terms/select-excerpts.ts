import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { priorityQueue } from './priority-queue.ts';
import type { Excerpt } from '../texts/excerpt.ts';
import type { MinutesText } from '../texts/minutes-text.ts';
import type { Term } from './term.ts';
import type { TermIndex } from './term-index.ts';
import { excerptCandidates, type ExcerptCandidate } from './excerpt-candidates.ts';

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
  /** Lines that are begun already. */
  readonly opened: Iterable<number>;
  readonly slices: TimeSlices;
}

/**
 * Ranks excerpts so that any number of the first ones say as much weight for their tokens as a greedy
 * choice can.
 */
export async function selectExcerpts(
  texts: readonly MinutesText[],
  index: TermIndex,
  { weigh, maxTokens, said, opened, slices }: ExcerptChoice,
): Promise<readonly ChosenExcerpt[]> {
  const weights = await weightsOf(index, weigh, slices);
  const open = new Set(opened);
  const lineOf = ({ source }: Excerpt): number => texts[source]?.line ?? -1;
  const worthOf = (candidate: ExcerptCandidate): number => {
    let gain = 0;
    for (const term of candidate.terms) if (!said.has(term)) gain += weights[term.id] ?? 0;
    const isOpen = open.has(lineOf(candidate));
    return gain / (candidate.cost + (isOpen ? 0 : headTokens(texts[candidate.source])));
  };
  const queue = priorityQueue<ExcerptCandidate>();
  const candidates = await excerptCandidates(texts, index, weights, slices);
  for (const candidate of candidates) {
    queue.add(candidate, worthOf(candidate));
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }

  const byLine = Map.groupBy(candidates, lineOf);
  const chosen: ChosenExcerpt[] = [];
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
    const line = lineOf(item);
    const isOpen = open.has(line);
    tokens += item.cost + (isOpen ? 0 : headTokens(texts[item.source]));
    if (tokens > maxTokens) break;
    for (const term of item.terms) said.add(term);
    const { source, start, end } = item;
    chosen.push({ source, start, end, worth });
    if (isOpen) continue;
    open.add(line);
    // What else stands on the line has become cheaper.
    for (const other of byLine.get(line) ?? []) queue.add(other, worthOf(other));
  }
  return chosen;
}

/** Estimated tokens of a line beside what it quotes. */
function headTokens(text: MinutesText | undefined): number {
  return text?.isCall === true ? callHeadTokens : spokenHeadTokens;
}

const callHeadTokens = 5;
const spokenHeadTokens = 3;

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
