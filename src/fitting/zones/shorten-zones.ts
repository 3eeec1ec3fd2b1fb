import { chooseZones, verbatimFrom } from './choose-zones.ts';
import type { CountedConversation } from './counted-conversation.ts';
import type { FitRoom } from './fit-room.ts';
import { frontTokens } from './front-tokens.ts';
import { leastForms, type Shorten } from './least-forms.ts';
import type { Shortened } from './restore-messages.ts';

/** What is left out of a conversation, and what of the rest may be shortened. */
export interface Zones {
  /** Index at which the tail begins. */
  readonly cut: number;
  /** Messages of the tail that have shorter forms. */
  readonly shortened: readonly Shortened[];
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
  const newest = verbatimFrom(input, conversation.boundaries, cuts.frontTokens);
  // Where even the newest share is too much, its outputs give way too.
  for (const verbatim of new Set([newest, conversation.messages.length])) {
    const least = await leastForms(conversation, { end: verbatim, room, shorten });
    const cut = chooseZones(input, cuts, verbatim, least);
    if (cut !== undefined)
      return { cut, shortened: least.shortened.filter(({ index }) => index >= cut) };
  }
  return undefined;
}

/** Lets all of a tail be shortened that begins at `cut`, as far back as its least forms fill the room. */
export async function shortenTail(
  conversation: CountedConversation,
  cut: number,
  room: number,
  shorten: Shorten,
): Promise<Zones> {
  const tail = { ...conversation, start: cut };
  const end = conversation.messages.length;
  return { cut, shortened: (await leastForms(tail, { end, room, shorten })).shortened };
}
