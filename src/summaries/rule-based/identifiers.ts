import { estimateTokens, textPieces } from '../../sizes/tokens/text-counter.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import type { TranscriptPart } from '../messages/read-messages.ts';

/** Weights of kinds of identifiers: a distinctive spelling gets referred to, numbers occur everywhere. */
const kindWeights = {
  path: 1,
  email: 0.5,
  url: 0.7,
  date: 1,
  file: 1,
  id: 1,
  code: 0.8,
  amount: 0.5,
  number: 0.25,
} as const;

/** Kind of an identifier, by its spelling alone. */
type IdentifierKind = keyof typeof kindWeights;

/** Receives every identifier; a file name follows the path it ends. */
type IdentifierVisitor = (kind: IdentifierKind, start: number, end: number) => void;

/** Runs of characters that identifiers are made of; most are words, which are passed over. */
const runs = /[a-zA-Z]{2,10}:\/\/[^\s"'()<>[\\\]`{}]+|[\w\u00c0-\u024f./@~-]+/g;
const word = /^[a-z\u00df-\u024f]+$|^[A-Z\u00c0-\u00de]?[a-z\u00df-\u024f]*[.-]?$/;

/** Marks that join a run to the rest of its sentence. */
const trailing = '.:-@~/?!,;';

/** Longer runs are encoded data, which nobody refers to. */
const longestRun = 256;

/**
 * Finds the identifiers of a text: paths, URLs, e-mail addresses, dates, file names, code identifiers, ids and numbers
 * of three digits and more.
 */
export function findIdentifiers(text: string, visit: IdentifierVisitor): void {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (run.length > longestRun || word.test(run)) continue;
    let end = index + run.length;
    while (end > index && trailing.includes(text.charAt(end - 1))) end -= 1;
    if (run.includes('://')) visit('url', index, end);
    else classify(text, index, end, visit);
  }
}

function classify(text: string, from: number, end: number, visit: IdentifierVisitor): void {
  const given = text.slice(from, end);
  // A leading dot belongs to a path, otherwise it is punctuation.
  const run = given.replace(given.includes('/') ? /^[-@~]+/ : /^[-@~.]+/, '');
  const start = end - run.length;
  if (run.length < 3) return;
  const hasLetter = /[a-zA-Z\u00c0-\u024f]/.test(run);
  if (run.includes('/')) classifyPath(text, start, run, hasLetter, visit);
  else if (/^[^@]+@[^@]+\.\w+$/.test(run)) visit('email', start, end);
  else if (/^\d{4}-\d\d-\d\d/.test(run)) visit('date', start, end);
  else if (!hasLetter && /\d/.test(run)) {
    if (/\d{3}|\d[.-]\d/.test(run)) visit(isValue(text, start) ? 'amount' : 'number', start, end);
  } else if (run.includes('.')) classifyDotted(start, run, visit);
  else if (run.includes('-') && /\d/.test(run)) visit('id', start, end);
  else classifyPieces(start, run, visit);
}

function classifyPath(
  text: string,
  start: number,
  run: string,
  hasLetter: boolean,
  visit: IdentifierVisitor,
): void {
  const end = start + run.length;
  // The end of an element: `</body>`.
  if (text.charAt(start - 1) === '<') return;
  if (!hasLetter) visit(run.length >= 6 ? 'date' : 'number', start, end);
  else if (run.startsWith('/') || run.indexOf('/') !== run.lastIndexOf('/') || /[._\d]/.test(run)) {
    visit('path', start, end);
    const name = start + run.lastIndexOf('/') + 1;
    if (end - name > 2 && text.slice(name, end).includes('.')) visit('file', name, end);
  } else visit('code', start, end);
}

function classifyDotted(start: number, run: string, visit: IdentifierVisitor): void {
  // Two sentences without a space between them: `a challenge.Every Monday`.
  if (run.length < 4 || /^[a-z]+\.[A-Z](?:[a-z]|$)/.test(run)) return;
  visit(run.length - run.lastIndexOf('.') - 1 <= 4 ? 'file' : 'code', start, start + run.length);
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
    else if (hasDigit && piece.length > 3) visit('id', at, at + piece.length);
    else if (piece.includes('_') || /[a-z][A-Z]/.test(piece)) visit('code', at, at + piece.length);
  }
}

/** A number with a name or a currency before it, `total: 1628` or `$450`, unlike one in a listing. */
function isValue(text: string, start: number): boolean {
  return /(?:[$€£]|: )$/.test(text.slice(Math.max(0, start - 2), start));
}

/** An identifier of a list, and its group: the name of the field that held it, or nothing. */
export interface ListedIdentifier {
  readonly text: string;
  readonly group: string;
}

/** An identifier that may be listed, and its tokens as estimated. */
export interface RankedIdentifier extends ListedIdentifier {
  readonly tokens: number;
}

/** Group of the names of fields, and the weight of a name: mostly it heads the values that it held. */
const fields = 'fields';
const fieldWeight = 0.3;

/** Weight of a number that somebody wrote, unlike one that a tool printed. */
const saidNumber = 0.6;

/**
 * Weights of mentions: the agent's calls and people's texts outweigh the output of tools. The head of an earlier
 * record's list had many mentions.
 */
const mentionWeights = { call: 8, text: 2, result: 0.6, note: 0.6 } as const;
const listedWeight = 5;

/** A listing that repeats a thing a hundred times makes it no more important than a few mentions do. */
const mostForResults = 2;

/** Share of the weight that the oldest mentions lack. */
const recencyShare = 0.2;

/** Penalty of a long identifier, as an exponent of its tokens: 1 would be in proportion, 0 none. */
const lengthExponent = 0.7;

/** Most different identifiers of a conversation, and of a list; further ones are skipped. */
const mostFound = 50_000;
const mostListed = 2000;

interface Found {
  readonly text: string;
  readonly kind: IdentifierKind;
  readonly tokens: number;
  /** Weight of its mentions: in texts, calls and lists, and in the output of tools. */
  said: number;
  printed: number;
  /** Position of its last mention, from 0 to 1. */
  last: number;
  group: string;
  /** Whether a call asked for it: the name of the field there counts. */
  isAsked: boolean;
  /** Whether it is the name of a field, half of a time, the end of a path, which say nothing alone. */
  isPart: boolean;
}

const unknown = { said: 0, printed: 0, last: 0, group: '', isAsked: false, isPart: true };

/**
 * Ranks the identifiers of a conversation by how likely they are to be needed again, for their tokens.
 *
 * @param listed - Identifiers that an earlier record lists, in its order.
 */
export async function rankIdentifiers(
  texts: readonly Pick<TranscriptPart, 'kind' | 'text'>[],
  listed: readonly ListedIdentifier[],
): Promise<readonly RankedIdentifier[]> {
  const found = new Map<string, Found>();
  const hasTools = texts.some(({ kind }) => kind === 'call');
  for (const [place, { text, group }] of listed.entries()) {
    const said = listedWeight * (1 - place / listed.length) ** 2;
    const [kind, tokens] = [kindOf(text), estimateTokens(text)];
    if (kind !== undefined)
      found.set(text, { ...unknown, text, kind, tokens, said, group, isPart: group === fields });
  }
  const total = texts.reduce((sum, { text }) => sum + text.length, 1);
  let before = 0;
  for (const { kind: source, text } of texts) {
    for (const piece of textPieces(text)) {
      const last = (before += piece.length) / total;
      findIdentifiers(piece, (kind, start, end) => {
        const spelled = piece.slice(start, end);
        let known = found.get(spelled);
        if (known === undefined) {
          if (found.size >= mostFound) return;
          // Tokens are estimated here and not while ranking: all of them take longer than others may wait.
          const tokens = estimateTokens(spelled);
          found.set(spelled, (known = { ...unknown, text: spelled, kind, tokens }));
        }
        known[source === 'text' || source === 'call' ? 'said' : 'printed'] +=
          mentionWeights[source];
        known.last = last;
        if (known.isPart) known.isPart = saysNothing(kind, piece, start, end);
        if (source !== 'text') nameField(known, piece, start, source === 'call');
      });
      await yieldToEventLoop();
    }
  }
  return ranked([...found.values()], hasTools);
}

function ranked(all: readonly Found[], hasTools: boolean): readonly RankedIdentifier[] {
  const weigh = ({ kind, said, printed, last, isPart }: Found): number => {
    const isNumber = kind === 'number' || kind === 'amount';
    const weight = isPart ? fieldWeight : isNumber && said > 0 ? saidNumber : kindWeights[kind];
    return (
      weight *
      Math.log2(1 + said + Math.min(printed, mostForResults)) *
      (1 - recencyShare + recencyShare * last)
    );
  };
  const worthy = all
    // In a chat a number says nothing without its sentence; tools print numbers of lines, ports, sizes.
    .filter(
      ({ kind, said, isPart }) =>
        (!isPart || kind === 'code') &&
        (kind !== 'number' || (hasTools && said > 0)) &&
        (kind !== 'amount' || hasTools),
    )
    .map((each) => ({
      ...each,
      group: each.isPart ? fields : each.group,
      worth: weigh(each) / each.tokens ** lengthExponent,
    }))
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, mostListed);
  const covered = new Set<string>();
  return worthy.filter(({ text }) => {
    if (covered.has(text)) return false;
    // `session.store_id` says `store_id` too, and a path its folders.
    findIdentifiers(text, (_, start, end) => covered.add(text.slice(start, end)));
    for (const { index } of text.matchAll(/\//g)) covered.add(text.slice(0, index));
    return true;
  });
}

function saysNothing(kind: IdentifierKind, text: string, start: number, end: number): boolean {
  if (kind === 'path')
    return /^\/\w{1,6}$/.test(text.slice(start, end)) || text.slice(start, end).includes('//');
  const behind = text.slice(end, end + 2);
  if (kind === 'file') return text.charAt(start - 1) === '/';
  if (kind === 'date') return /:\d/.test(behind);
  const isName =
    kind === 'code' ||
    kind === 'number' ||
    (kind === 'id' && !/\d{4}/.test(text.slice(start, end)));
  return isName && behind === ': ';
}

/** Takes the name of the field that holds an identifier: of the first call where there is one. */
function nameField(known: Found, text: string, start: number, isCall: boolean): void {
  if (isCall ? known.isAsked : known.group !== '') return;
  known.isAsked ||= isCall;
  const before = text.slice(Math.max(0, start - fieldNameReach), start);
  known.group = fieldName.exec(before)?.[1] ?? known.group;
}

/** The name of a field, right before its value. */
const fieldName = /(?:^|[\n,:({|][ \t]*)["']?([A-Za-z][\w-]{1,30})["']?: ?["']?$/;
const fieldNameReach = 40;

const lineCharacters = 200;

/** Writes identifiers group by group, several small groups on a line: `user: u_17 u_18; total: 950`. */
export function writeIdentifiers(identifiers: readonly ListedIdentifier[]): readonly string[] {
  const lines: string[] = [];
  for (const [group, ofGroup] of Map.groupBy(identifiers, (each) => each.group)) {
    const names = ofGroup.map(({ text }) => text).join(' ');
    const written = group === '' ? names : `${group}: ${names}`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + written.length <= lineCharacters)
      lines[lines.length - 1] = `${last}; ${written}`;
    else lines.push(written);
  }
  return lines;
}

const namedGroup = /^([A-Za-z][\w-]{1,30}): (.+)$/;

/** Reads a line that {@link writeIdentifiers} wrote; any other text is one identifier, if it is one. */
export function readIdentifiers(line: string): readonly ListedIdentifier[] | undefined {
  const listed: ListedIdentifier[] = [];
  for (const written of line.slice(0, 100_000).split('; ')) {
    const named = namedGroup.exec(written);
    const group = named?.[1] ?? '';
    for (const text of (named?.[2] ?? written).split(' ')) {
      if (kindOf(text) === undefined) return undefined;
      listed.push({ text, group });
    }
  }
  return listed;
}

/** Returns the kind of a text that is a single identifier. */
function kindOf(text: string): IdentifierKind | undefined {
  let whole: IdentifierKind | undefined;
  findIdentifiers(text, (kind, start, end) => {
    if (end - start === text.length) whole = kind;
  });
  return whole;
}
