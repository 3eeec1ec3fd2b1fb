import type { Message } from '../prompt/prompt-types.ts';

/** A call at which old tool outputs could be condensed. Tokens. */
export interface CondensingChoice {
  readonly messages: readonly Pick<Message, 'role'>[];
  /** Where the recent messages begin, and the next answer. */
  readonly recentStart: number;
  readonly end: number;
  /** What condensing takes out of the messages from one index up to another one. */
  readonly freed: (start: number, end: number) => number;
  /** What condensing would take out, and what that has added up to over the calls since the last time. */
  readonly spare: number;
  readonly held: number;
  /** What would be sent anew. */
  readonly resent: number;
  /** Calls since the last time, this one included. */
  readonly calls: number;
  /** What a call adds on average. */
  readonly growth: number;
  /** Prices of a token that is read from the cache, and that is sent anew beyond that. */
  readonly read: number;
  readonly rewrite: number;
}

/** Calls ahead that are looked at: so many steps of an agent are among the recent messages at the least. */
const callsAhead = 3;

/**
 * Whether condensing a few calls later makes a cycle of calls cheaper for each of them: as long as it does, the least
 * is not reached (E. A. Silver and H. C. Meal, "A heuristic for selecting lot size quantities", 1973). Of the next calls
 * is known what leaves the recent messages then: a large output that is about to leave is waited for, as it then goes
 * without being sent anew; small ones make the moment a cheap one.
 */
export function isCheaperLater(choice: CondensingChoice): boolean {
  const { messages, recentStart, end, freed, spare, resent, calls, growth, read, rewrite } = choice;
  const now = (rewrite * resent + read * choice.held) / calls;
  let { held } = choice;
  let left = recentStart;
  for (let ahead = 1; ahead <= callsAhead; ahead += 1) {
    left = nextAnswer(messages, left, end);
    const leaving = freed(recentStart, left);
    held += spare + leaving;
    const later = rewrite * (resent - leaving + ahead * growth) + read * held;
    if (later / (calls + ahead) < now) return true;
  }
  return false;
}

function nextAnswer(messages: CondensingChoice['messages'], from: number, end: number): number {
  let next = Math.min(from + 1, end);
  while (next < end && messages[next]?.role !== 'assistant') next += 1;
  return next;
}
