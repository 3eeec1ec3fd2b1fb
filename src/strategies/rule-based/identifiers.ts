import { estimateTokens, textPieces } from '../../tokens/text-counter.ts';
import { pause } from '../../util/async/time-slices.ts';
import { findIdentifiers, type IdentifierKind } from './find-identifiers.ts';
import type { MessageText, Speaker } from '../messages/read-messages.ts';

/** An identifier of a list, and what it is listed under: the name of the field that it stood in, or nothing. */
export interface ListedIdentifier {
  readonly text: string;
  readonly group: string;
}

/** What has a spelling of its own is what gets referred to; numbers occur everywhere. */
const kindWeights: Readonly<Record<IdentifierKind, number>> = {
  name: 1,
  code: 0.8,
  amount: 0.5,
  number: 0.25,
};

/** A number somebody wrote, unlike one that a tool printed. */
const saidNumber = 0.6;

/**
 * What a mention counts: the agent's calls and what people say outweigh what tools print. What heads the list of an
 * earlier record had many of them.
 */
const mentionWeights: Readonly<Record<Speaker, number>> = {
  call: 8,
  user: 2,
  document: 2,
  assistant: 2,
  result: 0.6,
};
const listedWeight = 5;

/** A listing that repeats a thing a hundred times makes it no more important than a few mentions do. */
const mostForResults = 2;

/** Share of the weight that the oldest mentions lack. */
const recencyShare = 0.2;

/** By how much a long identifier stands back behind short ones: 1 would be by its tokens, 0 not at all. */
const lengthExponent = 0.7;

/** Different identifiers of a conversation, further ones are passed over; and those of a list. */
const mostFound = 50_000;
const mostListed = 2000;

interface Found extends ListedIdentifier {
  readonly kind: IdentifierKind;
  /** What mentions count: what was said, asked and listed, and what tools printed. */
  said: number;
  printed: number;
  /** Where it was mentioned last, from 0 to 1. */
  last: number;
  group: string;
  /** Whether a call asked for it: what it is called there is what it is. */
  isAsked: boolean;
}

const unknown = { said: 0, printed: 0, last: 0, group: '', isAsked: false };

/**
 * Ranks the identifiers of a conversation, those most likely to be needed again for their tokens first.
 *
 * @param listed - Those that an earlier record lists, in its order.
 */
export async function rankIdentifiers(
  texts: readonly MessageText[],
  listed: readonly ListedIdentifier[],
): Promise<readonly ListedIdentifier[]> {
  const found = new Map<string, Found>();
  const hasTools = texts.some(({ role }) => role === 'call');
  for (const [place, { text, group }] of listed.entries()) {
    const said = listedWeight * (1 - place / listed.length) ** 2;
    findIdentifiers(text, (kind, start, end) => {
      if (end - start === text.length) found.set(text, { ...unknown, text, kind, said, group });
    });
  }
  const total = texts.reduce((sum, { text }) => sum + text.length, 1);
  let before = 0;
  for (const { role, text } of texts) {
    for (const piece of textPieces(text)) {
      const last = (before += piece.length) / total;
      findIdentifiers(piece, (kind, start, end) => {
        const spelled = piece.slice(start, end);
        const known = found.get(spelled) ?? { ...unknown, text: spelled, kind };
        if (found.size < mostFound) found.set(spelled, known);
        known[role === 'result' ? 'printed' : 'said'] += mentionWeights[role];
        known.last = last;
        if (role === 'call' || role === 'result') nameField(known, piece, start, role === 'call');
      });
      await pause();
    }
  }
  const weigh = ({ kind, said, printed, last, text }: Found): number => {
    const isSaidNumber = (kind === 'number' || kind === 'amount') && said > 0;
    const weight = isSaidNumber ? saidNumber : kindWeights[kind];
    const mentions = Math.log2(1 + said + Math.min(printed, mostForResults));
    const recency = 1 - recencyShare + recencyShare * last;
    return (weight * mentions * recency) / identifierTokens({ text }) ** lengthExponent;
  };
  const worthy = Array.from(found.values())
    // In a chat a number says nothing without its sentence; what a tool printed are numbers of lines, ports, sizes.
    .filter(
      ({ kind, said }) =>
        (kind !== 'number' || (hasTools && said > 0)) && (kind !== 'amount' || hasTools),
    )
    .map((each) => ({ ...each, worth: weigh(each) }))
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, mostListed);
  const covered = new Set<string>();
  return worthy.filter(({ text }) => {
    if (covered.has(text)) return false;
    // `session.store_id` says `store_id` too, and a path its folders.
    findIdentifiers(text, (_, start, end) => covered.add(text.slice(start, end)));
    for (let end = text.indexOf('/', 1); end > 0; end = text.indexOf('/', end + 1))
      covered.add(text.slice(0, end));
    return true;
  });
}

/** Takes the name of the field that holds an identifier: of the first call where there is one. */
function nameField(known: Found, text: string, start: number, isCall: boolean): void {
  if (isCall ? known.isAsked : known.group !== '') return;
  known.isAsked ||= isCall;
  const before = text.slice(Math.max(0, start - fieldNameReach), start);
  known.group = fieldName.exec(before)?.[1] ?? known.group;
}

/** The name of a field, right in front of what it holds. */
const fieldName = /(?:^|[\n,:({|][ \t]*)["']?([A-Za-z][\w-]{1,30})["']?: ?["']?$/;
const fieldNameReach = 40;

/** Estimated tokens of an identifier in a list. */
export function identifierTokens({ text }: Pick<ListedIdentifier, 'text'>): number {
  return estimateTokens(text);
}

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
    const [, group = '', names = written] = namedGroup.exec(written) ?? [];
    for (const text of names.split(' ')) {
      if (!isIdentifier(text)) return undefined;
      listed.push({ text, group });
    }
  }
  return listed;
}

function isIdentifier(text: string): boolean {
  let isWhole = false;
  findIdentifiers(text, (_, start, end) => {
    isWhole ||= end - start === text.length;
  });
  return isWhole;
}
