import { checkThat } from '../../checks/check-object.ts';
import { rule, type OptionRule } from '../../checks/option-rule.ts';
import { recordIdOf } from '../../record/build-record.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import { conversationKeys } from '../../state/conversation-keys.ts';
import type { StoredPlace } from '../../state/stored-conversation.ts';
import { isObject } from '../../util/is-object.ts';
import type { OpenState } from './state-input.ts';

/** A record, or an entry of `listSummaries`. */
export type GivenRecord = Pick<SummaryRecord, 'id' | 'prefixDigest' | 'openingDigests'>;

export const recordRule: OptionRule<GivenRecord> = rule(
  'a record, or an entry of listSummaries',
  (value) =>
    isObject(value) && typeof value['id'] === 'string' && typeof value['prefixDigest'] === 'string',
);

/**
 * Where the conversation of a record is.
 *
 * @throws {SummarizationOptionError} when it belongs to another namespace, conversation or secret: its id is
 * derived from all three.
 */
export async function placeOfRecord(
  { stores, copy }: OpenState,
  conversationId: string | undefined,
  { id, prefixDigest, openingDigests }: GivenRecord,
): Promise<StoredPlace> {
  const names = conversationKeys(openingDigests, conversationId);
  for (const { keys } of stores)
    if (recordIdOf(await names.recordKey(keys, prefixDigest)) === id)
      return { stores, copy, names };
  const allowed = 'a record of this conversationId (or of none), namespace and secret';
  checkThat(false, 'record', { id, prefixDigest }, allowed);
}
