/**
 * What counts as an identifier. Written for the measure alone, apart from what the package selects by,
 * so that the two cannot agree by construction.
 */
const patterns: readonly RegExp[] = [
  // URLs
  /\bhttps?:\/\/[^\s"'`<>()[\]{}\\]+/g,
  // e-mail addresses
  /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g,
  // paths: at least one slash between names
  /(?:\.{0,2}\/)?[A-Za-z_][\w.-]*(?:\/[\w.-]+)+/g,
  // file names
  /\b[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}\b/g,
  // dates
  /\b\d{4}-\d{2}-\d{2}\b/g,
  // hexadecimal hashes
  /\b(?=[a-f]*\d)(?=\d*[a-f])[a-f\d]{7,40}\b/g,
  // snake_case, camelCase, PascalCase of two humps, SCREAMING_CASE
  /\b[A-Za-z]\w*_\w*[A-Za-z\d]\b/g,
  /\b[a-z]+\d*(?:[A-Z][a-z\d]*)+\b/g,
  /\b[A-Z][a-z\d]+(?:[A-Z][a-z\d]*)+\b/g,
  // alphanumeric ids
  /\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{4,}\b/g,
  // numbers of three and more digits
  /\b\d{3,}(?:\.\d+)?\b/g,
];

const trailing = /[.,:;/-]+$/;

/** The different identifiers of a text. */
export function identifiersOf(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    for (const [match] of text.matchAll(pattern)) {
      const identifier = match.replace(trailing, '');
      if (identifier.length > 2 && !abbreviations.has(identifier.toLowerCase()))
        found.add(identifier);
    }
  }
  return found;
}

const abbreviations: ReadonlySet<string> = new Set(['e.g', 'i.e', 'and/or', 'a.m', 'p.m']);

/** Positions of a text inside another one, at word boundaries. */
export function* occurrences(text: string, sought: string): Generator<number> {
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    if (!isWord(text, at - 1) && !isWord(text, at + sought.length)) yield at;
  }
}

/** Whether a text contains another one at word boundaries. */
export function contains(text: string, sought: string): boolean {
  return !(occurrences(text, sought).next().done ?? true);
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95
  );
}
