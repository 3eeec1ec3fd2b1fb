import { checkThat } from '../../checks/check-object.ts';
import type { OptionRule } from '../../checks/option-rule.ts';
import { identifyConversation } from '../../identity/conversation-identity.ts';
import { recordIdOf } from '../../record/build-record.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import type { KnownPlace } from '../../state/lookup/known-record.ts';
import { stateScope } from '../../state/prefixes/state-scope.ts';
import { isObject } from '../../util/is-object.ts';
import type { OpenState } from './state-input.ts';

/** A record, or an entry of `listSummaries`. */
export type GivenRecord = Pick<SummaryRecord, 'id' | 'prefixDigest'>;

export const recordRule: OptionRule = {
  allowed: 'a record, or an entry of listSummaries',
  accepts: (value) =>
    isObject(value) && typeof value['id'] === 'string' && typeof value['prefixDigest'] === 'string',
};

/**
 * Where a record is, as it is seen with the secret that it was stored under.
 *
 * @throws {SummarizationOptionError} when it belongs to another namespace, conversation or secret: its id is
 * derived from all three.
 */
export async function placeOfRecord(
  { stores, copy }: OpenState,
  conversationId: string | undefined,
  record: GivenRecord,
): Promise<KnownPlace & Pick<OpenState, 'copy'>> {
  const scope = stateScope(identifyConversation([]), conversationId);
  for (const store of stores) {
    const key = await scope.recordKey(store.keys, record.prefixDigest);
    if (recordIdOf(key) === record.id) return { store, copy, scope, home: copy.homesOf(key)[0] };
  }
  const allowed = 'a record of this conversationId (or of none), namespace and secret';
  checkThat(false, 'record', record, allowed);
}
