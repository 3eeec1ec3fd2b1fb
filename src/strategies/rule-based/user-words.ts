import { itemsOf, withItems, type ContentItem } from '../../record/content-items.ts';
import { replacementText } from '../../record/content-text.ts';
import { emptyContent } from '../../record/empty-content.ts';
import type { SummaryContent } from '../../record/summary-record.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { messagePositions, type MessagePositions } from '../messages/message-positions.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { keepRules, type KeptRules } from '../user-words/keep-rules.ts';
import { openRequests } from '../user-words/open-requests.ts';
import { userSentences } from '../user-words/user-sentences.ts';
import { findUserRules, type UserRules } from './facts/user-rules.ts';
import { estimateTokens } from './texts/estimate-tokens.ts';
import type { MinutesText } from './texts/minutes-text.ts';
import { sameness } from './texts/sentences.ts';
import type { SourceText } from './texts/source-texts.ts';

/** Share of the room of a summary for rules that the user has ended. */
const replacedShare = 0.05;

/** What the user said that a record must hold. */
export interface UserWords extends Pick<UserRules, 'remarks'> {
  /** The rules that hold, most important first: what ended others, then by their rank. */
  readonly rules: readonly (ContentItem & { readonly order: number })[];
  readonly kept: KeptRules;
  readonly openRequests: readonly ContentItem[];
  readonly positions: MessagePositions;
}

/** Reads what the user ruled, ended and asked for. */
export async function readUserWords(
  input: SummaryInput,
  spoken: readonly SourceText[],
  texts: readonly MinutesText[],
  slices: TimeSlices,
): Promise<UserWords> {
  const { messages, previous, maxSummaryTokens } = input;
  const positions = messagePositions(input);
  const { positionOf } = positions;
  const earlier = itemsOf(previous ?? emptyContent(''));
  const sentences = await userSentences(spoken, positionOf, slices);
  const found = await findUserRules(
    texts,
    earlier.constraints.map(({ item }) => item),
    slices,
  );
  const ranks = new Map(found.rules.map(({ text }, rank) => [sameness(text), rank]));
  // Both are the same sentences, on one line.
  const ruled = new Set(found.rules.map(({ text }) => text));
  const isRule = ({ text }: { readonly text: string }): boolean => ruled.has(text);
  const kept = await keepRules(earlier, { sentences, isRule }, slices);
  const rules = kept.constraints
    .map((rule, order) => ({ ...rule, order, rank: ranks.get(sameness(rule.item)) ?? -1 }))
    .toSorted((one, other) => one.rank - other.rank);
  const characters = spoken.reduce((sum, { text }) => sum + text.length, 0);
  const sources = {
    messages,
    texts: spoken,
    sentences,
    positionOf,
    maxSummaryTokens,
    characters,
  };
  return {
    rules,
    remarks: found.remarks,
    kept,
    openRequests: await openRequests(earlier.openRequests, sources, slices),
    positions,
  };
}

/**
 * The same content with all rules that hold: those that it has no room for stand in the record alone. Of those that
 * were ended, the newest, and as many more as fit in their share.
 */
export function withRules(
  content: SummaryContent,
  { kept }: UserWords,
  room: number,
): SummaryContent {
  const shown = new Set(content.context.constraints.map(sameness));
  let left = replacedShare * room;
  return withItems(content, () => ({
    constraints: kept.constraints.map((rule) =>
      shown.has(sameness(rule.item)) ? rule : { ...rule, isUnshown: true },
    ),
    replacedConstraints: kept.replacedConstraints
      .toReversed()
      .filter(({ item }, age) => {
        left -= estimateTokens(replacementText(item));
        return age === 0 || left >= 0;
      })
      .toReversed(),
  }));
}
