import type { ArchivePolicy } from '../archive/archive-policy.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { isAnother } from './lookup/is-another.ts';
import type { LookUpAnswer } from './lookup/look-up.ts';
import { beginRecord } from './changes/begin-record.ts';
import { listRecord } from './changes/list-record.ts';
import { takeBackIfErased } from './changes/take-back.ts';
import type { KnownSummary, ProcessCopy } from './lookup/process-copy.ts';
import type { SealedStore } from '../stores/seal/sealed-store.ts';
import type { StateScope } from './prefixes/state-scope.ts';
import type { StateTimes } from './changes/state-times.ts';
import { inUse } from './changes/prepared-summary.ts';
import { isInUse } from './lookup/is-in-use.ts';

/** What an answer is compared with. */
interface ReconcileContext {
  readonly copy: ProcessCopy;
  /** What the process files the conversation under. */
  readonly home: string;
  readonly store: SealedStore;
  readonly scope: StateScope;
  readonly times: StateTimes;
  /** How originals are kept, if they are. */
  readonly archive: ArchivePolicy | undefined;
  /** The messages that a record newly stands for, where they are all sent. */
  readonly originalsOf: (record: SummaryRecord) => Promise<readonly Message[] | undefined>;
}

/**
 * Brings the copy of this process and the store together: what is new to the copy is kept, what the store
 * has lost is written again, its originals first, but never what was erased, undone or has expired. Of two summaries of the same
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
  const archived = await archivedFirst(context, known);
  if (archived === undefined) return;
  const ttlMs = known.expiresAt - Date.now();
  await context.store.write(known.key, JSON.stringify(archived.summary), { ifAbsent, ttlMs });
  await listAgain(context, archived);
  await takeBackIfErased(context.store, context.scope, archived, context.times.retentionMs);
}

/** A summary whose originals the store has, as far as this call can see to it; `undefined`: not yet. */
async function archivedFirst(
  context: ReconcileContext,
  known: KnownSummary,
): Promise<KnownSummary | undefined> {
  const { copy, home, store, scope, archive, originalsOf } = context;
  const { summary, erasures } = known;
  if (archive === undefined) return known;
  const { archiveId } = summary;
  // Whatever took the record away may have taken its originals too.
  const isKept =
    archiveId !== undefined &&
    (await store.read(await scope.archiveKey(store.keys, archiveId))).taken;
  if (isKept) return known;
  const originals = await originalsOf(summary.record);
  // What no client sends any more is not to be had.
  if (originals === undefined) return known;
  const { coveredMessages: count, prefixDigest: digest } = summary.record;
  const until = { erasures, ttlMs: known.expiresAt - Date.now() };
  const { state, begun, remove } = await beginRecord({
    ...context,
    prefix: { count, digest },
    originals,
    until,
  });
  if (state !== 'ready') {
    await remove();
    return undefined;
  }
  const archived = { ...known, summary: { ...summary, archiveId: begun.archiveId } };
  copy.keep(home, archived);
  return archived;
}

async function writeInUse(
  { store, scope, times }: ReconcileContext,
  known: KnownSummary,
  mine: KnownSummary,
): Promise<void> {
  const text = JSON.stringify(inUse(known.summary, mine.summary));
  await store.write(known.key, text, { ttlMs: known.expiresAt - Date.now() });
  await takeBackIfErased(store, scope, known, times.retentionMs);
}

async function listAgain(
  { store, scope }: Pick<ReconcileContext, 'store' | 'scope'>,
  { summary, erasures, expiresAt }: KnownSummary,
): Promise<void> {
  const { record, archiveId } = summary;
  const { coveredMessages: count, prefixDigest: digest } = record;
  const listKeys = await scope.listKeysOf(store.keys, count);
  const ttlMs = expiresAt - Date.now();
  await listRecord(store, listKeys, { count, digest, archiveId }, { erasures, ttlMs });
}
