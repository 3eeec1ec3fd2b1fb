import { checkThat } from '../../checks/check-object.ts';
import type { OptionRule } from '../../checks/option-rule.ts';
import { recordIdOf } from '../../record/build-record.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import type { StateScope } from '../../state/prefixes/state-scope.ts';
import type { SealedStore } from '../../stores/seal/sealed-store.ts';
import { isObject } from '../../util/is-object.ts';

/** A record, or an entry of `listSummaries`. */
export type GivenRecord = Pick<SummaryRecord, 'id' | 'prefixDigest'>;

export const recordRule: OptionRule = {
  allowed: 'a record, or an entry of listSummaries',
  accepts: (value) =>
    isObject(value) && typeof value['id'] === 'string' && typeof value['prefixDigest'] === 'string',
};

/**
 * The store as it is seen with the secret that a record was stored under.
 *
 * @throws {SummarizationOptionError} when it belongs to another namespace, conversation or secret: its id is
 * derived from all three.
 */
export async function storeOfRecord(
  stores: readonly SealedStore[],
  scope: Pick<StateScope, 'recordKey'>,
  record: GivenRecord,
): Promise<SealedStore> {
  for (const store of stores) {
    const key = await scope.recordKey(store.keys, record.prefixDigest);
    if (recordIdOf(key) === record.id) return store;
  }
  const allowed = 'a record of this conversationId (or of none), namespace and secret';
  checkThat(false, 'record', record, allowed);
}
