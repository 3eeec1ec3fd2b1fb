import { doubtMark } from '../../record/doubt-mark.ts';
import { modelOrigin, type ItemOrigin } from '../../record/item-origin.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import { itemsOf } from '../../record/content-items.ts';
import { contentText } from '../../record/content-text.ts';
import { textPieces } from '../../tokens/text/text-pieces.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { MessagePositions } from '../message-positions.ts';
import type { CitedText } from '../models/summary-answer.ts';
import type { MessageText } from '../rule-based/message-texts.ts';
import { sentencesOf } from '../texts.ts';
import { findValues, wordsOf, type Value } from './values.ts';

/** A statement as it may stand in a record. */
interface JudgedText {
  readonly text: string;
  readonly origin: ItemOrigin;
}

/** What the messages bear out of what a model wrote: code compares words and values, and understands neither. */
export interface Evidence {
  /**
   * Position of the user's message that holds half of the words of a text: of the cited one if it does, else of none;
   * where none is cited, of the first one, or of the one that holds most of them, the last of those.
   */
  readonly saidByUser: (text: CitedText, isBest?: boolean) => number | undefined;
  /** The text with its origin, and a mark on values that nothing bears out; `undefined` where its message says others. */
  readonly judged: (text: CitedText) => JudgedText | undefined;
  /** A name with its origin, and a mark where it holds a value that stands nowhere. */
  readonly named: (name: string) => JudgedText;
  /** A narrative with a mark on each value that stands nowhere, earlier records included. */
  readonly told: (narrative: string) => string;
}

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
type Holders = Map<string, Set<number>>;

/** Shares of words by position, of the messages that hold any. */
type Shares = ReadonlyMap<number, number>;

interface Gathered {
  readonly holders: Holders;
  readonly ofUser: Holders;
  /** The values of each claim. */
  readonly values: ReadonlyMap<string, readonly SoughtValue[]>;
}

/**
 * Reads the messages once for the words and values of what a model wrote.
 *
 * @param claims - All that will be asked for; a narrative by its sentences.
 */
export async function gatherEvidence(
  claims: readonly string[],
  texts: readonly MessageText[],
  previous: SummaryRecord | undefined,
  positions: MessagePositions,
  slices: TimeSlices,
): Promise<Evidence> {
  const values = new Map<string, readonly SoughtValue[]>();
  const byKey = new Map<string, SoughtValue[]>();
  const byPlace = new Map<string, SoughtValue[]>();
  const holders: Holders = new Map();
  const ofUser: Holders = new Map();
  for (const claim of claims) {
    const found = findValues(claim);
    const siblings = new Set(found.flatMap(({ keys }) => keys));
    const sought = found.map((each) => ({ ...each, siblings, own: new Map(), others: new Map() }));
    values.set(claim, sought);
    for (const value of sought) {
      for (const key of value.keys) addTo(byKey, key, value);
      if (value.isNumber) for (const place of placesOf(value)) addTo(byPlace, place, value);
    }
    for (const word of wordsOf(claim))
      for (const held of [holders, ofUser]) held.set(word, new Set());
    await slices.pause();
  }
  const read = async (text: string, position: number, isUser: boolean): Promise<void> => {
    for (const piece of textPieces(text)) {
      for (const word of wordsOf(piece)) {
        holders.get(word)?.add(position);
        if (isUser) ofUser.get(word)?.add(position);
      }
      for (const value of findValues(piece, true)) {
        // What was doubted once is no evidence.
        if (position === earlier && piece.startsWith(` ${doubtMark}`, value.end)) continue;
        for (const key of value.keys)
          for (const sought of byKey.get(key) ?? [])
            raise(sought.own, position, inCommon(sought, value));
        if (!value.isNumber || position === earlier) continue;
        for (const place of placesOf(value))
          for (const sought of byPlace.get(place) ?? [])
            if (!value.keys.some((key) => sought.siblings.has(key)))
              raise(sought.others, position, sameInTurn(sought, value));
      }
      await slices.pause();
    }
  };
  for (const { index, role, text } of texts)
    await read(text, positions.positionOf(index), role === 'user');
  if (previous !== undefined) {
    await read(contentText(previous), earlier, false);
    for (const { item, origin } of itemsOf(previous).userWords)
      await read(item, origin.message ?? earlier, true);
  }
  return evidenceOf({ holders, ofUser, values }, positions);
}

function addTo(map: Map<string, SoughtValue[]>, key: string, value: SoughtValue): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else if (known.length < mostCompared) known.push(value);
}

function raise(map: Map<number, number>, position: number, least: number): void {
  map.set(position, Math.max(least, map.get(position) ?? 0));
}

function placesOf({ before: [left], behind: [right] }: Value): readonly string[] {
  return [
    ...(left === undefined ? [] : [`${left} _`]),
    ...(right === undefined ? [] : [`_ ${right}`]),
  ];
}

/** How many words on the same side of two values are the same. */
function inCommon(one: Value, other: Value): number {
  return (['before', 'behind'] as const).reduce(
    (sum, side) => sum + one[side].filter((word) => other[side].includes(word)).length,
    0,
  );
}

/** How many words next to two values are the same before one is not. */
function sameInTurn(one: Value, other: Value): number {
  return (['before', 'behind'] as const).reduce((sum, side) => {
    const end = one[side].findIndex((word, at) => word !== other[side][at]);
    return sum + (end < 0 ? one[side].length : end);
  }, 0);
}

const speakers = ['user', 'assistant', 'tool', 'system', 'model'];

function evidenceOf(
  { holders, ofUser, values: known }: Gathered,
  { originAt }: MessagePositions,
): Evidence {
  const valuesOf = (text: string): readonly SoughtValue[] => known.get(text) ?? [];
  /** Share of words by position, of those that hold any. */
  const shares = (text: string, among: Holders): Shares => {
    const words = wordsOf(text);
    const found = new Map<number, number>();
    for (const word of words)
      for (const position of among.get(word) ?? [])
        found.set(position, (found.get(position) ?? 0) + 1 / words.size);
    return found;
  };
  const enough = (share: number | undefined): boolean => (share ?? 0) >= leastShare - 1e-9;
  const isUser = (position: number): boolean => originAt(position).role === 'user';

  const leastOf = (share: Shares | undefined, own: SoughtValue['own'], at: number): number =>
    share === undefined || (enough(share.get(at)) && !own.has(at)) ? samePlace : surelySamePlace;

  /** Whether another number stands in the place of one, as far as a scope goes; of a name there are no shares. */
  const isContradicted = (
    { own, others }: SoughtValue,
    share: Shares | undefined,
    isInScope: (position: number) => boolean,
  ): boolean =>
    [...others].some(
      ([at, same]) =>
        isInScope(at) &&
        same >= leastOf(share, own, at) &&
        ![...own].some(
          // The user may have corrected it later.
          ([place, common]) =>
            isInScope(place) && (common >= same || (common > 0 && place > at && isUser(place))),
        ),
    );
  const isNear = ({ own }: SoughtValue, position: number): boolean =>
    [...own.keys()].some((at) => Math.abs(at - position) <= reach);
  const isMissing = (value: SoughtValue, share: Shares | undefined, position?: number): boolean => {
    if (position === undefined)
      return value.own.size === 0 || isContradicted(value, share, () => true);
    const scope = value.own.has(position) ? 0 : reach;
    return (
      !isNear(value, position) ||
      isContradicted(value, share, (at) => Math.abs(at - position) <= scope)
    );
  };

  /** The message that a text without a number comes from: the user's before the assistant's, the earliest first. */
  const found = (text: string, share: Shares): number | undefined => {
    const rank = (position: number): number => speakers.indexOf(originAt(position).role);
    const held = [...share]
      .filter(([position, part]) => originAt(position) !== modelOrigin && enough(part))
      .map(([position]) => position)
      .toSorted((one, other) => rank(one) - rank(other) || one - other);
    const holds = (position: number): boolean =>
      valuesOf(text).every((value) => isNear(value, position));
    return held.find(holds) ?? held[0];
  };

  /** Of a message of the user, what the application says is not the user's is nobody's word. */
  const originOf = (text: string, position: number): ItemOrigin =>
    !isUser(position) || enough(shares(text, ofUser).get(position))
      ? originAt(position)
      : modelOrigin;

  const uncited = (text: string, share?: Shares): JudgedText => {
    const missing = valuesOf(text).filter((value) => isMissing(value, share));
    return { text: marked(text, missing), origin: modelOrigin };
  };

  return {
    saidByUser: ({ text, message }, isBest = false) => {
      const said = shares(text, ofUser);
      if (message !== undefined) return enough(said.get(message)) ? message : undefined;
      const held = [...said]
        .filter(([, share]) => enough(share))
        .toSorted(([one], [other]) => one - other);
      const most = isBest ? Math.max(...held.map(([, share]) => share)) : 0;
      return (isBest ? held.toReversed() : held).find(([, share]) => share >= most)?.[0];
    },
    judged: ({ text, message }) => {
      const values = valuesOf(text);
      const share = shares(text, holders);
      const position = message ?? found(text, share);
      if (position === undefined || originAt(position) === modelOrigin) return uncited(text, share);
      const missing = values.filter((value) => isMissing(value, share, position));
      const isSaid = enough(share.get(position));
      if (isSaid && missing.some(({ others }) => (others.get(position) ?? 0) >= samePlace))
        return undefined;
      const near = [0, -1, 1, -2, 2].map((step) => position + step);
      const by = near.find((at) => enough(share.get(at)));
      const bears = values.length > 0 && missing.length === 0 && !isSaid;
      return {
        text: marked(text, missing),
        origin: bears ? originAt(position) : by === undefined ? modelOrigin : originOf(text, by),
      };
    },
    named: (name) => {
      const { text } = uncited(name);
      if (text !== name) return { text, origin: modelOrigin };
      const position = found(name, shares(name, holders));
      return { text, origin: position === undefined ? modelOrigin : originOf(name, position) };
    },
    told: (narrative) =>
      sentencesOf(narrative)
        .map(({ start, end }) => narrative.slice(start, end))
        .map((sentence) => uncited(sentence, shares(sentence, holders)).text)
        .join(''),
  };
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
