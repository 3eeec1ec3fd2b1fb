import { doubtMark } from '../../record/doubt-mark.ts';
import { modelOrigin, type ItemOrigin } from '../../record/item-origin.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import { contentText } from '../../record/content-text.ts';
import { textPieces } from '../../tokens/text/text-pieces.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { MessagePositions } from '../message-positions.ts';
import type { CitedText } from '../models/summary-answer.ts';
import type { MessageText } from '../rule-based/message-texts.ts';
import { findValues, keysIn, type Value } from './values.ts';

/** What the messages bear out of what a model wrote: code compares words and values, and understands neither. */
export interface Evidence {
  /**
   * Position of the user's message that holds half of the words of a text: of the cited one if it does, else of none;
   * where none is cited, of the first one, or of the one that holds most of them, the last of those.
   */
  readonly saidByUser: (text: CitedText, isBest?: boolean) => number | undefined;
  /** The text with its origin, and a mark on values that stand nowhere near; `undefined` where its message says others. */
  readonly judged: (
    text: CitedText,
  ) => { readonly text: string; readonly origin: ItemOrigin } | undefined;
  /** A name with its origin, and a mark where it holds a value that stands nowhere. */
  readonly named: (name: string) => { readonly text: string; readonly origin: ItemOrigin };
  /** A narrative with a mark on each value that stands nowhere, earlier records included. */
  readonly told: (narrative: string) => string;
}

/** Share of its words from which a text is borne out. */
const leastShare = 0.5;

/** How far from the message that is cited a value may stand. */
const reach = 2;

/** Characters of a message that are read for other values than those that are sought. */
const otherCharacters = 4000;

/** Words count by their beginning, which inflection leaves alone. */
const stemCharacters = 6;

const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The words of a text that can be compared: in scripts without spaces, pairs of characters. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (!unspaced.test(word) || word.length < 3) words.add(word.slice(0, stemCharacters));
    else for (let at = 1; at < word.length; at += 1) words.add(word.slice(at - 1, at + 1));
  }
  return words;
}

/** Share of some words that a text holds. */
export function shareOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : [...words].filter((word) => others.has(word)).length / words.size;
}

/** Positions of the messages that hold a word or a value. */
type Holders = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * Reads the messages once for the words and values of what a model wrote.
 *
 * @param claims - All that will be asked for.
 */
export async function gatherEvidence(
  claims: readonly string[],
  texts: readonly MessageText[],
  previous: SummaryContent | undefined,
  positions: MessagePositions,
  slices: TimeSlices,
): Promise<Evidence> {
  const sought = new Set<string>();
  for (const claim of claims) {
    for (const word of wordsOf(claim)) sought.add(word);
    for (const { keys } of findValues(claim)) for (const key of keys) sought.add(valueKey(key));
    await slices.pause();
  }
  const holders = new Map<string, Set<number>>();
  const ofUser = new Map<string, Set<number>>();
  const read = async (text: string, position: number, isUser: boolean): Promise<void> => {
    for (const piece of textPieces(text)) {
      for (const key of [...wordsOf(piece), ...keysIn(piece).map(valueKey)]) {
        if (!sought.has(key)) continue;
        for (const map of isUser ? [holders, ofUser] : [holders]) {
          const known = map.get(key);
          if (known === undefined) map.set(key, new Set([position]));
          else known.add(position);
        }
      }
      await slices.pause();
    }
  };
  const byPosition = new Map<number, MessageText[]>();
  for (const each of texts) {
    const position = positions.positionOf(each.index);
    await read(each.text, position, each.role === 'user');
    byPosition.set(position, [...(byPosition.get(position) ?? []), each]);
  }
  if (previous !== undefined) await read(contentText(previous), earlier, false);
  return evidenceOf(holders, ofUser, byPosition, positions);
}

/** Where what an earlier record says stands. */
const earlier = -reach - 2;

function valueKey(key: string): string {
  return `= ${key}`;
}

// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
function evidenceOf(
  holders: Holders,
  ofUser: Holders,
  byPosition: ReadonlyMap<number, readonly MessageText[]>,
  { originAt }: MessagePositions,
): Evidence {
  /** Share of words by position, of those that hold any. */
  const shares = (text: string, among: Holders): ReadonlyMap<number, number> => {
    const words = wordsOf(text);
    const found = new Map<number, number>();
    for (const word of words)
      for (const position of among.get(word) ?? [])
        found.set(position, (found.get(position) ?? 0) + 1 / words.size);
    return found;
  };
  const isAnywhere = ({ keys }: Value): boolean => keys.some((key) => holders.has(valueKey(key)));
  const isNear = ({ keys }: Value, position: number): boolean =>
    keys.some((key) => {
      const held = holders.get(valueKey(key));
      for (let at = position - reach; at <= position + reach; at += 1)
        if (held?.has(at)) return true;
      return false;
    });
  const saysOthers = (position: number, text: string): boolean => {
    const own = new Set(findValues(text).flatMap(({ keys }) => keys));
    const said = (byPosition.get(position) ?? []).map((each) => each.text).join('\n');
    return findValues(said.slice(0, otherCharacters)).some(
      ({ keys }) => !keys.some((key) => own.has(key)),
    );
  };
  const speakers = ['user', 'assistant', 'tool', 'system', 'model'];
  const rank = (position: number): number => speakers.indexOf(originAt(position).role);

  /** The message that a text without a number comes from: the user's before the assistant's, the earliest first. */
  const found = (text: string, values: readonly Value[]): number | undefined => {
    const held = [...shares(text, holders)]
      .filter(([position, share]) => position !== earlier && enough(share))
      .map(([position]) => position)
      .toSorted((one, other) => rank(one) - rank(other) || one - other);
    return held.find((position) => values.every((value) => isNear(value, position))) ?? held[0];
  };

  /** Of a message of the user, what the application says is not the user's is nobody's word. */
  const originOf = (text: string, position: number): ItemOrigin => {
    const origin = originAt(position);
    const isOwn = origin.role !== 'user' || enough(shares(text, ofUser).get(position));
    return isOwn ? origin : modelOrigin;
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
      const values = findValues(text);
      const position = message ?? found(text, values);
      if (position === undefined || originAt(position) === modelOrigin)
        return {
          text: marked(
            text,
            values.filter((value) => !isAnywhere(value)),
          ),
          origin: modelOrigin,
        };
      const share = shares(text, holders);
      const missing = values.filter((value) => !isNear(value, position));
      const isSaid = enough(share.get(position));
      if (missing.length > 0 && isSaid && saysOthers(position, text)) return undefined;
      const near = [0, -1, 1, -2, 2].map((step) => position + step);
      const by =
        isSaid || (values.length > 0 && missing.length === 0)
          ? position
          : near.find((at) => enough(share.get(at)));
      return {
        text: marked(text, missing),
        origin:
          by === undefined
            ? modelOrigin
            : by === position && !isSaid
              ? originAt(by)
              : originOf(text, by),
      };
    },
    named: (name) => {
      const values = findValues(name);
      if (values.some((value) => !isAnywhere(value)))
        return { text: `${name} ${doubtMark}`, origin: modelOrigin };
      const position = found(name, values);
      return {
        text: name,
        origin: position === undefined ? modelOrigin : originOf(name, position),
      };
    },
    told: (narrative) =>
      marked(
        narrative,
        findValues(narrative).filter((value) => !isAnywhere(value)),
      ),
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

function enough(share: number | undefined): boolean {
  return (share ?? 0) >= leastShare - 1e-9;
}
