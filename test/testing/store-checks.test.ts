import { describe, expect, it } from 'vitest';
import { memoryStore, type SummaryStore } from '../../src/index.ts';
import type { SummaryTreeNode, SummaryTreeStore } from '../../src/stores/summary-tree-store.ts';
import { treeNodes } from '../../src/stores/trees/tree-nodes.ts';
import {
  summaryStoreChecks,
  summaryTreeStoreChecks,
  type StoreCheck,
} from '../../src/testing/index.ts';

/** The names of the checks that a store does not pass. */
async function failing(checks: readonly StoreCheck[]): Promise<string[]> {
  const names = await Promise.all(
    checks.map(async ({ name, run }) =>
      run().then(
        () => [],
        () => [name],
      ),
    ),
  );
  return names.flat();
}

/** The simplest store that is right. */
function mapTreeStore(keyOf = (id: string): string => id): SummaryTreeStore {
  const trees = new Map<string, readonly SummaryTreeNode[]>();
  return {
    persist: async (id, result) => {
      trees.set(keyOf(id), treeNodes(id, result, new Date().toISOString()));
    },
    getFinalSummary: async (id) => trees.get(keyOf(id))?.at(-1)?.content,
    list: async (id) => trees.get(keyOf(id)) ?? [],
    delete: async (id) => {
      trees.delete(keyOf(id));
    },
  };
}

describe('summaryTreeStoreChecks', () => {
  it('passes a store that is right', async () => {
    expect(await failing(summaryTreeStoreChecks(() => mapTreeStore()))).toEqual([]);
  });

  it('fails a store that takes different ids for one', async () => {
    const store = mapTreeStore((id) => id.trim().toLowerCase());
    expect(await failing(summaryTreeStoreChecks(() => store))).toEqual([
      'keeps conversations apart, whatever their ids',
    ]);
  });

  it('fails a store that does not delete', async () => {
    const store = { ...mapTreeStore(), delete: async () => {} };
    expect(await failing(summaryTreeStoreChecks(() => store))).toEqual([
      'keeps conversations apart, whatever their ids',
      'holds nothing of a conversation that was deleted',
    ]);
  });
});

describe('summaryStoreChecks', () => {
  it.each(summaryStoreChecks(() => memoryStore()))('passes memoryStore: $name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it('passes a store that answers null for what it does not have', async () => {
    const checks = summaryStoreChecks(() => {
      const store = memoryStore();
      return { ...store, get: async (key) => (await store.get(key)) ?? null };
    });
    expect(await failing(checks)).toEqual([]);
  });

  it('fails a store whose ifAbsent is not atomic', async () => {
    const inner = memoryStore();
    const store: SummaryStore = {
      ...inner,
      set: async (key, value, options) => {
        const taken = await inner.get(key);
        return options?.ifAbsent === true && taken !== undefined ? false : inner.set(key, value);
      },
    };
    expect(await failing(summaryStoreChecks(() => store))).toEqual([
      'lets one of many writers win with ifAbsent',
    ]);
  });
});
