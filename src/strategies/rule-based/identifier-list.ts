import type { TimeSlices } from '../../util/time-slices.ts';
import { scanTerms } from './terms/scan-terms.ts';
import type { TermIndex } from './terms/term-index.ts';
import type { Term, TermKind } from './terms/term.ts';
import { estimateTokens } from './texts/estimate-tokens.ts';
import type { MinutesText } from './texts/minutes-text.ts';

/** An identifier of a list, and what it is listed under: the name of the field that it stood in. */
export interface ListedIdentifier {
  readonly text: string;
  /** Empty where it stood in none. */
  readonly group: string;
}

/** An identifier that may be listed. */
export interface IdentifierCandidate extends ListedIdentifier {
  readonly term: Term;
}

/** What may be listed: words and names say nothing without what stands around them. */
const listedKinds: ReadonlySet<TermKind> = new Set([
  'path',
  'url',
  'email',
  'date',
  'file',
  'id',
  'code',
  'amount',
  'number',
]);

/** What says nothing in a chat, where it stands in no field. */
const numbers: ReadonlySet<TermKind> = new Set(['amount', 'number']);

/** By how much a long identifier stands back behind short ones: 1 would be by its tokens, 0 not at all. */
const lengthExponent = 0.7;

/** No summary has room for more. */
const mostIdentifiers = 2000;

/** Identifiers that nothing `said` mentions, those most likely to be needed for their tokens first. */
export async function rankIdentifiers(
  texts: readonly MinutesText[],
  { terms }: TermIndex,
  {
    weigh,
    said,
    isAgent,
    slices,
  }: {
    readonly weigh: (term: Term) => number;
    readonly said: ReadonlySet<Term>;
    readonly isAgent: boolean;
    readonly slices: TimeSlices;
  },
): Promise<readonly IdentifierCandidate[]> {
  const found: { readonly term: Term; readonly worth: number }[] = [];
  for (const term of terms.values()) {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    if (!listedKinds.has(term.kind) || said.has(term)) continue;
    if (!isAgent && numbers.has(term.kind)) continue;
    if (isPrintedNumber(term) || namesField(term, texts) || folderAtRoot.test(term.text)) continue;
    found.push({ term, worth: weigh(term) / identifierTokens(term) ** lengthExponent });
  }
  const ranked: IdentifierCandidate[] = [];
  const listed = new Set<string>();
  for (const { term } of found.toSorted((one, other) => other.worth - one.worth)) {
    if (ranked.length === mostIdentifiers) break;
    if (listed.has(term.text)) continue;
    ranked.push({ term, text: term.text, group: groupOf(term, texts) });
    // A path says the name of its file too.
    scanTerms(term.text, false, (_, start, end) => listed.add(term.text.slice(start, end)));
  }
  return ranked;
}

/** Whether a term is a number that a tool printed and nobody took up: of a line, a port, a size. */
function isPrintedNumber({ kind, mentions }: Term): boolean {
  const { call, user, assistant, memory, list } = mentions;
  return kind === 'number' && call + user + assistant + memory + list === 0;
}

/** Whether a term is the name of a field, which says nothing without what the field holds. */
function namesField({ source, start, text, kind }: Term, texts: readonly MinutesText[]): boolean {
  return kind === 'code' && texts[source]?.text.startsWith(': ', start + text.length) === true;
}

/** Names of folders that every machine has, and ends of elements. */
const folderAtRoot = /^\/\w{1,6}$/;

/** Estimated tokens of an identifier in a list, what separates it from the next one included. */
export function identifierTokens({ text }: Pick<ListedIdentifier, 'text'>): number {
  return 1 + estimateTokens(text);
}

/** The name of a field, right in front of what it holds. */
const fieldName = /(?:^|[\s,({|])["']?([A-Za-z][\w-]{1,30})["']?: ?["']?$/;
const fieldNameReach = 40;

function groupOf({ source, start }: Term, texts: readonly MinutesText[]): string {
  const { text = '', head = '', role } = texts[source] ?? {};
  if (role === 'list') return head;
  if (role !== 'call' && role !== 'result') return '';
  return fieldName.exec(text.slice(Math.max(0, start - fieldNameReach), start))?.[1] ?? '';
}

/** Characters of a line that groups are put on together. */
const lineCharacters = 200;

const betweenIdentifiers = ', ';
const betweenGroups = '; ';
const behindName = ': ';

/** Writes identifiers group by group, several small groups on a line: `user: u_17, u_18; total: 950`. */
export function writeIdentifierList(identifiers: readonly ListedIdentifier[]): readonly string[] {
  const lines: string[] = [];
  for (const [group, ofGroup] of Map.groupBy(identifiers, (identifier) => identifier.group)) {
    const names = ofGroup.map(({ text }) => text).join(betweenIdentifiers);
    const written = group === '' ? names : `${group}${behindName}${names}`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + written.length <= lineCharacters)
      lines[lines.length - 1] = `${last}${betweenGroups}${written}`;
    else lines.push(written);
  }
  return lines;
}

const namedGroup = /^([A-Za-z][\w-]{1,30}): (.+)$/;

/** Reads a line that {@link writeIdentifierList} wrote; `undefined` for any other text. */
export function readIdentifierList(line: string): readonly ListedIdentifier[] | undefined {
  const listed: ListedIdentifier[] = [];
  for (const written of line.split(betweenGroups)) {
    const [, group = '', names = written] = namedGroup.exec(written) ?? [];
    for (const text of names.split(betweenIdentifiers)) {
      if (!isIdentifier(text)) return undefined;
      listed.push({ text, group });
    }
  }
  // By itself it is the name of a file, or whatever a model wrote.
  return listed.length === 1 && listed[0]?.group === '' ? undefined : listed;
}

function isIdentifier(text: string): boolean {
  let isWhole = false;
  scanTerms(text, false, (kind, start, end) => {
    isWhole ||= start === 0 && end === text.length && listedKinds.has(kind);
  });
  return isWhole;
}
