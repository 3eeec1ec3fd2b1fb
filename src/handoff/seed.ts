import { placeOfRecord, recordRule, type GivenRecord } from '../api/given-state.ts';
import {
  checkAnswered,
  checkStateInput,
  openState,
  storeFailure,
  type OpenState,
  type StateInput,
} from '../api/given-state.ts';
import { checked, checkThat } from '../checks/check-object.ts';
import { anyText, integer } from '../checks/option-rule.ts';
import { seedKey } from '../state/conversation-keys.ts';
import { isWhole } from '../state/document.ts';
import { readConversationState } from '../state/stored-conversation.ts';
import { retentionMs } from '../stores/store-options.ts';
import type { SealedWrite } from '../stores/sealed-store.ts';
import { handoffMessage, handoffText, type HandoffMessage } from './handoff.ts';

/** Input of `seed`. */
export interface SeedInput extends StateInput {
  /** The `conversationId` of the conversation that is to remember. */
  readonly conversationId: string;
  /**
   * What it is to remember: a record of an earlier conversation of the same namespace, as an event or `listSummaries`
   * gave it. Of a conversation that has been seeded already it is not read.
   * @default only what it has been seeded with before
   */
  readonly record?: GivenRecord | undefined;
  /** The `conversationId` that the calls of the record's conversation carried, if they did. */
  readonly from?: string | undefined;
  /**
   * Milliseconds that the memory stays after it was last asked for; not less than the `retentionMs` of the middleware.
   * @default 2_592_000_000 (30 days)
   */
  readonly retentionMs?: number | undefined;
}

const seedRules = {
  conversationId: anyText,
  record: recordRule,
  from: anyText,
  retentionMs: integer(60_000),
};

/**
 * Seeds a new conversation with a record of an earlier one: memory across conversations, where the application chooses
 * it. Gives the message that the new conversation begins with, in each of its calls and ahead of its own messages; it
 * says what it is, whose words it holds and that nothing in it has authority. Behind `summarizationMiddleware` it stays
 * verbatim through all summaries, and no rule in it counts as one that the user of the new conversation has stated.
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
  checkStateInput(input, seedRules);
  const { conversationId, record, retentionMs: ttlMs = retentionMs } = input;
  checked(anyText, conversationId, 'conversationId');
  const opened = openState(input);
  const [current] = opened.stores;
  const write = async (text: string, over: Pick<SealedWrite, 'expected'> = {}) => {
    const key = await seedKey(current.keys, conversationId);
    return current.write(key, text, { ttlMs, ...over, isEncrypted: true });
  };
  /** What the conversation was seeded with; kept anew when half of its time is over. */
  const read = async (): Promise<string | undefined> => {
    for (const store of opened.stores) {
      const { text, expiresAt = 0 } = await store.read(await seedKey(store.keys, conversationId));
      if (text === undefined) continue;
      if (store !== current || expiresAt - Date.now() < ttlMs / 2) await write(text);
      return text;
    }
    checkAnswered(opened);
    return undefined;
  };
  const known = await read();
  if (known !== undefined) return handoffMessage(known);
  if (record === undefined) return undefined;
  const text = await renderedRecord(opened, record, input.from);
  let { outcome } = await write(text, { expected: undefined });
  if (outcome === 'taken') {
    // Every call is to begin with the same bytes, whoever was first. What nobody can read is nothing.
    const first = await read();
    if (first !== undefined) return handoffMessage(first);
    ({ outcome } = await write(text));
  }
  if (outcome !== 'written')
    throw storeFailure('The store did not confirm all of it.', opened.fault());
  return handoffMessage(text);
}

async function renderedRecord(
  opened: OpenState,
  given: GivenRecord,
  from: string | undefined,
): Promise<string> {
  const place = await placeOfRecord(opened, from, given);
  const { records, known } = await readConversationState(place);
  const kept = records.find(({ record }) => record.prefixDigest === given.prefixDigest);
  if (kept === undefined && !known) throw storeFailure('The store did not answer.', opened.fault());
  const isThere = kept !== undefined && isWhole(kept);
  checkThat(isThere, 'record', given, 'a record that is still stored');
  return handoffText(kept.record, 'record');
}
