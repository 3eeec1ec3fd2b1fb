import { firstThatFits } from '../util/first-that.ts';
import { sumsFrom } from '../util/running-sums.ts';
import { shortenZones, wordShare, type Zones } from './choose-zones.ts';
import { countConversation, type CountedTask, type FittingTask } from './counted-conversation.ts';
import { fitRoom } from './fit-room.ts';
import { keepsLess, writeDraft, type FittingDraft, type ShortenedPrompt } from './fitting-draft.ts';
import { leastForms, shortestForms } from './least-forms.ts';
import { restoreMessages } from './restore-messages.ts';
import { trimmedPart } from './trim-record.ts';

/** Characters that a shortened text keeps, for each token of the room, and their bounds. */
const characterBounds = { perToken: 1 / 4, min: 200, max: 2000 };

/**
 * Shortens a conversation to the tokens it may take, and no further. The newest messages stay as they
 * are; before them tool outputs give way to their facts, oldest first, then long texts of the user to
 * head and tail; only then are the oldest groups left out, behind a record that repeats what the user
 * said in them. Decided from the content alone, in steps, see `fitRoom`: a call that goes on from this
 * one mostly gets an extension of its prompt.
 *
 * Never falls behind `dropOldest`, which leaves out whole groups up to the earliest legal cut that fits
 * behind a record without any words: what is sent keeps more tokens of the conversation than that, or as
 * many in no fewer whole messages, see `KeptContent`. Where the steps leave too much empty, their room is
 * filled; where that is not enough, the cut of dropping is taken, and the outputs behind it shortened as
 * far as the user's words need room; at last dropping itself.
 *
 * @returns `undefined` when what must stay takes the room.
 */
export async function fitToRoom(given: FittingTask): Promise<ShortenedPrompt | undefined> {
  const conversation = await countConversation(given);
  const all = given.measure.unscaled.room(given.target);
  const fitted = fitRoom(all, conversation.fixed, conversation.history);
  const { room, growth } = fitted;
  const leastCharacters = Math.min(
    characterBounds.max,
    Math.max(characterBounds.min, Math.floor(room * characterBounds.perToken)),
  );
  const task = { ...given, conversation, leastCharacters };
  const shorten = shortestForms(given.view, given.toolResults, leastCharacters);

  const dropped = await dropOldest(task);
  const attempt = async (zones: Zones, empty: number): Promise<FittingDraft | undefined> => {
    const draft = await restoredDraft(task, zones, { words: room * wordShare, empty });
    const isBehind = dropped !== undefined && keepsLess(draft.kept, dropped.kept);
    return draft.fits && !isBehind ? draft : undefined;
  };
  const zones = await shortenZones(conversation, fitted, shorten);
  if (zones !== undefined) {
    const rounded = all - conversation.fixed - room;
    const draft = (await attempt(zones, growth + rounded)) ?? (await attempt(zones, 0));
    if (draft !== undefined) return draft;
  }
  if (dropped === undefined) return undefined;
  const { cut } = dropped;
  const end = conversation.messages.length;
  const recent = await leastForms({ ...conversation, start: cut }, { end, room, shorten });
  return (await attempt({ cut, shortened: recent.shortened }, 0)) ?? dropped;
}

/** Writes a prompt with the least forms of what may be shortened, and gives back what there is room for. */
async function restoredDraft(
  task: CountedTask,
  { cut, shortened }: Zones,
  { words, empty }: { readonly words: number; readonly empty: number },
): Promise<FittingDraft> {
  const part = await trimmedPart(task, cut, words);
  const forms = new Map(shortened.map(({ index, least }) => [index, least]));
  const shortest = await writeDraft(task, part, forms);
  const { count } = task.conversation;
  const left = shortest.left - empty;
  const restored = await restoreMessages(shortened, left, count, task.view.priority);
  return writeDraft(task, part, new Map([...forms, ...restored]));
}

/** Tokens below which there is no room for words of the user. */
const leastWords = 8;

/** Share of the room that is tried next for words that do not fit: as JSON they take more than they did. */
const nextShare = 0.75;

/**
 * Leaves out the oldest groups until the rest fits, and shortens nothing. The room that is left is filled
 * with what the user said in them.
 *
 * @returns `undefined` when no cut is enough.
 */
async function dropOldest(task: CountedTask): Promise<FittingDraft | undefined> {
  const { view, measure, conversation, target } = task;
  const { start, cuts, keptTokens, pause } = conversation;
  const draftAt = async (cut: number, words: number): Promise<FittingDraft> =>
    writeDraft(task, await trimmedPart(task, cut, words), new Map());
  const room = measure.unscaled.room(target) - measure.unscaled.prompt(view.systems);
  const recentTokens = sumsFrom(conversation.tokens);
  const fits = async (cut: number): Promise<boolean> => {
    await pause();
    return keptTokens(cut) + (recentTokens[cut] ?? 0) <= room && (await draftAt(cut, 0)).fits;
  };
  const cut = await firstThatFits(
    [start, ...cuts].filter((each) => (recentTokens[each] ?? 0) <= room),
    fits,
  );
  if (cut === undefined) return undefined;
  const bare = await draftAt(cut, 0);
  for (let words = bare.left; words >= leastWords; words *= nextShare) {
    const draft = await draftAt(cut, words);
    if (draft.fits) return draft;
  }
  return bare;
}
