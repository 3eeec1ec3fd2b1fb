import type { SourceRole } from '../texts/source-texts.ts';

/** What a piece of text is, by its spelling alone. */
export type TermKind =
  | 'path'
  | 'url'
  | 'email'
  | 'date'
  | 'file'
  | 'code'
  | 'id'
  | 'amount'
  | 'number'
  | 'figure'
  | 'name'
  | 'word';

/** Kinds that name a thing by themselves. */
export const identifierKinds: ReadonlySet<TermKind> = new Set([
  'path',
  'url',
  'email',
  'date',
  'file',
  'id',
  'code',
]);

/** Kinds that say something only beside the name of what they are a number of. */
export const numberKinds: ReadonlySet<TermKind> = new Set(['amount', 'number']);

/** Told about every term, in order of its beginning; a file name follows the path it ends. */
export type TermVisitor = (kind: TermKind, start: number, end: number) => void;

/** A thing the texts mention, and how. */
export interface Term {
  /** Number of the term, from 0 on. */
  readonly id: number;
  readonly text: string;
  readonly kind: TermKind;
  /** Mentions by role. */
  readonly mentions: Record<SourceRole, number>;
  /** Text and position of its first mention, of the first in a call where there is one. */
  source: number;
  start: number;
  /** Where it was mentioned last, from 0 (oldest text) to 1 (newest). */
  last: number;
}

/** Numbers and words occur everywhere; what has a spelling of its own is what gets referred to. */
const kindWeights: Readonly<Record<TermKind, number>> = {
  path: 1,
  email: 0.5,
  url: 0.7,
  date: 1,
  file: 1,
  id: 1,
  code: 0.8,
  amount: 0.5,
  number: 0.25,
  figure: 0.15,
  name: 0.15,
  word: 0.02,
};

/** A number somebody wrote in a conversation with tools, unlike one that a tool printed. */
const saidNumber = 0.6;

/**
 * What a mention counts: the agent's calls and what people say outweigh what tools print. What heads the list
 * of an earlier record had many of them.
 */
const callWeight = 5;
const spokenWeight = 2;
const listedWeight = 8;
const resultWeight = 0.35;

/** A listing that repeats a thing a hundred times makes it no more important than three mentions do. */
const mostForResults = 2;

/** Share of the weight that the oldest mentions lack. */
const recencyShare = 0.2;

/** Kinds that carry a chat and hardly matter beside the identifiers of an agent's work. */
const chatKinds: ReadonlySet<TermKind> = new Set(['name', 'figure', 'word']);
const chatKindsBesideTools = 0.25;

/**
 * Makes a function that tells how likely a term is to be needed again, without a unit.
 *
 * @param hasTools - Whether the conversation calls tools.
 */
export function termWeigher(hasTools: boolean): (term: Term) => number {
  return ({ kind, mentions, last }) => {
    const { call, user, assistant, memory, list, result } = mentions;
    const said = callWeight * call + spokenWeight * (user + assistant + memory);
    const seen = listedWeight * list + Math.min(resultWeight * result, mostForResults);
    const mentioned = Math.log2(1 + said + seen);
    const base = numberKinds.has(kind) && said > 0 && hasTools ? saidNumber : kindWeights[kind];
    const scale = hasTools && chatKinds.has(kind) ? chatKindsBesideTools : 1;
    return scale * base * mentioned * (1 - recencyShare + recencyShare * last);
  };
}
