import { userText, type SummarisedPart } from '../composing/compose-prompt.ts';
import { omittedSummary } from '../composing/render-summary.ts';
import type { UserMessage } from '../prompt/prompt-types.ts';
import { buildRecord } from '../record/build-record.ts';
import { withItems } from '../record/content-items.ts';
import { emptyContent } from '../record/empty-content.ts';
import { modelOrigin } from '../record/item-origin.ts';
import type { SummaryContent, SummaryRecord } from '../record/summary-record.ts';
import type { CountedTask, CountTokens } from './counted-conversation.ts';
import { shrinkUserMessage } from './shrink-messages.ts';

/**
 * Makes a record, without a model and never stored, that names the messages up to `cut` and says that
 * they were left out; what the record before it says is kept unless `withContent` is `false`.
 */
export async function trimRecord(
  { view: { identity }, composition, keyOf }: Pick<CountedTask, 'view' | 'composition' | 'keyOf'>,
  cut: number,
  withContent: boolean,
): Promise<SummaryRecord> {
  const previous = composition?.record;
  const count = identity.significantBefore(cut);
  // In its own place it is not its own parent.
  const parent = previous?.coveredMessages === count ? undefined : previous;
  return buildRecord(
    {
      key: await keyOf(count),
      depth: previous?.depth ?? 0,
      parent,
      coveredMessages: count,
      prefixDigest: await identity.prefixDigest(count),
      strategy: 'trim',
      degraded: true,
      inputTokens: 0,
    },
    previous !== undefined && withContent
      ? withOmissionNotice(previous, cut - (composition?.cut ?? 0))
      : emptyContent(omittedSummary),
    0,
  );
}

function withOmissionNotice(previous: SummaryRecord, messages: number): SummaryContent {
  if (messages === 0) return previous;
  const notice = `${messages} messages after the ones summarised here were left out because they did not fit.`;
  return withItems(previous, ({ keyPoints }) => ({
    keyPoints: [{ item: notice, origin: modelOrigin }, ...keyPoints],
  }));
}

/** What a record that names messages left out, and the user's words in them, is made of. */
export type TrimTask = Pick<
  CountedTask,
  'view' | 'composition' | 'keyOf' | 'conversation' | 'leastCharacters'
>;

/** Messages that are shortened at once. */
const shrunkAtOnce = 32;

/**
 * Writes what stands in front of recent messages that begin at `cut`: a record that names what is left
 * out, with as many of the user's words as `room` tokens hold.
 *
 * @returns `undefined` for nothing.
 */
export async function trimmedPart(
  task: TrimTask,
  cut: number,
  room: number,
): Promise<SummarisedPart | undefined> {
  const { composition, conversation, leastCharacters } = task;
  const { messages, start, kept, count } = conversation;
  if (cut === start) return composition;
  const sent = new Set(kept(cut));
  const leftOut: WordsLeftOut[] = [];
  for (const [index, message] of messages.slice(start, cut).entries()) {
    if (index % shrunkAtOnce === 0) await conversation.pause();
    if (message.role === 'user' && !sent.has(start + index))
      leftOut.push({
        message: shrinkUserMessage(message, leastCharacters),
        index,
        priority: task.view.priority(message),
      });
  }
  return {
    record: await trimRecord(task, cut, true),
    cut,
    userTexts: await userWords(leftOut, room, count),
    instead: { of: composition },
  };
}

/** A message of the user that is left out, its long texts shortened. */
interface WordsLeftOut {
  readonly message: UserMessage;
  readonly index: number;
  readonly priority: number;
}

/**
 * Chooses what the user said in messages that are left out, to be repeated in the record: the first
 * text, which mostly says what all is about, and of the others those that matter most, the newest first, while
 * they fit beside it.
 *
 * @returns the texts, oldest first.
 */
async function userWords(
  leftOut: readonly WordsLeftOut[],
  room: number,
  count: CountTokens,
): Promise<readonly string[]> {
  const [first, ...others] = leftOut;
  if (first === undefined) return [];
  let left = room - (await count(first.message));
  if (left < 0) return [];
  const chosen = [first];
  for (const each of others.toSorted(
    (one, other) => other.priority - one.priority || other.index - one.index,
  )) {
    left -= await count(each.message);
    if (left < 0) break;
    chosen.push(each);
  }
  return chosen
    .toSorted((one, other) => one.index - other.index)
    .map(({ message }) => userText(message))
    .filter((text) => text.trim() !== '');
}
