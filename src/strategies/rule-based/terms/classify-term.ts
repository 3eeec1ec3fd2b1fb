import {
  at,
  classOf,
  dash,
  digit,
  dot,
  joiners,
  lower,
  slash,
  underscore,
  upper,
} from './character-class.ts';
import type { TermVisitor } from './term.ts';

/** A text that is scanned. */
export interface Scan {
  readonly text: string;
  readonly withWords: boolean;
  readonly visit: TermVisitor;
}

/** Tells what a run of characters without separators is, whole or in pieces. */
export function classifyTerm(scan: Scan, from: number, to: number, flags: number): void {
  const { text, visit } = scan;
  if ((flags & joiners) === 0) {
    classifyWord(scan, from, to, flags);
    return;
  }
  let start = from;
  const end = trimmedEnd(text, from, to);
  while (start < end && '-@~'.includes(text.charAt(start))) start += 1;
  // A leading dot or slash belongs to a path, otherwise it is punctuation.
  if ((flags & slash) === 0) while (start < end && text.charAt(start) === '.') start += 1;
  if (end - start < 2) return;
  if ((flags & at) !== 0 && isEmail(text, start, end)) {
    visit('email', start, end);
  } else if ((flags & slash) !== 0 && text.lastIndexOf('/', end - 1) >= start) {
    classifyPath(scan, start, end, flags);
  } else if (isDate(text, start, end)) {
    visit('date', start, end);
  } else if ((flags & dot) !== 0 && text.lastIndexOf('.', end - 1) > start) {
    classifyDotted(scan, start, end);
  } else if ((flags & dash) !== 0 && (flags & digit) !== 0 && end - start > 3) {
    visit((flags & (lower | upper)) === 0 ? 'number' : 'id', start, end);
  } else {
    splitAt(scan, start, end);
  }
}

function classifyPath(scan: Scan, start: number, end: number, flags: number): void {
  const { text, visit } = scan;
  // The end of an element: `</body>`.
  if (text.charAt(start - 1) === '<') return;
  if ((flags & (lower | upper)) === 0) {
    visit(end - start >= 6 ? 'date' : 'number', start, end);
    return;
  }
  const first = text.indexOf('/', start);
  const last = text.lastIndexOf('/', end - 1);
  const isPath = first === start || first !== last || (flags & (dot | underscore | digit)) !== 0;
  const isProse = scan.withWords && !isPath;
  visit(isPath ? 'path' : isProse ? 'name' : 'code', start, end);
  const name = last + 1;
  if (isPath && end - name > 2 && text.slice(name, end).includes('.')) visit('file', name, end);
}

function classifyDotted(scan: Scan, start: number, end: number): void {
  const { text, visit } = scan;
  const extension = end - text.lastIndexOf('.', end - 1) - 1;
  let flags = 0;
  for (let position = start; position < end; position += 1)
    flags |= classOf(text.charCodeAt(position));
  if (scan.withWords && joinsSentences(text, start, end)) splitAt(scan, start, end);
  else if ((flags & (lower | upper | underscore)) === 0)
    visit(isValue(text, start) ? 'amount' : 'number', start, end);
  else if (end - start < 4) return;
  else {
    visit(extension <= 4 ? 'file' : 'code', start, end);
    // `value.total_seconds` is spoken of as `total_seconds`.
    splitAt({ ...scan, withWords: false }, start, end);
  }
}

/** Two sentences without a space between them: `a challenge.Every Monday`. */
function joinsSentences(text: string, start: number, end: number): boolean {
  const point = text.indexOf('.', start);
  for (let position = start; position < point; position += 1)
    if (classOf(text.charCodeAt(position)) !== lower) return false;
  return (
    classOf(text.charCodeAt(point + 1)) === upper &&
    (point + 2 >= end || classOf(text.charCodeAt(point + 2)) === lower)
  );
}

/** Classifies the pieces of a run that is no identifier as a whole. */
function splitAt(scan: Scan, start: number, end: number): void {
  let from = start;
  let flags = 0;
  for (let position = start; position <= end; position += 1) {
    const kind = position < end ? classOf(scan.text.charCodeAt(position)) : dash;
    if ((kind & joiners) === 0) {
      flags |= kind;
      continue;
    }
    if (position > from) classifyWord(scan, from, position, flags);
    from = position + 1;
    flags = 0;
  }
}

function classifyWord(scan: Scan, start: number, end: number, flags: number): void {
  const { text, withWords, visit } = scan;
  const length = end - start;
  if ((flags & underscore) !== 0) {
    if (length > 2 && (flags & (lower | upper | digit)) !== 0)
      visit((flags & digit) === 0 ? 'code' : 'id', start, end);
  } else if ((flags & digit) !== 0) {
    if ((flags & (lower | upper)) === 0) {
      if (length >= 3) visit(isValue(text, start) ? 'amount' : 'number', start, end);
      else if (withWords) visit('figure', start, end);
    } else if (length >= 4) visit('id', start, end);
    else if (withWords) visit('figure', start, end);
  } else if ((flags & upper) !== 0) {
    if (hasHump(text, start, end)) visit('code', start, end);
    else if (withWords && length > 1)
      visit((flags & lower) !== 0 && startsSentence(text, start) ? 'word' : 'name', start, end);
  } else if (withWords && length > 2) {
    visit('word', start, end);
  }
}

/** An upper-case letter after a lower-case one. */
function hasHump(text: string, start: number, end: number): boolean {
  for (let position = start + 1; position < end; position += 1) {
    if (
      classOf(text.charCodeAt(position)) === upper &&
      classOf(text.charCodeAt(position - 1)) === lower
    )
      return true;
  }
  return false;
}

function startsSentence(text: string, start: number): boolean {
  let position = start - 1;
  while (position >= 0 && start - position < 4 && ' "\'(*'.includes(text.charAt(position)))
    position -= 1;
  return position < 0 || '.!?\n:'.includes(text.charAt(position));
}

/** A number with a name or a currency before it, `total: 1628` or `$450`, unlike one in a listing. */
function isValue(text: string, start: number): boolean {
  const before = text.charAt(start - 1);
  return before === '$' || before === '€' || (before === ' ' && text.charAt(start - 2) === ':');
}

function isEmail(text: string, start: number, end: number): boolean {
  const middle = text.indexOf('@', start);
  return middle > start && middle < end && text.lastIndexOf('.', end - 1) > middle + 1;
}

/** 2024-05-31, alone or with a time behind it. */
function isDate(text: string, start: number, end: number): boolean {
  if (end - start < 10 || text.charAt(start + 4) !== '-' || text.charAt(start + 7) !== '-')
    return false;
  return [0, 1, 2, 3, 5, 6, 8, 9].every(
    (offset) => classOf(text.charCodeAt(start + offset)) === digit,
  );
}

/** Where a run ends without the punctuation behind it. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && '.,:;-@~/?!'.includes(text.charAt(last - 1))) last -= 1;
  return last;
}
