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
}

const keepers = new WeakMap<SummaryTreeStore, TreeKeeper>();

/** The keeper of a store: one, whoever writes to it, so that all wait for each other. */
export function treeKeeperOf(store: SummaryTreeStore): TreeKeeper {
  const keeper = keepers.get(store) ?? treeKeeper(store);
  keepers.set(store, keeper);
  return keeper;
}

/**
 * Makes a {@link TreeKeeper}. Summaries of one conversation are handed on one after another, so that a
 * slow one never replaces a newer one; those that wait for their turn make way for the newest.
 */
function treeKeeper(store: SummaryTreeStore): TreeKeeper {
  // A conversation is in here while one of its summaries is written; the value is the next one.
  const waiting = new Map<string, TreeToKeep | undefined>();

  const writeAll = async (first: TreeToKeep): Promise<void> => {
    const { treeId } = first;
    for (let tree: TreeToKeep | undefined = first; tree !== undefined; tree = waiting.get(treeId)) {
      const { result, onKept, onFault } = tree;
      waiting.set(treeId, undefined);
      try {
        await withDeadline(undefined, treeTimeoutMs, async () => store.persist(treeId, result));
        onKept();
      } catch (error) {
        onFault(error);
      }
    }
    waiting.delete(treeId);
  };

  return {
    keep: async (tree) => {
      const isBusy = waiting.has(tree.treeId);
      if (isBusy) waiting.set(tree.treeId, tree);
      // The work never rejects: only the time can be up, and the store goes on.
      else await withDeadline(undefined, treeWaitMs, async () => writeAll(tree)).catch(() => {});
    },
  };
}
