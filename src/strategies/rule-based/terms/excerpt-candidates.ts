import { runInSlices } from '../../../util/run-steps.ts';
import type { TimeSlices } from '../../../util/time-slices.ts';
import { tokenPositions } from '../texts/estimate-tokens.ts';
import type { SourceText } from '../texts/source-texts.ts';
import type { Term } from './term.ts';
import type { TermIndex, TermOccurrences } from './term-index.ts';

/** A short piece of a text. */
export interface Excerpt {
  /** Position of the text among the texts. */
  readonly source: number;
  readonly start: number;
  readonly end: number;
}

/** An excerpt that may be chosen. */
export interface ExcerptCandidate extends Excerpt {
  /** The different terms in it. */
  readonly terms: readonly Term[];
  /** Estimated tokens, what separates it from the next excerpt included. */
  readonly cost: number;
}

/** Characters of an excerpt: enough for an identifier and the words that say what it is. */
const maxExcerptCharacters = 45;

/** Characters below which an excerpt says too little about what it names. */
const leastExcerpt = 24;

/** Characters before the first identifier of an excerpt. */
const leadCharacters = 6;

/** What an excerpt costs beside its text: the separator and the broken words around it. */
const excerptSeparator = 3.5;

/** Excerpts kept for each term, best first; the others would say the same. */
const excerptsPerTerm = 3;

interface Rival {
  readonly candidate: ExcerptCandidate;
  readonly score: number;
}

/**
 * Makes an excerpt at every mention of every term and keeps, for each term, the best few of those in which
 * it is the heaviest: weight for tokens, each excerpt ending where that is highest.
 *
 * @param weights - By the id of a term.
 */
export async function excerptCandidates(
  texts: readonly SourceText[],
  { occurrences }: TermIndex,
  weights: Float64Array,
  slices: TimeSlices,
): Promise<readonly ExcerptCandidate[]> {
  const best = Array.from<Rival[] | undefined>({ length: weights.length });
  for (const [source, found] of occurrences.entries()) {
    const text = texts[source]?.text ?? '';
    if (found.terms.length === 0) continue;
    const tokens = await runInSlices(tokenPositions(text), slices);
    for (let first = 0; first < found.terms.length; first += 1) {
      const pause = slices.pause();
      if (pause !== undefined) await pause;
      const excerpt = excerptAt(text, found, first, tokens, weights);
      const { heaviest, score } = excerpt;
      const rivals = (best[heaviest.id] ??= []);
      if (rivals.length >= excerptsPerTerm && (rivals[excerptsPerTerm - 1]?.score ?? 0) >= score)
        continue;
      const { start, end, last, cost } = excerpt;
      const terms = [...new Set(found.terms.slice(first, last + 1))];
      rivals.push({ candidate: { source, start, end, terms, cost }, score });
      rivals.sort((left, right) => right.score - left.score);
      if (rivals.length > excerptsPerTerm) rivals.pop();
    }
  }
  const candidates: ExcerptCandidate[] = [];
  for (const rivals of best) for (const { candidate } of rivals ?? []) candidates.push(candidate);
  return candidates;
}

interface ScoredExcerpt {
  readonly start: number;
  readonly end: number;
  /** Position of its last mention among the mentions of the text. */
  readonly last: number;
  readonly cost: number;
  readonly heaviest: Term;
  readonly score: number;
}

function excerptAt(
  text: string,
  { terms, starts, ends }: TermOccurrences,
  first: number,
  tokens: Float32Array,
  weights: Float64Array,
): ScoredExcerpt {
  const firstTerm = terms[first] ?? noSuchMention();
  const start = excerptStart(text, starts[first] ?? 0);
  const base = tokens[start] ?? 0;
  let heaviest = firstTerm;
  let gain = 0;
  let reach = start;
  let end = start;
  let last = first;
  let cost = excerptSeparator;
  let score = 0;
  // Millions of steps: numbers in local variables, no objects.
  for (let next = first; next < terms.length; next += 1) {
    const term = terms[next] ?? firstTerm;
    const termEnd = ends[next] ?? 0;
    if (termEnd > start + maxExcerptCharacters && next > first) break;
    if (termEnd > reach) reach = termEnd;
    if (terms.indexOf(term, first) === next) {
      const weight = weights[term.id] ?? 0;
      gain += weight;
      if (weight > (weights[heaviest.id] ?? 0)) heaviest = term;
    }
    const tokensSoFar = excerptSeparator + (tokens[reach] ?? 0) - base;
    if (reach - start < leastExcerpt || gain / tokensSoFar >= score) {
      end = reach;
      last = next;
      cost = tokensSoFar;
      score = gain / tokensSoFar;
    }
  }
  return { start, end, last, cost, heaviest, score };
}

function noSuchMention(): never {
  throw new RangeError('There is no such mention.');
}

/** Beginning of the words that lead to a position. */
function excerptStart(text: string, position: number): number {
  let start = Math.max(0, position - leadCharacters);
  if (start > 0) while (start < position && text.charCodeAt(start - 1) > 32) start += 1;
  for (let before = position - 1; before >= start; before -= 1)
    if (text.charCodeAt(before) === 10) return before + 1;
  return start;
}
