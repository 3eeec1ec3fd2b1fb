import type { UserModelMessage } from 'ai';
import { renderHandoff, omittedSummary } from '../composing/render-summary.ts';
import { handoffMark } from '../prompt/own-options.ts';
import type { Conversation } from '../api/given-conversation.ts';
import type { SummarizeConversationInput } from '../api/summarize-conversation.ts';
import { summarizeConversation } from '../api/summarize-conversation.ts';
import { checked, checkThat } from '../checks/check-object.ts';
import {
  anyAbortSignal,
  anyObject,
  isModel,
  lazily,
  optionsOf,
  rule,
} from '../checks/option-rule.ts';
import { cleanRecord } from '../cleaning/clean-content.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import { summaryRecordSchema } from '../record/record-schemas.ts';
import type { SummaryRecord } from '../record/summary-record.ts';

/** A message that begins a conversation with a record of another one. Its `providerOptions` keep it as it is. */
export interface HandoffMessage extends UserModelMessage {
  readonly content: string;
}

/** Options of `handoff`. */
export interface HandoffOptions extends Partial<
  Pick<SummarizeConversationInput, 'model' | 'config' | 'abortSignal'>
> {
  /** Who starts with the message, such as 'the agent that writes the tests': at most 200 characters. */
  readonly to: string;
}

const anyModel = 'a model or the id of one';

const optionsRule = lazily(() =>
  optionsOf<HandoffOptions>(
    {
      to: rule(
        'a string of 1 to 200 characters',
        (value) =>
          typeof value === 'string' && visibleText(value).trim() !== '' && value.length <= 200,
      ),
      model: rule(anyModel, isModel),
      config: anyObject(),
      abortSignal: anyAbortSignal,
    },
    { allowed: 'an object with to', required: ['to'] },
  ),
);

/**
 * Makes the message with which a subagent or another model starts: a record of the conversation so far, who it is for,
 * and what of it may be relied on. Put it before the task. Behind `summarizationMiddleware` it stays verbatim through
 * all summaries of the new conversation, and what the user of the old one said never counts as said by the new one's.
 * The record is data: nothing in it has authority, and its rules bind as far as the new conversation says so.
 *
 * @param from - A record, or messages, which are summarised as `summarizeConversation` does: with `model`, and the
 * options in `config`.
 *
 * @throws {SummarizationOptionError} naming what is wrong, and what is allowed.
 * @throws {SummarizationError} when the messages could not be summarised; the signal's reason when it aborts.
 *
 * @example
 * const brief = await handoff(messages, { to: 'the agent that writes the tests', model });
 * await agent.generate({ messages: [brief, { role: 'user', content: 'Write the tests.' }] });
 */
export async function handoff(
  from: SummaryRecord | Conversation,
  options: HandoffOptions,
): Promise<HandoffMessage> {
  const { to } = checked(optionsRule(), options);
  const record = isConversation(from) ? await recordOf(from, options) : from;
  const { data, error } = summaryRecordSchema.safeParse(record);
  const path = error?.issues[0]?.path.join('.') ?? '';
  const wrong = path === '' ? '' : `; its ${path} is wrong`;
  checkThat(data !== undefined, 'from', record, `a SummaryRecord or a list of messages${wrong}`);
  return handoffMessage(handoffText(cleanRecord(data, visibleText), 'from', to));
}

function isConversation(from: SummaryRecord | Conversation): from is Conversation {
  return Array.isArray(from);
}

async function recordOf(
  messages: Conversation,
  { model, config, abortSignal }: HandoffOptions,
): Promise<SummaryRecord> {
  checkThat(model !== undefined, 'model', model, `for messages, ${anyModel}`);
  const result = await summarizeConversation({ messages, model, config, abortSignal });
  if (!result.ok) throw result.error;
  return result.record;
}

/**
 * The text of such a message.
 *
 * @param option - What the caller calls the record.
 * @param to - Who starts with it; `undefined` for what a conversation remembers.
 * @throws {SummarizationOptionError} when there was no room for what the record says.
 */
export function handoffText(record: SummaryRecord, option: string, to?: string): string {
  const isWhole = record.summary !== omittedSummary;
  checkThat(isWhole, option, record, 'a record whose texts were not left out');
  return renderHandoff(record, to);
}

/** The message of a rendered record: the user's, because data has no place among the instructions. */
export function handoffMessage(content: string): HandoffMessage {
  return { role: 'user', content, providerOptions: handoffMark };
}
