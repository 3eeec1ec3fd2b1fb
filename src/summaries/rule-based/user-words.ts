import { type ContentItem, itemsOf } from '../../foundations/record/content-items.ts';
import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import type { MessagePositions, TranscriptPart } from '../messages/read-messages.ts';
import { ownWords } from '../messages/own-words.ts';
import { sentencesOf } from '../strategies/texts.ts';
import { wordsOf } from '../strategies/words.ts';
import { type Unit, makeUnit } from './rank-units.ts';

/** Separator of stretches of one message. */
export const omission = ' … ';

/** Characters of a message that are read, half of them from its end: no budget has room for more. */
const mostCharacters = 100_000;

/** Different words below which a sentence without a figure says little: a greeting, a thank you. */
const fewWords = 4;

/** Worth of a question, as a share of another sentence's. */
const questionWeight = 0.6;

/** Worth of a sentence that says little, as a share of another one's. */
export const lowWeight = 0.2;

/** A message of the user in sentences; `undefined` stands for sentences that are missing already. */
export interface UserMessage extends Pick<ContentItem, 'origin'> {
  readonly sentences: readonly (Unit | undefined)[];
}

/**
 * Collects the user's own words from the messages of a record, oldest first: the quotes of an earlier record, then
 * those of the texts. Pasted text, and quoted text that the application marks, is left out.
 *
 * @param weight - Worth of a user's sentence, as a multiple of another one's.
 */
export async function userMessages(
  texts: readonly TranscriptPart[],
  previous: SummaryRecord | undefined,
  { positionOf }: Pick<MessagePositions, 'positionOf'>,
  weight: number,
): Promise<readonly UserMessage[]> {
  const byMessage = new Map<number, string>();
  for (const { index, role, kind, text } of texts)
    if (role === 'user' && kind === 'text')
      byMessage.set(index, [byMessage.get(index), clipped(text)].filter(Boolean).join('\n'));
  const before = previous === undefined ? [] : itemsOf(previous).userQuotes;
  const messages: UserMessage[] = [];
  for (const [place, { item, origin }] of before.entries())
    messages.push({ origin, sentences: await unitsOf(item, place - before.length, weight) });
  for (const [index, text] of byMessage) {
    const sentences = await unitsOf(ownWords(text), index, weight);
    if (sentences.length > 0)
      messages.push({ origin: { role: 'user', message: positionOf(index) }, sentences });
  }
  return messages;
}

function clipped(text: string): string {
  if (text.length <= mostCharacters) return text;
  const half = mostCharacters / 2;
  return `${text.slice(0, half).toWellFormed()}${omission}${text.slice(-half).toWellFormed()}`;
}

async function unitsOf(
  text: string,
  index: number,
  weight: number,
): Promise<readonly (Unit | undefined)[]> {
  const units: (Unit | undefined)[] = [];
  // Stretches that an earlier record quotes are sentences of their own: lines lost their ends there.
  for (const [place, stretch] of text.split(omission).entries()) {
    if (place > 0) units.push(undefined);
    for (const sentence of sentencesOf(stretch)) {
      const saysLittle = wordsOf(sentence).size < fewWords && !/\p{N}/u.test(sentence);
      const isQuestion = /[?？؟]\s*$/.test(sentence);
      const worth = saysLittle ? lowWeight : isQuestion ? questionWeight : 1;
      units.push(
        makeUnit(sentence, { index, isUser: true, isSpoken: true, weight: weight * worth }),
      );
      await yieldToEventLoop();
    }
  }
  return units;
}

/** Quotes the chosen sentences of messages, word for word, with a gap for others. */
export function quoted(
  messages: readonly UserMessage[],
  chosen: ReadonlySet<Unit>,
): readonly ContentItem[] {
  return messages.flatMap(({ sentences, origin }) => {
    const whole = sentences
      .map((unit) => (unit !== undefined && chosen.has(unit) ? unit.text : omission))
      .join('');
    // Adjacent omissions, old and new, leave one gap.
    const stretches = whole.split(omission).map((text) => text.trim());
    const item = stretches.filter(Boolean).join(omission);
    return item === '' ? [] : [{ item, origin }];
  });
}
