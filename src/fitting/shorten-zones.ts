import { sumsBefore } from '../util/running-sums.ts';
import { chooseZones, verbatimFrom } from './choose-zones.ts';
import type { CountedConversation } from './counted-conversation.ts';
import type { FitRoom } from './fit-room.ts';
import { leastForms, type LeastForms, type Shorten } from './least-forms.ts';

/** What is left out of a conversation, and what of the rest may be shortened. */
export interface Zones extends Pick<LeastForms, 'shortened'> {
  /** Index at which the recent messages begin. */
  readonly cut: number;
}

/**
 * Divides a conversation into what is left out, what is shortened and the newest messages, which stay as
 * they are; `undefined` where what must stay takes the room.
 */
export async function shortenZones(
  conversation: CountedConversation,
  fitted: FitRoom,
  shorten: Shorten,
): Promise<Zones | undefined> {
  const { room } = fitted;
  if (room <= 0) return undefined;
  const input = { ...conversation, ...fitted };
  const cuts = { ...conversation, frontTokens: frontTokens(conversation, room) };
  const newest = await verbatimFrom(input, conversation.boundaries, cuts.frontTokens);
  // Where even the newest share is too much, its outputs give way too.
  for (const verbatim of new Set([newest, conversation.messages.length])) {
    const least = await leastForms(conversation, { end: verbatim, room, shorten });
    const cut = await chooseZones(input, cuts, verbatim, least);
    if (cut !== undefined)
      return { cut, shortened: least.shortened.filter(({ index }) => index >= cut) };
  }
  return undefined;
}

/** Tokens of a record's frame and of its notice that messages were left out, with room to spare. */
const noticeTokens = 80;

/** Share of the room for what the user said in messages that are left out. */
export const wordShare: number = 1 / 8;

/** Estimates the tokens of what a cut puts in front of the recent messages: record, anchor and pins. */
function frontTokens(
  { messages, tokens, start, kept, keptTokens }: CountedConversation,
  room: number,
): (cut: number) => number {
  const userTokens = (index: number): number =>
    messages[index]?.role === 'user' ? (tokens[index] ?? 0) : 0;
  const ofUser = sumsBefore(messages.map((_, index) => userTokens(index)));
  return (cut) => {
    const keptAnyway = keptTokens(cut);
    if (cut === start) return keptAnyway;
    const keptOfUser = kept(cut).reduce((total, index) => total + userTokens(index), 0);
    const words = Math.max(0, (ofUser[cut] ?? 0) - keptOfUser);
    return keptAnyway + noticeTokens + Math.min(room * wordShare, words);
  };
}
