import { firstThat } from '../util/first-that.ts';
import { sumsBefore, sumsFrom } from '../util/running-sums.ts';
import type { CountedConversation } from './counted-conversation.ts';
import type { FitRoom } from './fit-room.ts';
import { leastForms, type LeastForms, type Shorten } from './least-forms.ts';

/** A conversation to be shortened. Tokens are of single messages; indexes are those of the conversation. */
export type ZoneInput = FitRoom & Pick<CountedConversation, 'tokens' | 'start' | 'pause'>;

/** Where a cut may be made, and what it costs: as it stands there without a record too, and in all. */
export interface CutCosts extends Pick<CountedConversation, 'cuts' | 'keptTokens'> {
  /** Tokens of what a cut puts in front of the recent messages: record, anchor and pins. */
  readonly frontTokens: (cut: number) => number;
}

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
  const cuts = { ...conversation, frontTokens: frontOf(conversation, room) };
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

function frontOf(
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

/** Share of the room that belongs to the newest messages, before older ones are kept beside them. */
const newestShare = 0.75;

/**
 * Finds the boundary from which messages stay as they are: those of the newest share, beside what a cut
 * puts in front of them. The end of the conversation when already the last group is larger.
 */
export async function verbatimFrom(
  { tokens, start, room, growth, pause }: ZoneInput,
  boundaries: readonly number[],
  frontTokens: CutCosts['frontTokens'],
): Promise<number> {
  const newest = sumsFrom(tokens);
  const first = await firstThat(
    boundaries.filter((index) => index > start),
    (index) => growth + (newest[index] ?? 0) <= newestShare * (room - frontTokens(index)),
    pause,
  );
  return first ?? tokens.length;
}

/** Steps of history that a cut moves by, where what that leaves empty can be filled with longer outputs. */
const stepsOfCut = 8;

/**
 * Chooses where the recent messages begin: as early as the least forms of the messages before `verbatim` leave
 * the newest ones their share, and no later than where dropping whole groups alone would begin it. Moves
 * by several steps at once where it can, for with it moves what stands at the front of the prompt.
 *
 * @returns `start` for leaving nothing out; `undefined` where no cut is enough.
 */
export async function chooseZones(
  { tokens, start, room, growth, step, pause }: ZoneInput,
  { cuts, frontTokens, keptTokens }: CutCosts,
  verbatim: number,
  least: Omit<LeastForms, 'shortened'>,
): Promise<number | undefined> {
  const { shortened, beyond } = recentTokens(tokens, least);
  await pause();
  const candidates = [start, ...cuts].filter((cut) => cut >= least.reach);
  // Anchor and pins are kept wherever the cut is.
  const keptAnyway = keptTokens(verbatim);
  const fits = (cut: number, share: number, grown: number): boolean => {
    const front = frontTokens(cut);
    const newest = share * (room - Math.max(front, keptAnyway)) - shortened(verbatim) - growth;
    const restored = Math.min(Math.max(0, newest), beyond(cut));
    return front + shortened(cut) + restored + grown <= room;
  };
  const isFilled = (cut: number): boolean =>
    room - frontTokens(cut) - shortened(cut) - growth <= beyond(cut);
  // As of the beginning of this step, when the history was shorter.
  const sinceThen = step - growth;
  const dropping =
    (await firstThat(
      candidates,
      (cut) => shortened(cut) + beyond(cut) - sinceThen + keptTokens(cut) <= room,
      pause,
    )) ?? tokens.length;
  const withShare = await firstThat(candidates, (cut) => fits(cut, newestShare, growth), pause);
  const choices = [
    // Nothing is left out for the sake of outputs that would be left out with it.
    withShare === undefined || isFilled(withShare) ? withShare : undefined,
    await firstThat(candidates, (cut) => fits(cut, 0, growth), pause),
    await firstThat(candidates, (cut) => fits(cut, 0, 0), pause),
  ].filter((choice) => choice !== undefined);
  const cut = choices.find((choice) => choice <= dropping) ?? choices[0];
  if (cut === undefined || cut === start) return cut;
  const range = { from: cut, to: dropping, every: stepsOfCut * step };
  const further = onGrid([start, ...cuts], tokens, range);
  return further !== undefined && isFilled(further) ? further : cut;
}

/** Sizes of what begins at a cut: of the least forms, and what the full ones take beyond that. */
function recentTokens(
  tokens: readonly number[],
  { tokens: leastOf, reach }: Omit<LeastForms, 'shortened'>,
): Record<'shortened' | 'beyond', (cut: number) => number> {
  const known = tokens.map((full, index) => (index < reach ? 0 : (leastOf.get(index) ?? full)));
  const shortened = sumsFrom(known);
  const full = sumsFrom(tokens);
  return {
    shortened: (cut) => shortened[cut] ?? 0,
    beyond: (cut) => (full[cut] ?? 0) - (shortened[cut] ?? 0),
  };
}

/** The first candidate of a range that stands behind a multiple of so many tokens of history. */
function onGrid(
  candidates: readonly number[],
  tokens: readonly number[],
  { from, to, every }: { readonly from: number; readonly to: number; readonly every: number },
): number | undefined {
  let before = 0;
  let next = 0;
  let cell = 0;
  for (const candidate of candidates) {
    for (; next < candidate; next += 1) before += tokens[next] ?? 0;
    const isFirstOfCell = Math.floor(before / every) > cell;
    cell = Math.floor(before / every);
    if (isFirstOfCell && candidate >= from && candidate <= to) return candidate;
  }
  return undefined;
}
