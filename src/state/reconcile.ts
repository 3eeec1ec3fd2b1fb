import type { LookUpAnswer } from './lookup/look-up.ts';
import { listRecord } from './changes/list-record.ts';
import { isAnother, isInUse } from './lookup/known-summary.ts';
import { inUse } from './prepared-summary.ts';
import type { KnownSummary, ProcessCopy } from './lookup/process-copy.ts';
import type { SealedStore } from '../stores/seal/sealed-store.ts';
import type { StateScope } from './prefixes/state-scope.ts';

/** What an answer is compared with. */
interface ReconcileContext {
  readonly copy: ProcessCopy;
  /** What the process files the conversation under. */
  readonly home: string;
  readonly store: SealedStore;
  readonly scope: Pick<StateScope, 'listKeysOf'>;
}

/**
 * Brings the copy of this process and the store together: what is new to the copy is kept, what the store
 * has lost is written again, but never what was erased, undone or has expired. Of two summaries of the same
 * messages that of the store is continued by the next one; until then what this process sends stays.
 *
 * @returns What the store has.
 */
export async function reconcile(
  context: ReconcileContext,
  answer: LookUpAnswer,
): Promise<readonly KnownSummary[]> {
  const { copy, home } = context;
  copy.undo(home, answer.undone);
  const stored: KnownSummary[] = [];
  for (const [digest, record] of answer.prefixes) {
    const mine = copy.get(home, digest);
    if (record.state === 'known') stored.push(record.known);
    if (mine === undefined) continue;
    if (record.state === 'ended' || isErased(mine, answer)) copy.forget(home, digest);
    else if (record.state === 'absent' || record.state === 'unreadable')
      await writeAgain(context, mine, record.state === 'absent');
    else if (record.state === 'known' && !answer.listed.has(digest)) await listAgain(context, mine);
  }
  // The newest last, as what was kept last counts as the newest.
  stored.push(...answer.newest);
  for (const known of stored) {
    const { prefixDigest } = known.summary.record;
    const mine = copy.get(home, prefixDigest);
    // What stands in a prompt anywhere is in its place everywhere.
    if (mine === undefined || (isInUse(known) && !isInUse(mine))) copy.keep(home, known);
    else if (isAnother(known, mine)) copy.keep(home, { ...mine, winner: known.summary });
    if (mine !== undefined && isInUse(mine) && !isInUse(known))
      await writeInUse(context, known, mine);
  }
  return stored;
}

/** Whether a conversation was erased since a summary of it became known. */
function isErased({ erasures }: KnownSummary, answer: LookUpAnswer): boolean {
  return [...erasures].some(
    ([key, erasure]) => answer.erasures.has(key) && answer.erasures.get(key) !== erasure,
  );
}

async function writeAgain(
  context: ReconcileContext,
  known: KnownSummary,
  ifAbsent: boolean,
): Promise<void> {
  const { key, summary } = known;
  const ttlMs = known.expiresAt - Date.now();
  await context.store.write(key, JSON.stringify(summary), { ifAbsent, ttlMs });
  await listAgain(context, known);
}

async function writeInUse(
  { store }: ReconcileContext,
  { summary, key, expiresAt }: KnownSummary,
  mine: KnownSummary,
): Promise<void> {
  const text = JSON.stringify(inUse(summary, mine.summary));
  await store.write(key, text, { ttlMs: expiresAt - Date.now() });
}

async function listAgain(
  { store, scope }: ReconcileContext,
  { summary, erasures, expiresAt }: KnownSummary,
): Promise<void> {
  const { coveredMessages: count, prefixDigest: digest } = summary.record;
  const listKeys = await scope.listKeysOf(store.keys, count);
  const ttlMs = expiresAt - Date.now();
  await listRecord(store, listKeys, { count, digest }, { erasures, ttlMs });
}
