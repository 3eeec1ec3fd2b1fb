/** What a piece of text is, by its spelling alone: `amount` is a number with a name or a currency before it. */
export type IdentifierKind = 'name' | 'code' | 'amount' | 'number';

/** Told about every identifier. */
export type IdentifierVisitor = (kind: IdentifierKind, start: number, end: number) => void;

/** Runs of characters that identifiers are made of; most are words, which are passed over. */
const runs = /[a-zA-Z]{2,10}:\/\/[^\s"'()<>[\\\]`{}]+|[\w\u00c0-\u024f./@~-]+/g;
const word = /^[a-z\u00df-\u024f]+$|^[A-Z\u00c0-\u00de]?[a-z\u00df-\u024f]*[.-]?$/;

/** What joins a run to the rest of its sentence. */
const trailing = '.:-@~/?!,;';

/** Longer runs are encoded data, which nobody refers to. */
const longestRun = 256;

/**
 * Finds what a text may be referred to by: paths, URLs, e-mail addresses, dates, file names, code identifiers, ids and
 * numbers of three digits and more.
 */
export function findIdentifiers(text: string, visit: IdentifierVisitor): void {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (run.length < 3 || run.length > longestRun || word.test(run)) continue;
    let end = index + run.length;
    while (end > index && trailing.includes(text.charAt(end - 1))) end -= 1;
    if (run.includes('://')) visit('name', index, end);
    else classify(text, index, end, visit);
  }
}

function classify(text: string, from: number, end: number, visit: IdentifierVisitor): void {
  let start = from + (/^[-@~]*/.exec(text.slice(from, end))?.[0].length ?? 0);
  // A leading dot belongs to a path, otherwise it is punctuation.
  if (!text.slice(start, end).includes('/')) while (text.charAt(start) === '.') start += 1;
  const run = text.slice(start, end);
  if (run.length < 3) return;
  const hasLetter = /[a-zA-Z\u00c0-\u024f]/.test(run);
  if (run.includes('/')) {
    // The end of an element: `</body>`.
    if (text.charAt(start - 1) !== '<') classifyPath(start, run, hasLetter, visit);
  } else if (/^[^@]+@[^@]+\.\w+$|^\d{4}-\d\d-\d\d/.test(run)) visit('name', start, end);
  else if (!hasLetter && /\d/.test(run)) {
    const isAmount = /(?:[$€£]|: )$/.test(text.slice(Math.max(0, start - 2), start));
    if (/\d{3}|\d[.-]\d/.test(run)) visit(isAmount ? 'amount' : 'number', start, end);
  } else if (run.includes('.')) classifyDotted(start, run, visit);
  else if (run.includes('-') && /\d/.test(run)) visit('name', start, end);
  else classifyPieces(start, run, visit);
}

function classifyPath(
  start: number,
  run: string,
  hasLetter: boolean,
  visit: IdentifierVisitor,
): void {
  const end = start + run.length;
  if (!hasLetter) visit(run.length >= 6 ? 'name' : 'number', start, end);
  else if (run.startsWith('/') || run.indexOf('/') !== run.lastIndexOf('/') || /[._\d]/.test(run)) {
    visit('name', start, end);
  } else visit('code', start, end);
}

function classifyDotted(start: number, run: string, visit: IdentifierVisitor): void {
  // Two sentences without a space between them: `a challenge.Every Monday`.
  if (run.length < 4 || /^[a-z]+\.[A-Z](?:[a-z]|$)/.test(run)) return;
  visit(run.length - run.lastIndexOf('.') - 1 <= 4 ? 'name' : 'code', start, start + run.length);
  // `value.total_seconds` is spoken of as `total_seconds`.
  classifyPieces(start, run, visit);
}

/** The pieces of a run between points and dashes that are identifiers by themselves. */
function classifyPieces(start: number, run: string, visit: IdentifierVisitor): void {
  for (const { 0: piece, index } of run.matchAll(/[^./@~-]+/g)) {
    const at = start + index;
    const hasDigit = /\d/.test(piece);
    const hasLetter = /[^\d_]/.test(piece);
    if (piece.length < 3 || (!hasLetter && !hasDigit)) continue;
    if (hasDigit && !hasLetter) visit('number', at, at + piece.length);
    else if (hasDigit && piece.length > 3) visit('name', at, at + piece.length);
    else if (piece.includes('_') || /[a-z][A-Z]/.test(piece)) visit('code', at, at + piece.length);
  }
}
