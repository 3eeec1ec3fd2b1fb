import type { SummaryTreeStore } from '../summary-tree-store.ts';
import type { SummaryResult } from '../../record/summary-result.ts';
import { turns, type InTurn } from '../../util/async/in-turn.ts';
import { withDeadline } from '../../util/async/with-deadline.ts';

/** Milliseconds a caller waits for a tree store before it goes on; the store goes on too. */
const waitMs = 250;

/** Milliseconds after which a tree store that has not answered counts as failed. */
const timeoutMs = 60_000;

/** A summary to be kept. */
export interface TreeToKeep {
  readonly treeId: string;
  readonly result: SummaryResult;
  /** Asked when it was written: what was erased meanwhile is removed again. */
  readonly isWanted: () => Promise<boolean>;
  readonly onKept: () => void;
  readonly onFault: (error: unknown) => void;
}

/** What writes to a store, whoever asks for it: to each tree one after another, so that a slow one replaces no newer one. */
const queues = new WeakMap<SummaryTreeStore, InTurn>();

function queueOf(store: SummaryTreeStore): InTurn {
  const queue = queues.get(store) ?? turns(timeoutMs);
  queues.set(store, queue);
  return queue;
}

/**
 * Hands a summary to a tree store without letting that harm or delay anybody: resolves when it is kept or cannot be,
 * 250 ms later at most. Never rejects.
 */
export async function keepInStore(
  store: SummaryTreeStore,
  { treeId, result, isWanted, onKept, onFault }: TreeToKeep,
): Promise<void> {
  const write = async (): Promise<void> => {
    await store.persist(treeId, result);
    if (await isWanted()) onKept();
    else await store.delete(treeId);
  };
  const keep = queueOf(store)(treeId, async () =>
    withDeadline(undefined, timeoutMs, write).catch(onFault),
  );
  await withDeadline(undefined, waitMs, async () => keep).catch(() => {});
}

/** Removes what is kept of a conversation, behind what is being written. Rejects where the store did not do it in time. */
export async function removeFromStore(
  store: SummaryTreeStore,
  treeId: string,
  limitMs: number,
): Promise<void> {
  const removal = queueOf(store)(treeId, async () => store.delete(treeId));
  await withDeadline(undefined, limitMs, async () => removal);
}
