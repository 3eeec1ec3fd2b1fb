import type { Message } from '../../prompt/prompt-types.ts';
import { itemsOf, type ContentItems } from '../../record/content-items.ts';
import { emptyContent } from '../../record/empty-content.ts';
import { itemId } from '../../record/item-ids.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import type { MessagePositions } from '../messages/message-positions.ts';
import type { CitedText, SummaryAnswer } from '../models/summary-answer.ts';
import { sourceTexts } from '../rule-based/texts/source-texts.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { openRequests } from '../user-words/open-requests.ts';
import { userSentences } from '../user-words/user-sentences.ts';
import { mergeRules } from './merge-rules.ts';

/** The lists that code writes from the user's own words. */
export type UserLists = Pick<ContentItems, 'constraints' | 'replacedConstraints' | 'openRequests'>;

/**
 * Takes from the user's own words what a model cannot be left alone with: rules, those that it points at included,
 * and what is not done yet. A model may say that a request is done, but not the one that is being worked on.
 */
export async function readUser(
  { messages, previous, maxSummaryTokens, redact }: SummaryInput,
  answer: SummaryAnswer,
  { positionOf, originAt }: MessagePositions,
  slices: TimeSlices,
): Promise<{ readonly ofUser: UserLists; readonly demoted: readonly CitedText[] }> {
  const texts = await sourceTexts(messages.map(ofUserAlone), slices, redact);
  const sentences = await userSentences(texts, positionOf, slices);
  const { kept, unsupported } = await mergeRules(previous, answer, sentences, slices);
  const earlier = itemsOf(previous ?? emptyContent('')).openRequests;
  const open = earlier.filter(
    (_, index) =>
      index === earlier.length - 1 || !answer.resolved.includes(itemId('openRequests', index)),
  );
  const sources = { messages, texts, sentences, positionOf, maxSummaryTokens };
  return {
    ofUser: { ...kept, openRequests: openRequests(open, sources) },
    // What the user is said to have said, and has not.
    demoted: unsupported.map(({ text, message }) =>
      originAt(message).role === 'user' ? { text } : { text, message },
    ),
  };
}

function ofUserAlone(message: Message): Message {
  return message.role === 'user' ? message : { role: 'system', content: '' };
}
