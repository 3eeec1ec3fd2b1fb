import { redactionDoor, type Redact } from '../cleaning/redaction-door.ts';
import { omittedSummary } from '../composing/render-summary.ts';
import { recordText } from '../record/content-items.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { ChunkSummary, HierarchicalSummary } from '../record/summary-result.ts';
import type { CallReporter } from '../report/reporter.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import {
  anonymousTreeId,
  summaryTreeId,
  treeTimeoutMs,
  treeTurns,
  type SummaryTreeStore,
} from '../stores/summary-store.ts';
import { treeRecords } from '../stores/summary-trees.ts';
import { withDeadline } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';

/** Where the summaries of a conversation are kept for people and programs. */
export interface TreePlace {
  readonly store: SummaryTreeStore | undefined;
  /** The id that the conversation's calls carry. */
  readonly conversationId: string | undefined;
  readonly namespace: string | undefined;
  /** The id that the summary before was kept under. */
  readonly treeId: string | undefined;
  readonly keys: StoreKeys;
  /** Ids go through it too. */
  readonly redact?: Redact | undefined;
}

/**
 * The id that summaries of a conversation are kept under, which its records name, so that an erasure finds them.
 * One whose calls carry no id gets it with its first summary: conversations that begin alike have had different ones
 * since then; so does one with an id that `redact` does not leave as it is. `undefined` where nothing was kept so far.
 *
 * @param key - Store key of the summary that is made now.
 */
export async function treeIdOf(
  { store, conversationId, namespace, treeId, keys, redact }: TreePlace,
  key: string,
): Promise<string | undefined> {
  if (store === undefined || (conversationId === undefined && treeId !== undefined)) return treeId;
  const id = conversationId && summaryTreeId({ conversationId, namespace });
  if (id !== undefined && (redact === undefined || redactionDoor(redact)(id) === id)) return id;
  // Signed: no two conversations have the same whatever `redact` leaves of them, and no store key stands in it.
  return anonymousTreeId(await keys.key('tree', id ?? key));
}

/** Milliseconds a caller waits for a tree store before it goes on; the store goes on too. */
const waitMs = 250;

/**
 * Hands a summary that has been stored to the tree store. Resolves after 250 ms at most and never rejects; what became of
 * it is reported as an event.
 *
 * @param made.hierarchical - What it was condensed through. The record has gone through the door, this has not.
 * @param made.isErased - Whether the conversation has been erased since, as far as the store says so now.
 */
export async function keepTree(
  { store, redact }: Pick<TreePlace, 'store' | 'redact'>,
  made: {
    readonly summary: StoredSummary;
    readonly hierarchical: HierarchicalSummary | undefined;
    readonly isErased: () => Promise<boolean>;
    readonly emit: CallReporter['emit'];
  },
): Promise<void> {
  const { record, treeId } = made.summary;
  // A placeholder must not take the place of a summary that says something.
  if (store === undefined || treeId === undefined || record.summary === omittedSummary) return;
  const startedAt = clockMs();
  const write = async (): Promise<void> => {
    const { level, ...sizes } = record.metrics;
    const hierarchical = made.hierarchical && cleanTree(made.hierarchical, redact);
    const result = { level, summary: recordText(record), hierarchical, ...sizes };
    const nodeIds = treeRecords(treeId, result, '').map(({ node }) => node.id);
    await store.persist(treeId, result);
    if (await made.isErased()) return store.delete(treeId);
    const durationMs = clockMs() - startedAt;
    made.emit({ type: 'persisted', treeId, nodeIds, level, durationMs });
  };
  const keeping = treeTurns(store)(treeId, async () =>
    withDeadline(undefined, treeTimeoutMs, write),
  ).catch((error: unknown) => {
    const reason = 'the summary tree store failed';
    made.emit({ type: 'failed', stage: 'persist', reason, error });
  });
  await withDeadline(undefined, waitMs, () => keeping).catch(() => {});
}

function cleanTree(tree: HierarchicalSummary, redact: Redact | undefined): HierarchicalSummary {
  const clean = redactionDoor(redact);
  const cleanAll = (summaries: readonly ChunkSummary[]): readonly ChunkSummary[] =>
    summaries.map((summary) => ({ ...summary, content: clean(summary.content) }));
  return {
    ...tree,
    l1Summaries: cleanAll(tree.l1Summaries),
    l2Summaries: cleanAll(tree.l2Summaries),
    l3Summary: clean(tree.l3Summary),
  };
}
