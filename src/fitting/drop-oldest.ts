import { sumsFrom } from '../util/running-sums.ts';
import { firstThatFits } from '../util/first-that-fits.ts';
import { coverUpTo, writeDraft, type FittingDraft, type FittingTask } from './fitting-draft.ts';

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
export async function dropOldest(task: FittingTask): Promise<FittingDraft | undefined> {
  const { inspection, measure, conversation, target } = task;
  const { start, cuts, keptTokens, pause } = conversation;
  const draftAt = async (cut: number, words: number): Promise<FittingDraft> =>
    writeDraft(task, await coverUpTo(task, cut, words), new Map());
  const room = measure.unscaled.room(target) - measure.unscaled.prompt(inspection.view.systems);
  const tailTokens = sumsFrom(conversation.tokens);
  const fits = async (cut: number): Promise<boolean> => {
    await pause();
    return keptTokens(cut) + (tailTokens[cut] ?? 0) <= room && (await draftAt(cut, 0)).fits;
  };
  const cut = await firstThatFits(
    [start, ...cuts].filter((each) => (tailTokens[each] ?? 0) <= room),
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
