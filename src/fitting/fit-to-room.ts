import { fitRoom } from './zones/fit-room.ts';
import { wordShare } from './zones/front-tokens.ts';
import { keepsLess } from './zones/kept-content.ts';
import { restoreMessages } from './zones/restore-messages.ts';
import { shortenTail, shortenZones, type Zones } from './zones/shorten-zones.ts';
import type { CallContext } from '../call/call-context.ts';
import { countConversation } from './count-conversation.ts';
import { dropOldest } from './drop-oldest.ts';
import {
  coverUpTo,
  writeDraft,
  type FittingDraft,
  type FittingTask,
  type ShortenedPrompt,
} from './fitting-draft.ts';
import type { CallInspection } from '../call/read-call.ts';
import { shortestForms } from './shortest-forms.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';

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
 * filled; where that is not enough, the tail of dropping is taken, and its outputs shortened as far as
 * the user's words need room; at last dropping itself.
 *
 * @param inspection - The call, with the record that applies as its composition.
 * @param target - Tokens that the whole prompt may take.
 * @returns `undefined` when what must stay takes the room.
 */
export async function fitToRoom(
  { toolResults }: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
  target: number,
): Promise<ShortenedPrompt | undefined> {
  const conversation = await countConversation(inspection, measure);
  const all = measure.unscaled.room(target);
  const fitted = fitRoom(all, conversation.fixed, conversation.history);
  const { room, growth } = fitted;
  const leastCharacters = Math.min(
    characterBounds.max,
    Math.max(characterBounds.min, Math.floor(room * characterBounds.perToken)),
  );
  const task = { inspection, measure, conversation, target, leastCharacters };
  const shorten = shortestForms(inspection.view, toolResults, leastCharacters);

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
  return (await attempt(await shortenTail(conversation, dropped.cut, room, shorten), 0)) ?? dropped;
}

/** Writes a prompt with the least forms of what may be shortened, and gives back what there is room for. */
async function restoredDraft(
  task: FittingTask,
  { cut, shortened }: Zones,
  { words, empty }: { readonly words: number; readonly empty: number },
): Promise<FittingDraft> {
  const covered = await coverUpTo(task, cut, words);
  const forms = new Map(shortened.map(({ index, least }) => [index, least]));
  const shortest = await writeDraft(task, covered, forms);
  const { count } = task.conversation;
  const restored = await restoreMessages(shortened, shortest.left - empty, count);
  return writeDraft(task, covered, new Map([...forms, ...restored]));
}
