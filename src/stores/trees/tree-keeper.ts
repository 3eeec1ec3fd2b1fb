import { clockMs } from '../../util/clock-ms.ts';
import type { SummaryTreeStore } from '../summary-tree-store.ts';
import type { SummaryResult } from '../../record/summary-result.ts';
import { withDeadline } from '../../util/async/with-deadline.ts';

/** Milliseconds a caller waits for a tree store before it goes on; the store goes on too. */
export const treeWaitMs = 250;

/** Milliseconds after which a tree store that has not answered counts as failed. */
export const treeTimeoutMs = 60_000;

/** A summary to be kept. */
export interface TreeToKeep {
  readonly treeId: string;
  readonly result: SummaryResult;
  /** Asked when it was written: what was erased meanwhile is removed again. */
  readonly isWanted: () => Promise<boolean>;
  readonly onKept: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Hands summaries to a tree store without letting it harm or delay anybody. */
export interface TreeKeeper {
  /**
   * Resolves when the summary is kept or cannot be, 250 ms later at most; at once while another one of the
   * conversation is being kept, which a newer one may replace unkept. Never rejects.
   */
  readonly keep: (tree: TreeToKeep) => Promise<void>;
  /** Removes what is kept of a conversation, behind what is being written. Rejects where the store did not do it in time. */
  readonly remove: (treeId: string, timeoutMs: number) => Promise<void>;
}

const keepers = new WeakMap<SummaryTreeStore, TreeKeeper>();

/** The keeper of a store: one, whoever writes to it, so that all wait for each other. */
export function treeKeeperOf(store: SummaryTreeStore): TreeKeeper {
  const keeper = keepers.get(store) ?? treeKeeper(store);
  keepers.set(store, keeper);
  return keeper;
}

/** A conversation one of whose summaries is written. */
interface Writing {
  next: TreeToKeep | undefined;
  /** Time of `performance` by which it has ended, or was given up by the request that began it. */
  endsBy: number;
  readonly end: Promise<void>;
}

/**
 * Makes a {@link TreeKeeper}. Summaries of one conversation are handed on one after another, so that a
 * slow one never replaces a newer one; those that wait for their turn make way for the newest.
 */
function treeKeeper(store: SummaryTreeStore): TreeKeeper {
  const writing = new Map<string, Writing>();

  const writeAll = async (first: TreeToKeep): Promise<void> => {
    const { treeId } = first;
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const entry: Writing = { next: undefined, end, endsBy: 0 };
    writing.set(treeId, entry);
    for (let tree: TreeToKeep | undefined = first; tree !== undefined; tree = entry.next) {
      entry.next = undefined;
      entry.endsBy = clockMs() + 2 * treeTimeoutMs;
      await write(store, tree);
    }
    if (writing.get(treeId) === entry) writing.delete(treeId);
    resolve();
  };

  return {
    keep: async (tree) => {
      const entry = writing.get(tree.treeId);
      if (entry !== undefined && clockMs() < entry.endsBy) entry.next = tree;
      // The work never rejects: only the time can be up, and the store goes on.
      else await withDeadline(undefined, treeWaitMs, async () => writeAll(tree)).catch(() => {});
    },
    remove: (treeId, timeoutMs) =>
      withDeadline(undefined, timeoutMs, async () => {
        const entry = writing.get(treeId);
        if (entry !== undefined) entry.next = undefined;
        await entry?.end;
        await store.delete(treeId);
      }),
  };
}

/** Writes a tree, and removes it again where nobody is to have it any more. */
async function write(
  store: SummaryTreeStore,
  { treeId, result, isWanted, onKept, onFault }: TreeToKeep,
): Promise<void> {
  try {
    const isKept = await withDeadline(undefined, treeTimeoutMs, async () => {
      await store.persist(treeId, result);
      if (await isWanted()) return true;
      await store.delete(treeId);
      return false;
    });
    if (isKept) onKept();
  } catch (error) {
    onFault(error);
  }
}
