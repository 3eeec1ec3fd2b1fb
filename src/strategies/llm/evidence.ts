import { contentText } from '../../record/content-text.ts';
import { itemsOf, type ContentItem } from '../../record/content-items.ts';
import { doubtMark } from '../../record/doubt-mark.ts';
import { modelOrigin, type ItemOrigin } from '../../record/item-origin.ts';
import { textPieces } from '../../tokens/text/text-pieces.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { messagePositions, type MessagePositions } from '../message-positions.ts';
import type { CitedText } from '../models/summary-answer.ts';
import { messageTexts } from '../messages/read-messages.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { sentencesOf } from '../texts.ts';
import { findValues, inCommon, placesOf, sameInTurn, wordsOf, type Value } from './values.ts';

/** Share of its words from which a text is borne out. */
const leastShare = 0.5;

/** How far from the message that is cited a value may stand. */
const reach = 2;

/** Where what an earlier record says stands. */
const earlier = -reach - 2;

/**
 * Words next to another number that have to be the statement's for that to stand in the place of its own: in a message
 * that holds half of the statement's words and not the number, one; else more.
 */
const samePlace = 1;
const surelySamePlace = 3;

/** Numbers of statements that are compared with one place: a flood of the same is compared no more often. */
const mostCompared = 32;

/** A value of a statement, and where it stands. */
interface SoughtValue extends Value {
  /** Keys of all values of the statement. */
  readonly siblings: ReadonlySet<string>;
  /** By position of a message that holds it: how many of the words next to it are the same. */
  readonly own: Map<number, number>;
  /** By position: how many words next to another number are the same, one after the other. */
  readonly others: Map<number, number>;
}

/** Words, and positions of the messages that hold them. */
type Holders = ReadonlyMap<string, Set<number>>;

/** Shares of the words of a text by position, of the messages that hold any. */
type Shares = ReadonlyMap<number, number>;

/** What was found of statements in the messages. */
export interface Evidence {
  readonly originAt: MessagePositions['originAt'];
  readonly holders: Holders;
  /** Those of the user's own words. */
  readonly ofUser: Holders;
  /** The values of each statement. */
  readonly values: ReadonlyMap<string, readonly SoughtValue[]>;
}

/** What is to be found, by what it is found by. */
interface Sought extends Pick<Evidence, 'holders' | 'ofUser' | 'values'> {
  readonly byKey: ReadonlyMap<string, readonly SoughtValue[]>;
  readonly byPlace: ReadonlyMap<string, readonly SoughtValue[]>;
}

/**
 * Reads the messages once for the words and values of what a model wrote.
 *
 * @param claims - All that will be asked for; a narrative by its sentences.
 */
export async function gatherEvidence(
  claims: readonly string[],
  input: SummaryInput,
  slices: TimeSlices,
): Promise<Evidence> {
  const { messages, previous, redact } = input;
  const { positionOf, originAt } = messagePositions(input);
  const sought = await soughtIn(claims, slices);
  const { holders, ofUser, values } = sought;
  const read = async (text: string, position: number, isUser: boolean): Promise<void> => {
    for (const piece of textPieces(text)) {
      for (const word of wordsOf(piece)) {
        holders.get(word)?.add(position);
        if (isUser) ofUser.get(word)?.add(position);
      }
      readValues(piece, position, sought);
      await slices.pause();
    }
  };
  for (const { index, role, text } of await messageTexts(messages, slices, redact))
    await read(text, positionOf(index), role === 'user');
  // A narrative may tell of the tools that were called by their names.
  for (const [index, { content }] of messages.entries())
    for (const part of content)
      if (typeof part === 'object' && part.type === 'tool-call')
        await read(part.toolName, positionOf(index), false);
  if (previous !== undefined) {
    await read(contentText(previous), earlier, false);
    for (const { item, origin } of itemsOf(previous).userWords)
      await read(item, origin.message ?? earlier, true);
  }
  return { originAt, holders, ofUser, values };
}

async function soughtIn(claims: readonly string[], slices: TimeSlices): Promise<Sought> {
  const values = new Map<string, readonly SoughtValue[]>();
  const byKey = new Map<string, SoughtValue[]>();
  const byPlace = new Map<string, SoughtValue[]>();
  const words = new Set<string>();
  for (const claim of claims) {
    const found = findValues(claim);
    const siblings = new Set(found.flatMap(({ keys }) => keys));
    const sought = found.map((each) => ({ ...each, siblings, own: new Map(), others: new Map() }));
    values.set(claim, sought);
    for (const value of sought) {
      for (const key of value.keys) byKey.set(key, [...(byKey.get(key) ?? []), value]);
      for (const place of value.isNumber ? placesOf(value) : []) {
        const known = byPlace.get(place) ?? [];
        if (known.length < mostCompared) byPlace.set(place, [...known, value]);
      }
    }
    for (const word of wordsOf(claim)) words.add(word);
    await slices.pause();
  }
  const holders = (): Holders => new Map(Array.from(words, (word) => [word, new Set()]));
  return { values, byKey, byPlace, holders: holders(), ofUser: holders() };
}

function readValues(text: string, position: number, { byKey, byPlace }: Sought): void {
  for (const value of findValues(text, true)) {
    // What was doubted once is no evidence.
    if (position === earlier && text.startsWith(` ${doubtMark}`, value.end)) continue;
    for (const key of value.keys)
      for (const sought of byKey.get(key) ?? [])
        raise(sought.own, position, inCommon(sought, value));
    // What an earlier record says may have changed.
    if (!value.isNumber || position === earlier) continue;
    for (const place of placesOf(value))
      for (const sought of byPlace.get(place) ?? [])
        if (!value.keys.some((key) => sought.siblings.has(key)))
          raise(sought.others, position, sameInTurn(sought, value));
  }
}

function raise(map: Map<number, number>, position: number, least: number): void {
  map.set(position, Math.max(least, map.get(position) ?? 0));
}

function sharesOf(text: string, among: Holders): Shares {
  const words = wordsOf(text);
  const shares = new Map<number, number>();
  for (const word of words)
    for (const position of among.get(word) ?? [])
      shares.set(position, (shares.get(position) ?? 0) + 1 / words.size);
  return shares;
}

function isEnough(share: number | undefined): boolean {
  return (share ?? 0) >= leastShare - 1e-9;
}

/**
 * Position of the user's message that holds half of the words of a text: of the cited one if it does, else of none; where
 * none is cited, of the first one, or of the one that holds most of them, the last of those.
 */
export function saidByUser(
  { text, message }: CitedText,
  { ofUser }: Evidence,
  isBest = false,
): number | undefined {
  const shares = sharesOf(text, ofUser);
  if (message !== undefined) return isEnough(shares.get(message)) ? message : undefined;
  const held = [...shares]
    .filter(([, share]) => isEnough(share))
    .toSorted(([one, share], [other, otherShare]) =>
      isBest ? otherShare - share || other - one : one - other,
    );
  return held[0]?.[0];
}

/** A statement with its origin, and a mark on values that nothing bears out; `undefined` where its message says others. */
export function judged({ text, message }: CitedText, evidence: Evidence): ContentItem | undefined {
  const { holders, originAt } = evidence;
  const shares = sharesOf(text, holders);
  const position = message ?? sourceOf(text, shares, evidence);
  if (position === undefined || originAt(position) === modelOrigin)
    return { item: doubted(text, shares, evidence), origin: modelOrigin };
  const values = evidence.values.get(text) ?? [];
  const missing = values.filter((value) => isMissing(value, shares, evidence, position));
  const isSaid = isEnough(shares.get(position));
  if (isSaid && missing.some(({ others }) => others.has(position))) return undefined;
  const by = [0, -1, 1, -2, 2]
    .map((step) => position + step)
    .find((at) => isEnough(shares.get(at)));
  const item = marked(text, missing);
  if (by !== undefined) return { item, origin: originOf(text, by, evidence) };
  // Values alone, such as a date in another language, bear out that it comes from there.
  const isOfValues = values.length > 0 && missing.length === 0;
  return { item, origin: isOfValues ? originAt(position) : modelOrigin };
}

/** A name with its origin, and a mark where it holds a value that stands nowhere. */
export function named(name: string, evidence: Evidence): ContentItem {
  const item = doubted(name, undefined, evidence);
  const position = sourceOf(name, sharesOf(name, evidence.holders), evidence);
  const isModels = item !== name || position === undefined;
  return { item, origin: isModels ? modelOrigin : originOf(name, position, evidence) };
}

/** A narrative with a mark on each value that stands nowhere, earlier records included. */
export function told(narrative: string, evidence: Evidence): string {
  return sentencesOf(narrative)
    .map(({ start, end }) => narrative.slice(start, end))
    .map((sentence) => doubted(sentence, sharesOf(sentence, evidence.holders), evidence))
    .join('');
}

const speakers = ['user', 'assistant', 'tool', 'system', 'model'];

/** The message that a text without a number comes from: the user's before the assistant's, the earliest first. */
function sourceOf(
  text: string,
  shares: Shares,
  { originAt, values }: Evidence,
): number | undefined {
  const rank = (position: number): number => speakers.indexOf(originAt(position).role);
  const held = [...shares]
    .filter(([position, share]) => originAt(position) !== modelOrigin && isEnough(share))
    .map(([position]) => position)
    .toSorted((one, other) => rank(one) - rank(other) || one - other);
  const holdsAll = (position: number): boolean =>
    (values.get(text) ?? []).every((value) => isNear(value, position));
  return held.find(holdsAll) ?? held[0];
}

/** Of a message of the user, what the application says is not the user's is nobody's word. */
function originOf(text: string, position: number, { ofUser, originAt }: Evidence): ItemOrigin {
  const origin = originAt(position);
  const isOwn = origin.role !== 'user' || isEnough(sharesOf(text, ofUser).get(position));
  return isOwn ? origin : modelOrigin;
}

function isNear({ own }: SoughtValue, position: number): boolean {
  return [...own.keys()].some((at) => Math.abs(at - position) <= reach);
}

/**
 * Whether nothing bears a value out.
 *
 * @param shares - Of the words of its statement; a name has none.
 * @param position - Of the message that the statement is from; without it, the value may stand anywhere.
 */
function isMissing(
  value: SoughtValue,
  shares: Shares | undefined,
  evidence: Evidence,
  position?: number,
): boolean {
  if (position === undefined)
    return value.own.size === 0 || isContradicted(value, shares, evidence, () => true);
  const scope = value.own.has(position) ? 0 : reach;
  return (
    !isNear(value, position) ||
    isContradicted(value, shares, evidence, (at) => Math.abs(at - position) <= scope)
  );
}

/** Whether another number stands in the place of one. */
function isContradicted(
  { own, others }: SoughtValue,
  shares: Shares | undefined,
  { originAt }: Evidence,
  isInScope: (position: number) => boolean,
): boolean {
  return [...others].some(([at, same]) => {
    const isItsMessage = shares === undefined || (isEnough(shares.get(at)) && !own.has(at));
    if (!isInScope(at) || same < (isItsMessage ? samePlace : surelySamePlace)) return false;
    return ![...own].some(([place, common]) => {
      // The user may have corrected it later.
      const isCorrection = 2 * common >= same && place > at && originAt(place).role === 'user';
      return isInScope(place) && (common >= same || isCorrection);
    });
  });
}

/** A text with a mark on values that stand nowhere. */
function doubted(text: string, shares: Shares | undefined, evidence: Evidence): string {
  const values = evidence.values.get(text) ?? [];
  return marked(
    text,
    values.filter((value) => isMissing(value, shares, evidence)),
  );
}

/** Puts the mark behind each of some values. */
function marked(text: string, values: readonly Value[]): string {
  let written = text;
  let last = text.length + 1;
  for (const { end } of values.toSorted((one, other) => other.end - one.end)) {
    if (end === last || written.startsWith(` ${doubtMark}`, end)) continue;
    written = `${written.slice(0, end)} ${doubtMark}${written.slice(end)}`;
    last = end;
  }
  return written;
}
