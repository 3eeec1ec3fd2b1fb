import type { CountedConversation } from './counted-conversation.ts';
import { sumsBefore } from '../../util/running-sums.ts';

/** Tokens of a record's frame and of its notice that messages were left out, with room to spare. */
const noticeTokens = 80;

/** Share of the room for what the user said in messages that are left out. */
export const wordShare: number = 1 / 8;

/** Estimates the tokens of what a cut puts in front of the tail: record, anchor and pins. */
export function frontTokens(
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
