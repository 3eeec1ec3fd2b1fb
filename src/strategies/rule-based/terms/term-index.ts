import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { rangeEnds, scanTerms } from './scan-terms.ts';
import type { SourceText } from '../texts/source-texts.ts';
import type { Term, TermKind, TermVisitor } from './term.ts';

/** The terms of one text, by position; parallel arrays, because there may be millions. */
export interface TermOccurrences {
  readonly terms: Term[];
  readonly starts: number[];
  readonly ends: number[];
}

/** All terms of some texts. */
export interface TermIndex {
  readonly terms: ReadonlyMap<string, Term>;
  /** Parallel to the texts. */
  readonly occurrences: readonly TermOccurrences[];
}

/** Under what a term stands in an index: words do not differ by their case. */
export function termKey(kind: TermKind, spelled: string): string {
  return kind === 'word' ? spelled.toLowerCase() : spelled;
}

/** Different terms of a conversation; further ones are passed over. A million tokens of work have a third. */
const maxTerms = 200_000;

/**
 * Finds the terms of texts. Words and names count only where somebody speaks: those of tool results say
 * little about what a conversation will come back to.
 */
export async function indexTerms(
  texts: readonly SourceText[],
  slices: TimeSlices,
): Promise<TermIndex> {
  const terms = new Map<string, Term>();
  const total = texts.reduce((sum, { text }) => sum + text.length, 0);
  let before = 0;
  const occurrences: TermOccurrences[] = [];
  for (const [number, source] of texts.entries()) {
    const { text, role } = source;
    const found: TermOccurrences = { terms: [], starts: [], ends: [] };
    const offset = before;
    const visit = termCollector(source, number, terms, found, (start) => (offset + start) / total);
    const withWords = role === 'user' || role === 'assistant' || role === 'memory';
    let position = 0;
    for (const end of rangeEnds(text)) {
      if (end > position) position = scanTerms(text, withWords, visit, position, end);
      await slices.pause();
    }
    occurrences.push(found);
    before += text.length;
  }
  return { terms, occurrences };
}

function termCollector(
  { text, role, standing = 1 }: SourceText,
  source: number,
  terms: Map<string, Term>,
  found: TermOccurrences,
  placeOf: (start: number) => number,
): TermVisitor {
  return (kind, start, end) => {
    const key = termKey(kind, text.slice(start, end));
    if (kind === 'word' && commonWords.has(key)) return;
    let term = terms.get(key);
    if (term === undefined) {
      if (terms.size >= maxTerms) return;
      const mentions = { user: 0, assistant: 0, call: 0, result: 0, memory: 0, list: 0, facts: 0 };
      term = { id: terms.size, text: key, kind, mentions, source, start, last: 0 };
      terms.set(key, term);
    }
    if (role === 'call' && term.mentions.call === 0) {
      term.source = source;
      term.start = start;
    }
    term.mentions[role] += standing;
    term.last = placeOf(start);
    found.terms.push(term);
    found.starts.push(start);
    found.ends.push(end);
  };
}

const commonWords: ReadonlySet<string> = new Set(
  (
    'the and for with that this from are was were been have has had not but you your our can will would ' +
    'should could may might must does did doing its they them their there here then than when where which ' +
    'who whom what why how all any some into onto out about over under after before also just only very ' +
    'because since while during each other such these those him her his she too let now please need want'
  ).split(' '),
);
