import { runInSlices } from '../../../util/async/run-steps.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { tokensBefore } from '../texts/estimate-tokens.ts';
import { passageEnds } from '../texts/passages.ts';
import type { Excerpt } from '../texts/excerpt.ts';
import type { MinutesText } from '../texts/minutes-text.ts';
import type { Term } from './term.ts';
import type { TermIndex, TermOccurrences } from './term-index.ts';

/** An excerpt that may be chosen. */
export interface ExcerptCandidate extends Excerpt {
  /** The different terms in it. */
  readonly terms: readonly Term[];
  /** Estimated tokens, what separates it from the next excerpt included. */
  readonly cost: number;
}

/** Characters of an excerpt that passages are joined to, and beyond which none is added. */
const leastCharacters = 60;
const mostCharacters = 160;

/** Longer passages without a place to pause are encoded data. */
const maxPassageCharacters = 500;

/** What an excerpt costs beside its text: its share of the line that it stands on. */
const overhead = 3;

interface Rival {
  readonly candidate: ExcerptCandidate;
  readonly score: number;
}

/**
 * Makes an excerpt of every passage that mentions a term, together with those behind it while that is
 * worth it, and keeps for each term the best that mentions it: others would say the same.
 *
 * @param weights - By the id of a term.
 */
export async function excerptCandidates(
  texts: readonly MinutesText[],
  { occurrences }: TermIndex,
  weights: Float64Array,
  slices: TimeSlices,
): Promise<readonly ExcerptCandidate[]> {
  const best = Array.from<Rival | undefined>({ length: weights.length });
  for (const [source, found] of occurrences.entries()) {
    const minutesText = texts[source];
    if (minutesText === undefined || found.terms.length === 0 || !isQuoted(minutesText)) continue;
    const { text, isCall } = minutesText;
    const ends = await runInSlices(passageEnds(text, !isCall, longestOf(minutesText)), slices);
    const reading = {
      text,
      ends,
      found,
      tokens: await runInSlices(tokensBefore(text, ends), slices),
      weights,
    };
    let first = 0;
    for (let passage = 0; passage < ends.length; passage += 1) {
      const pause = slices.pause();
      if (pause !== undefined) await pause;
      const end = ends[passage] ?? 0;
      const before = first;
      while (first < found.terms.length && (found.starts[first] ?? 0) < end) first += 1;
      if (first === before) continue;
      const rival = excerptFrom(reading, source, passage, before);
      if (rival === undefined) continue;
      for (const { id } of rival.candidate.terms)
        if (rival.score > (best[id]?.score ?? 0)) best[id] = rival;
    }
  }
  const candidates = new Set<ExcerptCandidate>();
  for (const rival of best) if (rival !== undefined) candidates.add(rival.candidate);
  return [...candidates];
}

function isQuoted({ role }: MinutesText): boolean {
  return role !== 'facts' && role !== 'list';
}

/** Characters from which a passage is quoted in parts; what was quoted before was chosen for its length. */
function longestOf({ role, isFacts = false }: MinutesText): number {
  return role === 'memory' && !isFacts ? longestQuoted : longestPassage;
}

const longestPassage = 120;
const longestQuoted = 240;

interface Reading {
  readonly text: string;
  readonly ends: readonly number[];
  readonly found: TermOccurrences;
  /** Estimated tokens before the end of each passage. */
  readonly tokens: readonly number[];
  readonly weights: Float64Array;
}

/** The excerpt that begins with a passage, as long as it says most for its tokens. */
function excerptFrom(
  { text, ends, found, tokens, weights }: Reading,
  source: number,
  passage: number,
  first: number,
): Rival | undefined {
  const start = ends[passage - 1] ?? 0;
  const before = tokens[passage - 1] ?? 0;
  if ((ends[passage] ?? 0) - start > maxPassageCharacters) return undefined;
  const terms: Term[] = [];
  let gain = 0;
  let next = first;
  let best: { readonly end: number; readonly terms: number; readonly cost: number } | undefined;
  let score = 0;
  for (let last = passage; last < ends.length; last += 1) {
    const end = ends[last] ?? text.length;
    if (last > passage && end - start > mostCharacters) break;
    for (; next < found.terms.length && (found.starts[next] ?? 0) < end; next += 1) {
      const term = found.terms[next];
      if (term === undefined || terms.includes(term)) continue;
      terms.push(term);
      gain += weights[term.id] ?? 0;
    }
    const cost = overhead + (tokens[last] ?? 0) - before;
    if (best === undefined || best.end - start < leastCharacters || gain / cost > score) {
      best = { end, terms: terms.length, cost };
      score = gain / cost;
    }
  }
  if (best === undefined) return undefined;
  const { end, cost } = best;
  return { candidate: { source, start, end, terms: terms.slice(0, best.terms), cost }, score };
}
