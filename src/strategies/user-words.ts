import { estimateTokens } from '../tokens/text-counter.ts';
import { type ContentItem, itemsOf } from '../record/content-items.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { sentencesOf } from './texts.ts';
import type { MessagePositions } from './message-positions.ts';

/** Stands between stretches of one message. */
const omission = ' … ';

/** Tokens that a sentence takes beside its text: of what joins it to the others. */
const omissionTokens = 0.5;

/** Characters of a message that are read, half of them from its end: no budget has room for more. */
const mostCharacters = 100_000;

/**
 * English alone, and only to rank: of sentences that do not all fit, these are more likely to be asked for later.
 * A sentence in another language is ranked by its length and age.
 */
const soundsRuling =
  /\b(?:never|don['’]?t|do not|must|always|only|instead|avoid|without|can(?:no|['’]?)t|should|make sure|ensure|require|from now on|no longer|at (?:most|least))/i;

/** A sentence of a message. */
interface Sentence {
  readonly text: string;
  readonly tokens: number;
  /** How likely it is to be asked for. */
  readonly rank: number;
  /** Whether an earlier record has left out what stood in front of it. */
  readonly isBehindGap: boolean;
}

/** A message of the user, in its sentences, which together are its text. */
interface SaidMessage {
  readonly origin: ContentItem['origin'];
  readonly sentences: readonly Sentence[];
}

/**
 * What the user said in messages that a record stands for, oldest first: those that an earlier record quotes, as far
 * as it does, then those of the texts. What the application has marked as not the user's is not among it.
 */
export function userMessages(
  texts: readonly { readonly index: number; readonly role: string; readonly text: string }[],
  previous: SummaryRecord | undefined,
  { positionOf }: Pick<MessagePositions, 'positionOf'>,
): readonly ContentItem[] {
  const earlier = previous === undefined ? [] : itemsOf(previous).userWords;
  const byMessage = Map.groupBy(
    texts.filter(({ role }) => role === 'user'),
    ({ index }) => index,
  );
  const said = Array.from(byMessage, ([index, ofMessage]) => ({
    item: clipped(ofMessage.map(({ text }) => text.trim()).join('\n')),
    origin: { role: 'user', message: positionOf(index) } as const,
  }));
  return [...earlier, ...said];
}

function clipped(text: string): string {
  if (text.length <= mostCharacters) return text;
  const half = mostCharacters / 2;
  return `${text.slice(0, half).toWellFormed()}${omission}${text.slice(-half).toWellFormed()}`;
}

/**
 * Quotes the user, word for word and oldest first.
 *
 * @param maxTokens - What the quotations may take.
 * @param roomTokens - What there is room for: of a small share sentences that sound like rules may go beyond it.
 */
export type QuoteUser = (maxTokens: number, roomTokens: number) => readonly ContentItem[];

/** Of rank from here on, an English sentence sounds like a rule. */
const rulingRank = 3;

/** Tokens that sentences which sound like rules may take of any record, however small the share of the user's words. */
const rulingTokens = 40;

/**
 * Shares of what the quotations may take: up to which the first message is quoted whole before anything else, what its
 * ends have at least, and what they may take when rules are quoted.
 */
const wholeFirstShare = 0.3;
const leastFirstShare = 0.1;
const firstShare = 0.55;

/** Share of what is left for the newest messages as a whole, before single sentences. */
const newestShare = 0.4;

/** Share of what the first message may take for its beginning. */
const headShare = 0.6;

/**
 * Makes a function that quotes what fits: all of it; else the first message, a long one from its beginning and its end,
 * for which some room is kept; sentences that sound like rules; the newest messages whole; then sentences as they rank,
 * the newer ones first.
 *
 * @param whole - Tokens of all of it.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function userQuoter(said: readonly ContentItem[], whole: number): QuoteUser {
  const messages = said.map(({ item, origin }): SaidMessage => {
    // Stretches that an earlier record quotes are sentences of their own: lines lost their ends there.
    const sentences = item.split(omission).flatMap((stretch, place) =>
      sentencesOf(stretch).map(({ start, end }) => ({
        text: stretch.slice(start, end),
        isBehindGap: place > 0 && start === 0,
      })),
    );
    const pasted = pastedSentences(sentences.map(({ text }) => text));
    return {
      origin,
      sentences: sentences.map((sentence, index) => {
        const tokens = omissionTokens + estimateTokens(sentence.text);
        const rank = pasted[index] ? pastedRank : rankOf(sentence.text, tokens);
        return { ...sentence, tokens, rank };
      }),
    };
  });
  const ranked = messages
    .flatMap(({ sentences }, age) =>
      sentences.map((sentence) => ({ sentence, rank: sentence.rank + age / messages.length })),
    )
    .toSorted((one, other) => other.rank - one.rank);
  const ruling = ranked.filter(({ rank }) => rank >= rulingRank);
  const [first, ...others] = messages;
  return (maxTokens, roomTokens) => {
    if (whole <= maxTokens) return said;
    const beyond = Math.max(0, Math.min(roomTokens, rulingTokens) - maxTokens);
    const chosen = new Set<Sentence>();
    let room = maxTokens;
    const take = (sentences: readonly Sentence[], most: number): boolean => {
      const missing = sentences.filter((sentence) => !chosen.has(sentence));
      const tokens = tokensOf(missing);
      if (tokens > most) return false;
      room -= tokens;
      for (const sentence of missing) chosen.add(sentence);
      return true;
    };
    const takeEnds = ({ sentences }: SaidMessage, most: number): void => {
      const least = room - Math.min(most, room);
      const headEnd = room - headShare * (room - least);
      // Short lines say little away from those around them.
      const telling = sentences.filter(({ tokens }, index) => index === 0 || tokens >= fewTokens);
      for (const sentence of telling) take([sentence], room - headEnd);
      for (const sentence of sentences.toReversed()) if (!take([sentence], room - least)) break;
    };
    if (first !== undefined) {
      take(first.sentences, wholeFirstShare * maxTokens);
      takeEnds(first, leastFirstShare * maxTokens);
    }
    for (const { sentence } of ruling) take([sentence], room + beyond);
    if (first !== undefined) takeEnds(first, firstShare * maxTokens);
    const leastNewest = (1 - newestShare) * room;
    for (const { sentences } of others.toReversed()) take(sentences, room - leastNewest);
    for (const { sentence } of ranked) take([sentence], room);
    return messages.flatMap(({ sentences, origin }) => {
      const item = quoted(sentences, chosen);
      return item === '' ? [] : [{ item, origin }];
    });
  };
}

/** By how many tokens a sentence stands one rank behind. */
const tokensOfRank = 60;

/** A sentence says little that is shorter, such as `Yes, go on.` */
const fewTokens = 6;

function rankOf(text: string, tokens: number): number {
  const isQuestion = /[?？؟]\s*$/.test(text);
  const saysLittle = tokens < fewTokens || !/[\p{L}\p{N}]/u.test(text);
  const rank = -Number(isQuestion || saysLittle) - tokens / tokensOfRank;
  return soundsRuling.test(text) ? Math.max(rulingRank, rulingRank + 2 + rank) : rank;
}

/** Behind all that the user wrote, however long. */
const pastedRank = -20;

/** Share of plain words below which a line is data, and such lines near each other that are a block. */
const proseShare = 0.75;
const linesOfBlock = 4;
const reachOfBlock = 3;

/** A word of any script between spaces, with the marks of a sentence around it. */
const plainWord =
  /^[\p{Pi}\p{Ps}"'¿¡]*[\p{L}\p{M}]+(?:['’‑-][\p{L}\p{M}]+)*[\p{Pf}\p{Pe}"'.,:;!?…]*$/u;
const numberOrMark = /^[\p{P}\p{N}%€$£°]*$/u;

/** Which sentences stand in pasted blocks: code, tables, logs, which are lines of few plain words, and what is between. */
function pastedSentences(sentences: readonly string[]): readonly boolean[] {
  const data = sentences.map(isData);
  return data.map((_, index) => {
    const around = data.slice(Math.max(0, index - reachOfBlock), index + reachOfBlock + 1);
    return around.filter(Boolean).length >= linesOfBlock;
  });
}

function isData(sentence: string): boolean {
  const words = sentence
    .trim()
    .split(/\s+/)
    .filter((word) => !numberOrMark.test(word));
  const plain = words.filter((word) => plainWord.test(word) || isUnspaced(word));
  return plain.length < proseShare * words.length || words.length === 0;
}

/** Whether a word is a sentence in a script without spaces. */
function isUnspaced(word: string): boolean {
  const letters = word.match(/[^\p{ASCII}\p{P}\p{S}]/gu)?.length ?? 0;
  return letters >= word.length / 2;
}

function tokensOf(sentences: readonly Sentence[]): number {
  return sentences.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The chosen sentences of a message, neighbours as they stand there. */
function quoted(sentences: readonly Sentence[], chosen: ReadonlySet<Sentence>): string {
  let written = '';
  let isGap = false;
  for (const sentence of sentences) {
    isGap ||= sentence.isBehindGap;
    if (chosen.has(sentence)) {
      written =
        isGap && written !== ''
          ? `${written.trimEnd()}${omission}${sentence.text}`
          : written + sentence.text;
      isGap = false;
    } else isGap = true;
  }
  return written.trim();
}
