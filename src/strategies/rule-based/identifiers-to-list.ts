import type { TimeSlices } from '../../util/async/time-slices.ts';
import { identifierTokens, listedKinds, type ListedIdentifier } from './identifier-list.ts';
import { scanTerms } from './terms/scan-terms.ts';
import type { TermIndex } from './terms/term-index.ts';
import { numberKinds, type Term } from './terms/term.ts';
import type { MinutesText } from './texts/minutes-text.ts';

/** An identifier that may be listed. */
export interface IdentifierCandidate extends ListedIdentifier {
  readonly term: Term;
}

/** What identifiers are ranked by. */
export interface IdentifierRanking {
  readonly weigh: (term: Term) => number;
  /** Terms that are said elsewhere. */
  readonly said: ReadonlySet<Term>;
  /** Whether there are tools. In a chat a number says nothing without its sentence. */
  readonly isAgent: boolean;
  readonly slices: TimeSlices;
}

/** By how much a long identifier stands back behind short ones: 1 would be by its tokens, 0 not at all. */
const lengthExponent = 0.7;

/** No summary has room for more. */
const mostIdentifiers = 2000;

/** Ranks identifiers that are not said elsewhere, those most likely to be needed for their tokens first. */
export async function identifiersToList(
  texts: readonly MinutesText[],
  { terms }: TermIndex,
  { weigh, said, isAgent, slices }: IdentifierRanking,
): Promise<readonly IdentifierCandidate[]> {
  let found: WorthyTerm[] = [];
  for (const term of terms.values()) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    if (!listedKinds.has(term.kind) || said.has(term)) continue;
    if (saysNothing(term, texts) || (numberKinds.has(term.kind) && (!isAgent || !isTakenUp(term))))
      continue;
    const file = term.kind === 'path' ? terms.get(fileOf(term.text)) : undefined;
    const weight = weigh(term) + (file === undefined || said.has(file) ? 0 : weigh(file));
    found.push({ term, worth: weight / identifierTokens(term) ** lengthExponent });
    // Now and then, so that no sort takes long.
    if (found.length > 2 * mostIdentifiers) found = mostWorthy(found);
  }
  const ranked: IdentifierCandidate[] = [];
  const listed = new Set<string>();
  for (const { term } of mostWorthy(found)) {
    if (listed.has(term.text)) continue;
    ranked.push({ term, text: term.text, group: identifierGroup(term, texts) });
    // `session.store_id` says `store_id` too, and a path its folders.
    scanTerms(term.text, false, (_, start, end) => listed.add(term.text.slice(start, end)));
    for (let end = term.text.indexOf('/', 1); end > 0; end = term.text.indexOf('/', end + 1))
      listed.add(term.text.slice(0, end));
  }
  return ranked;
}

/** The name at the end of a path, which whoever reads the path has read too. */
function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

interface WorthyTerm {
  readonly term: Term;
  readonly worth: number;
}

function mostWorthy(terms: readonly WorthyTerm[]): WorthyTerm[] {
  return terms.toSorted((one, other) => other.worth - one.worth).slice(0, mostIdentifiers);
}

/** Whether anybody used a number, or a field held it: a tool prints numbers of lines, ports, sizes. */
function isTakenUp({ kind, mentions }: Term): boolean {
  const { call, user, assistant, memory, list } = mentions;
  return kind === 'amount' || call + user + assistant + memory + list > 0;
}

/**
 * Whether a term says nothing by itself: the end of a path, the name of a field, unless that is an id, the number of
 * a line, half of a time, a folder that every machine has, what is left of markup or of a comment.
 */
function saysNothing({ source, start, text, kind }: Term, texts: readonly MinutesText[]): boolean {
  if (kind === 'path') return folderAtRoot.test(text) || text.includes('//');
  const { text: whole = '' } = texts[source] ?? {};
  const end = start + text.length;
  const behind = whole.slice(end, end + 2);
  if (kind === 'file') return whole.charAt(start - 1) === '/';
  if (kind === 'date') return /^:\d/.test(behind);
  const isName = kind === 'code' || kind === 'number' || (kind === 'id' && !/\d{4}/.test(text));
  return isName && behind === ': ';
}

const folderAtRoot = /^\/\w{1,6}$/;

/** The name of a field, right in front of what it holds. */
const fieldName = /(?:^|[\n,:({|][ \t]*)["']?([A-Za-z][\w-]{1,30})["']?: ?["']?$/;
const fieldNameReach = 40;

function identifierGroup({ source, start }: Term, texts: readonly MinutesText[]): string {
  const { text = '', head = '', role } = texts[source] ?? {};
  if (role === 'list') return head;
  if (role !== 'call' && role !== 'result') return '';
  return fieldName.exec(text.slice(Math.max(0, start - fieldNameReach), start))?.[1] ?? '';
}
