import {
  composePrompt,
  type Composition,
  type CompositionStyle,
} from '../../composing/compose-prompt.ts';
import type { StoredSummary } from '../../record/stored-summary.ts';
import type { ConversationView } from '../../selection/conversation-view.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';

/** Puts a stored record in place, unless the conversation as it is now cannot be cut there. */
export async function applyStored(
  view: ConversationView,
  style: CompositionStyle,
  { record }: StoredSummary,
  slices: TimeSlices,
): Promise<Composition | undefined> {
  await view.read(slices);
  const cut = cutOf(view, record);
  return cut === undefined ? undefined : composePrompt(view, style, { record, cut }, slices);
}

/** Where the conversation as it is now is cut behind a record; `undefined` where it cannot be. */
export function cutOf(
  { identity, groups }: ConversationView,
  { coveredMessages }: Pick<StoredSummary['record'], 'coveredMessages'>,
): number | undefined {
  const cut = identity.indexAfter(coveredMessages);
  return cut === undefined || !groups.isBoundary(cut) ? undefined : cut;
}
