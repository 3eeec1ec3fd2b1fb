import type { Message } from '../../prompt/prompt-types.ts';
import { itemsOf, type ContentItems } from '../../record/content-items.ts';
import { emptyContent } from '../../record/empty-content.ts';
import { itemId } from '../../record/item-ids.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';
import type { MessagePositions } from '../messages/message-positions.ts';
import type { CitedText, SummaryAnswer } from '../models/summary-answer.ts';
import { sourceTexts } from '../rule-based/texts/source-texts.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { openRequests } from '../user-words/open-requests.ts';
import { userSentences } from '../user-words/user-sentences.ts';
import { mergeRules } from './merge-rules.ts';

/** The lists that code writes from the user's own words. */
export type UserLists = Pick<ContentItems, 'constraints' | 'replacedConstraints' | 'openRequests'>;

export const nothingOfUser: UserLists = {
  constraints: [],
  replacedConstraints: [],
  openRequests: [],
};

/**
 * Takes from the user's own words what a model cannot be left alone with: rules, those that it points at included,
 * and what is not done yet. A model may say that a request is done, but not the one that is being worked on.
 */
export async function readUser(
  { messages, previous, maxSummaryTokens, redact }: SummaryInput,
  answer: SummaryAnswer,
  {
    positions: { positionOf, originAt },
    parts,
    slices,
  }: {
    readonly positions: MessagePositions;
    /** What the model has read. */
    readonly parts: readonly TranscriptPart[];
    readonly slices: TimeSlices;
  },
): Promise<{ readonly ofUser: UserLists; readonly demoted: readonly CitedText[] }> {
  const texts = await sourceTexts(messages.map(ofUserAlone), slices, redact);
  const sentences = await userSentences(texts, positionOf, slices);
  const { kept, unsupported } = await mergeRules(previous, answer, sentences, slices);
  const earlier = itemsOf(previous ?? emptyContent('')).openRequests;
  const open = earlier.filter(
    (_, index) =>
      index === earlier.length - 1 || !answer.resolved.includes(itemId('openRequests', index)),
  );
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
  const sources = { messages, texts, sentences, positionOf, maxSummaryTokens, characters };
  return {
    ofUser: { ...kept, openRequests: await openRequests(open, sources, slices) },
    // What the user is said to have said, and has not.
    demoted: unsupported.map(({ text, message }) =>
      originAt(message).role === 'user' ? { text } : { text, message },
    ),
  };
}

function ofUserAlone(message: Message): Message {
  return message.role === 'user' ? message : { role: 'system', content: '' };
}
