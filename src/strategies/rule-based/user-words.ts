import { estimateTokens } from '../../tokens/text-counter.ts';
import { type ContentItem, itemsOf } from '../../record/content-items.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import { pause } from '../../util/async/waiting.ts';
import { sentencesOf } from '../texts.ts';
import type { MessagePositions, TranscriptPart } from '../messages/read-messages.ts';

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

/** A sentence of a message, or what an earlier record has put in the place of some. */
interface Sentence {
  readonly text: string;
  readonly tokens: number;
  /** How likely it is to be asked for. */
  readonly rank: number;
}

/**
 * What the user said in messages that a record stands for, oldest first: those that an earlier record quotes, as far
 * as it does, then those of the texts. What the application has marked as not the user's is not among it.
 */
export function userMessages(
  texts: readonly TranscriptPart[],
  previous: SummaryRecord | undefined,
  { positionOf }: Pick<MessagePositions, 'positionOf'>,
): readonly ContentItem[] {
  const said: ContentItem[] = previous === undefined ? [] : [...itemsOf(previous).userWords];
  const byMessage = new Map<number, string>();
  for (const { index, role, kind, text } of texts) {
    if (role !== 'user' || kind !== 'text') continue;
    const before = byMessage.get(index);
    byMessage.set(index, before === undefined ? text.trim() : `${before}\n${text.trim()}`);
  }
  for (const [index, text] of byMessage)
    said.push({ item: clipped(text), origin: { role: 'user', message: positionOf(index) } });
  return said;
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
export async function userQuoter(said: readonly ContentItem[], whole: number): Promise<QuoteUser> {
  const messages: (readonly Sentence[])[] = [];
  const ranked: { readonly sentence: Sentence; readonly rank: number }[] = [];
  for (const [age, { item }] of said.entries()) {
    const sentences = await sentencesIn(item);
    messages.push(sentences);
    for (const sentence of sentences)
      ranked.push({ sentence, rank: sentence.rank + age / said.length });
  }
  ranked.sort((one, other) => other.rank - one.rank);
  const [first = [], ...others] = messages;
  return (maxTokens, roomTokens) => {
    if (whole <= maxTokens) return said;
    const beyond = Math.max(0, Math.min(roomTokens, rulingTokens) - maxTokens);
    const chosen = new Set<Sentence>();
    let room = maxTokens;
    const take = (sentences: readonly Sentence[], most: number): boolean => {
      let tokens = 0;
      for (const sentence of sentences) if (!chosen.has(sentence)) tokens += sentence.tokens;
      if (tokens > most) return false;
      room -= tokens;
      for (const sentence of sentences) chosen.add(sentence);
      return true;
    };
    const takeEnds = (sentences: readonly Sentence[], most: number): void => {
      const least = room - Math.min(most, room);
      const headEnd = room - headShare * (room - least);
      for (const sentence of sentences) if (!take([sentence], room - headEnd)) break;
      for (const sentence of sentences.toReversed()) if (!take([sentence], room - least)) break;
    };
    take(first, wholeFirstShare * maxTokens);
    takeEnds(first, leastFirstShare * maxTokens);
    for (const { sentence, rank } of ranked)
      if (rank >= rulingRank) take([sentence], room + beyond);
    takeEnds(first, firstShare * maxTokens);
    const leastNewest = (1 - newestShare) * room;
    for (const sentences of others.toReversed()) take(sentences, room - leastNewest);
    for (const { sentence } of ranked) take([sentence], room);
    const quoted: ContentItem[] = [];
    for (const [index, { origin }] of said.entries()) {
      let left = '';
      for (const sentence of messages[index] ?? [])
        left += chosen.has(sentence) ? sentence.text : omission;
      // What was left out once leaves one gap with its neighbours.
      const stretches = left.split(omission).map((text) => text.trim());
      const item = stretches.filter(Boolean).join(omission);
      if (item !== '') quoted.push({ item, origin });
    }
    return quoted;
  };
}

/** The sentences of a message, and the gaps in it. */
async function sentencesIn(message: string): Promise<readonly Sentence[]> {
  const sentences: Sentence[] = [];
  // Stretches that an earlier record quotes are sentences of their own: lines lost their ends there.
  for (const [place, stretch] of message.split(omission).entries())
    for (const text of [...(place === 0 ? [] : [omission]), ...sentencesOf(stretch)]) {
      const tokens = omissionTokens + estimateTokens(text);
      sentences.push({ text, tokens, rank: rankOf(text, tokens) });
      await pause();
    }
  return sentences;
}

/** By how many tokens a sentence stands one rank behind. */
const tokensOfRank = 60;

/** A sentence says little that is shorter, such as `Yes, go on.` */
const fewTokens = 6;

/** Share of letters and spaces below which a sentence is pasted code or a log. */
const proseShare = 0.85;

function rankOf(text: string, tokens: number): number {
  const isQuestion = /[?？؟]\s*$/.test(text);
  const saysLittle = tokens < fewTokens || !/[\p{L}\p{N}]/u.test(text);
  const rank = -Number(isQuestion || saysLittle) - tokens / tokensOfRank;
  const letters = text.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  const isRuling = letters >= proseShare * text.length && soundsRuling.test(text);
  return isRuling ? Math.max(rulingRank, rulingRank + 2 + rank) : rank;
}
