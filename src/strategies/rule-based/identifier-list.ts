import { scanTerms } from './terms/scan-terms.ts';
import { identifierKinds, numberKinds, type TermKind } from './terms/term.ts';
import { estimateTokens } from './texts/estimate-tokens.ts';

/** An identifier of a list, and what it is listed under: the name of the field that it stood in. */
export interface ListedIdentifier {
  readonly text: string;
  /** Empty where it stood in none. */
  readonly group: string;
}

/** What may be listed: numbers too, for a list names the field that they stood in. */
export const listedKinds: ReadonlySet<TermKind> = new Set([...identifierKinds, ...numberKinds]);

/** Characters of a line that groups are put on together. */
const lineCharacters = 200;

/** A comma would take a token for each. */
const betweenIdentifiers = ' ';
const betweenGroups = '; ';
const behindName = ': ';

/** Estimated tokens of what separates an identifier from the next one: a space mostly belongs to the word behind it. */
const separatorTokens = 0.5;

/** Estimated tokens of an identifier in a list, what separates it from the next one included. */
export function identifierTokens({ text }: Pick<ListedIdentifier, 'text'>): number {
  return separatorTokens + estimateTokens(text);
}

/** Writes identifiers group by group, several small groups on a line: `user: u_17 u_18; total: 950`. */
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

/** Longer lines were written by no list of ours. */
const maxListCharacters = 100_000;

/** Reads a line that {@link writeIdentifierList} wrote; `undefined` for any other text. */
export function readIdentifierList(line: string): readonly ListedIdentifier[] | undefined {
  if (line.length > maxListCharacters) return undefined;
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
