import type { UserModelMessage } from 'ai';
import {
  checkAnswered,
  checkedRecord,
  checkStateInput,
  findState,
  openState,
  recordRule,
  storeFailure,
  type RecordReference,
  type StateInput,
} from '../api/open-state.ts';
import { checkOptions, checkThat } from '../../foundations/checks/check-object.ts';
import { anyText, integer, rule } from '../../foundations/checks/option-rule.ts';
import { cleanRecord } from '../../prompt/cleaning/clean-content.ts';
import { visibleText } from '../../prompt/cleaning/visible-text.ts';
import { omittedSummary, renderHandoff } from '../../planning/composing/render-summary.ts';
import { handoffMark } from '../../prompt/messages/own-options.ts';
import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import { seedKey } from '../../state/conversation/conversation-keys.ts';
import { isWhole } from '../../state/conversation/document.ts';
import { changeValue, type SealedAnswer } from '../../state/stores/sealed-store.ts';
import { retentionMs } from '../../state/stores/store-keys.ts';

/** A message that begins a conversation with a record of another one. Its `providerOptions` keep it as it is. */
export interface HandoffMessage extends UserModelMessage {
  readonly content: string;
}

/** Options of `handoff`. */
export interface HandoffOptions {
  /** The reader of the message, such as 'the agent that writes the tests': at most 200 characters. */
  readonly to: string;
}

const handoffRules = {
  to: rule(
    'a string of 1 to 200 characters',
    (value) => typeof value === 'string' && visibleText(value).trim() !== '' && value.length <= 200,
  ),
};

/**
 * Makes the message with which a subagent or another model starts: a record of the conversation so far, who it is
 * for, and what of it may be relied on. Put it before the task. A model with `summarizationMiddleware` keeps it
 * verbatim through all summaries of the new conversation, and never counts a statement of the old user as one of the
 * new user. The record is data: nothing in it has authority, and its rules bind as far as the new conversation says
 * so.
 *
 * @throws {SummarizationOptionError} naming what is wrong, and what is allowed.
 *
 * @example
 * const brief = handoff(record, { to: 'the agent that writes the tests' });
 * await agent.generate({ messages: [brief, { role: 'user', content: 'Write the tests.' }] });
 */
export function handoff(record: SummaryRecord, options: HandoffOptions): HandoffMessage {
  checkOptions(options, 'to', handoffRules, 'to');
  const read = checkedRecord(record, 'record', 'a SummaryRecord');
  return handoffMessage(handoffText(cleanRecord(read, visibleText), options.to));
}

/**
 * The text of such a message.
 *
 * @param to - The reader; `undefined` for the memory of a conversation.
 * @throws {SummarizationOptionError} when there was no room for what the record says.
 */
function handoffText(record: SummaryRecord, to?: string): string {
  const holdsTexts = record.summary !== omittedSummary;
  checkThat(holdsTexts, 'record', record, 'a record whose texts were not left out');
  return renderHandoff(record, to);
}

/** The message of a rendered record: the user's, because data has no place among the instructions. */
function handoffMessage(content: string): HandoffMessage {
  return { role: 'user', content, providerOptions: handoffMark };
}

/** Input of `seed`. */
export interface SeedInput extends StateInput {
  /** The `conversationId` of the conversation that is to remember. */
  readonly conversationId: string;
  /**
   * The record to remember, of an earlier conversation in the same namespace, as an event or `listSummaries` returned
   * it. It is not read for a conversation that has been seeded already.
   * @default only what it has been seeded with before
   */
  readonly record?: RecordReference | undefined;
  /** The `conversationId` that the calls of the record's conversation carried, if they did. */
  readonly from?: string | undefined;
  /**
   * Milliseconds that the memory stays after it was last asked for; not less than the `retentionMs` of the middleware.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
}

const seedRules = { record: recordRule, from: anyText, retentionMs: integer(60_000) };

/**
 * Seeds a new conversation with a record of an earlier one: memory across conversations, where the application
 * chooses it. Gives the message that the new conversation begins with, in each of its calls and ahead of its own
 * messages; it says what it is, whose words it holds and that nothing in it has authority. A model with
 * `summarizationMiddleware` keeps it verbatim through all summaries, and counts no rule in it as a constraint of the
 * new conversation's user.
 *
 * The record is read from the store, under keys that hold namespace and secret: what the object says beyond where it
 * stands is not believed, and one of another namespace is refused. A copy of it belongs to the new conversation from
 * then on, so that each call of it begins alike: a later summary or the end of the earlier conversation changes nothing,
 * and `eraseConversation` of the new one erases it. To forget the earlier conversation altogether, erase both.
 *
 * @returns `undefined` where the conversation has not been seeded and no record is given.
 * @throws {SummarizationOptionError} naming what of the input is wrong: a record of another namespace, secret or
 * conversation than `from`, or one that is not stored any more.
 * @throws {SummarizationError} with the reason `store` when the store did not answer.
 *
 * @example
 * const memory = await seed({ store, secret, namespace, conversationId: chatId, record, from: earlierChatId });
 * const history = memory === undefined ? messages : [memory, ...messages];
 */
export async function seed(input: SeedInput): Promise<HandoffMessage | undefined> {
  checkStateInput(input, seedRules, 'conversationId');
  const { conversationId, record, retentionMs: ttlMs = retentionMs } = input;
  const opened = openState(input);
  const { store } = opened;
  const key = await seedKey(store.keys, conversationId);
  const first = await store.read(key);
  if (!first.known) checkAnswered(opened);
  // An erasure leaves an empty text. An erasure during this call holds.
  const text = first.text || (record && (await renderedRecord(input, record)));
  if (text === undefined) return undefined;
  // Every call is to begin with the same bytes, whoever was first; they are kept anew when half of their time is over, and
  // under a new secret.
  const seeded = async ({ raw, text: held, expiresAt = 0 }: SealedAnswer) => {
    const isErased = held === '' && raw !== first.raw;
    const isFresh = held && raw !== undefined && expiresAt - Date.now() >= ttlMs / 2;
    return isErased || isFresh ? undefined : { text: held || text, ttlMs, isEncrypted: true };
  };
  const answer = await changeValue(store, key, seeded, first);
  if (!answer.known && !first.text)
    throw storeFailure(
      'The store did not confirm the whole change. Call the function again.',
      opened.fault(),
    );
  const memory = answer.text ?? text;
  return memory === '' ? undefined : handoffMessage(memory);
}

/** Text of a stored record, whatever the input says. */
async function renderedRecord(input: SeedInput, given: RecordReference): Promise<string> {
  const of = { ...input, conversationId: input.from, record: given };
  const { kept } = await findState(of);
  const isThere = kept !== undefined && isWhole(kept);
  checkThat(isThere, 'record', given, 'a record that is still stored');
  return handoffText(kept.record);
}
