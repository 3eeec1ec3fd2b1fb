import { describe, expect, it } from 'vitest';
import type { StoredSummary } from '../../../src/record/stored-summary.ts';
import type { HierarchicalSummary, SummaryResult, SummaryTreeStore } from '../../../src/index.ts';
import { storeKeys } from '../../../src/stores/store-keys.ts';
import { sampleTree } from '../../support/sample-tree.ts';
import { keepTree, treeIdOf, type TreePlace } from '../../../src/summaries/make-summary.ts';
import { treeNodes } from '../../support/tree-nodes.ts';
import { untyped } from '../../support/untyped.ts';
import { eventLog, key, recordBefore } from './record-requests.ts';

/** A store that remembers what it was given. */
function spyStore(persist: () => Promise<void> = async () => {}) {
  const persisted: (readonly [string, SummaryResult])[] = [];
  const store: SummaryTreeStore = {
    persist: (id, result) => {
      persisted.push([id, result]);
      return persist();
    },
    getFinalSummary: async () => undefined,
    list: async () => [],
    delete: async () => {},
  };
  return { store, persisted };
}

function placeOf(more: Partial<TreePlace>): TreePlace {
  return {
    store: undefined,
    conversationId: undefined,
    namespace: undefined,
    treeId: undefined,
    keys: storeKeys('a secret of the tests', ''),
    ...more,
  };
}

async function summaryOf(more: Partial<StoredSummary> = {}): Promise<StoredSummary> {
  const lastSummarization = { depth: 0, messageCount: 2, tokenRatio: 0.5 };
  return { record: await recordBefore(), from: 0, lastSummarization, ...more };
}

/** Keeps a summary and returns what the store was given, and the events. */
async function kept(
  place: Partial<TreePlace>,
  summary: Partial<StoredSummary> = {},
  hierarchical?: HierarchicalSummary,
  persist?: () => Promise<void>,
) {
  const { store, persisted } = spyStore(persist);
  const { emit, events } = eventLog();
  const redact = (text: string): string => text.replaceAll('secret', '***');
  const of = placeOf({ store, ...place });
  const treeId = await treeIdOf({ ...of, treeId: summary.treeId ?? of.treeId }, key);
  const isErased = async (): Promise<boolean> => false;
  const made = {
    summary: await summaryOf({ ...summary, treeId }),
    hierarchical,
    isErased,
    emit,
  };
  await keepTree({ ...of, redact }, made);
  return { persisted, events };
}

describe('treeIdOf', () => {
  const { store } = spyStore();

  it.each([
    ['is none where nothing is kept', {}, undefined],
    [
      'is none with an id of the calls where nothing is kept',
      { conversationId: 'chat' },
      undefined,
    ],
    ['is named where something was kept before', { treeId: '/old' }, '/old'],
    ['is that of the calls', { store, treeId: '/old', conversationId: 'chat' }, 'chat'],
    ['is that of the calls where that is empty', { store, treeId: '/old', conversationId: '' }, ''],
  ])('%s', async (_name, place, id) => {
    expect(await treeIdOf(placeOf(place), key)).toBe(id);
  });

  it('comes from the key of the first summary, which it does not give away', async () => {
    const id = await treeIdOf(placeOf({ store }), key);
    expect(id).toMatch(/^\/[0-9a-f]{64}$/);
    expect(id).not.toContain(key);
    expect(await treeIdOf(placeOf({ store }), key)).toBe(id);
    expect(await treeIdOf(placeOf({ store }), 'f'.repeat(64))).not.toBe(id);
  });
});

describe('keepTree', () => {
  it('keeps no placeholder', async () => {
    const record = await recordBefore({ summary: '[Summary omitted - insufficient budget]' });
    const { persisted } = await kept({ conversationId: 'chat' }, { record });
    expect(persisted).toEqual([]);
  });

  it('redacts what the summary was condensed through', async () => {
    const { hierarchical } = sampleTree('secret', 6);
    const { persisted, events } = await kept({ conversationId: 'chat' }, {}, hierarchical);
    const ids = treeNodes('chat', sampleTree('***', 6), '').map(({ id }) => id);
    expect(events).toMatchObject([{ nodeIds: ids }]);
    expect(ids).toHaveLength(9);
    expect(persisted[0]?.[1].hierarchical).toEqual(sampleTree('***', 6).hierarchical);
  });

  it.each([
    ['the store rejects', undefined, () => Promise.reject(new Error('down'))],
    ['a strategy gave half a tree', untyped<HierarchicalSummary>({ l1Summaries: 7 }), undefined],
  ])('reports that %s, and does not reject', async (_name, hierarchical, persist) => {
    const { events } = await kept({ conversationId: 'chat' }, {}, hierarchical, persist);
    expect(events).toEqual([
      {
        type: 'failed',
        stage: 'persist',
        reason: 'the summary tree store failed',
        error: expect.any(Error),
      },
    ]);
  });
});
