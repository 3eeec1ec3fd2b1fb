import { estimateTokens } from './estimate-tokens.ts';
import { priorityQueue } from './priority-queue.ts';
import type { SourceText } from './source-texts.ts';
import type { Term, TermIndex } from './term-index.ts';

/** A short piece of a text. */
export interface TextWindow {
  /** Position of the text among the texts. */
  readonly source: number;
  readonly start: number;
  readonly end: number;
}

interface Candidate extends TextWindow {
  readonly terms: readonly Term[];
  readonly cost: number;
}

/** Characters of a window: enough for an identifier and the words that say what it is. */
export const windowCharacters = 45;

/** Characters below which a window says too little about what it names. */
const leastCharacters = 24;

/** Characters before the first identifier of a window. */
const leadCharacters = 6;

/** Tokens that separate a window from the next one. */
const separatorTokens = 2;

/** Windows kept for each term, best first; the others would say the same. */
const windowsPerTerm = 3;

/**
 * Ranks windows so that any number of the first ones cover as much weight for their tokens as a greedy
 * choice can. Stops at an estimated size.
 *
 * @param covered - Terms that are said elsewhere and count no more; added to.
 */
export function selectWindows(
  texts: readonly SourceText[],
  index: TermIndex,
  weigh: (term: Term) => number,
  maxTokens: number,
  covered: Set<Term>,
): readonly TextWindow[] {
  const weights = new Map<Term, number>();
  for (const term of index.terms.values()) weights.set(term, weigh(term));
  const gainOf = (terms: readonly Term[]): number => {
    let gain = 0;
    for (const term of terms) if (!covered.has(term)) gain += weights.get(term) ?? 0;
    return gain;
  };
  const queue = priorityQueue<Candidate>();
  for (const candidate of candidates(texts, index, weights))
    queue.add(candidate, gainOf(candidate.terms) / candidate.cost);

  const chosen: TextWindow[] = [];
  let tokens = 0;
  for (let best = queue.take(); best !== undefined; best = queue.take()) {
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
    chosen.push(item);
  }
  return chosen;
}

/** The best few windows for each term, made around every mention. */
function candidates(
  texts: readonly SourceText[],
  { occurrences }: TermIndex,
  weights: ReadonlyMap<Term, number>,
): Iterable<Candidate> {
  const best = new Map<Term, { candidate: Candidate; score: number }[]>();
  for (const [source, { terms, starts, ends }] of occurrences.entries()) {
    const text = texts[source]?.text ?? '';
    for (let first = 0; first < terms.length; first += 1) {
      const from = wordStart(text, starts[first] ?? 0);
      const limit = from + windowCharacters;
      const inside: Term[] = [];
      let gain = 0;
      let heaviest: Term | undefined;
      let taken = 0;
      let end = ends[first] ?? 0;
      let score = 0;
      let reach = from;
      let tokens = separatorTokens;
      for (let next = first; next < terms.length; next += 1) {
        const term = terms[next];
        const termEnd = ends[next] ?? 0;
        if (term === undefined || (termEnd > limit && next > first)) break;
        if (termEnd > reach) {
          tokens += estimateTokens(text, reach, termEnd);
          reach = termEnd;
        }
        if (!inside.includes(term)) {
          inside.push(term);
          const weight = weights.get(term) ?? 0;
          gain += weight;
          if (heaviest === undefined || weight > (weights.get(heaviest) ?? 0)) heaviest = term;
        }
        if (reach - from < leastCharacters || gain / tokens >= score) {
          score = gain / tokens;
          taken = inside.length;
          end = reach;
        }
      }
      if (heaviest === undefined) continue;
      const cost = separatorTokens + estimateTokens(text, from, end);
      const rivals = best.get(heaviest) ?? [];
      if (rivals.length === 0) best.set(heaviest, rivals);
      const worst = rivals.at(-1);
      if (rivals.length >= windowsPerTerm && worst !== undefined && worst.score >= score) continue;
      const candidate = { source, start: from, end, terms: inside.slice(0, taken), cost };
      rivals.push({ candidate, score });
      rivals.sort((left, right) => right.score - left.score);
      if (rivals.length > windowsPerTerm) rivals.pop();
    }
  }
  return [...best.values()].flat().map(({ candidate }) => candidate);
}

const lineFeed = 10;

/** Beginning of the words that lead to a position. */
function wordStart(text: string, position: number): number {
  let start = Math.max(0, position - leadCharacters);
  if (start > 0) while (start < position && !isSpace(text, start - 1)) start += 1;
  for (let before = position - 1; before >= start; before -= 1)
    if (text.charCodeAt(before) === lineFeed) return before + 1;
  return start;
}

function isSpace(text: string, position: number): boolean {
  return text.charCodeAt(position) <= 32;
}
