import type { SummaryContent } from '../../../record/summary-record.ts';
import type { TextReading } from '../../../tokens/text/count-text.ts';
import type { PlacedToolUse } from '../../rule-based/facts/tool-uses.ts';
import { touchedFiles } from '../../rule-based/facts/touched-files.ts';
import { firstWithin } from './first-within.ts';

/** Share of a summary's room for the files that were changed, where it says little else: `fitContent` has a smaller one. */
const fileShare = 0.5;

/**
 * The files that calls have created or changed so far, the last changed last: those of an earlier record, and those of
 * the messages since. Where the share has no room for all, the first leave.
 *
 * @param room - Tokens of a summary.
 */
export async function changedFiles(
  previous: Pick<SummaryContent, 'changedFiles'> | undefined,
  uses: readonly PlacedToolUse[],
  room: number,
  reading: TextReading,
): Promise<readonly string[]> {
  const touched = (await touchedFiles(uses, reading.slices)).map(({ file }) => file);
  const newestFirst = new Set([...touched, ...(previous?.changedFiles ?? []).toReversed()]);
  const kept = await firstWithin([...newestFirst], fileShare * room, reading);
  return kept.toReversed();
}
