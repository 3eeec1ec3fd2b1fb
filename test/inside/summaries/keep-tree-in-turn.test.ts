import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SummaryTreeStore } from '../../../src/index.ts';
import { treeTurns } from '../../../src/stores/summary-store.ts';
import { keepTree } from '../../../src/summaries/make-summary.ts';
import { recordBefore } from './record-requests.ts';

const record = await recordBefore();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A keeper whose store takes as long as it is told to, and what happened. */
function setUp(persist: (id: string, text: string) => Promise<void>) {
  const log: string[] = [];
  const erased = new Set<string>();
  const store: SummaryTreeStore = {
    persist: (id, { summary }) => {
      log.push(`persist ${id} ${summary}`);
      return persist(id, summary);
    },
    getFinalSummary: async () => undefined,
    list: async () => [],
    delete: async (id) => {
      log.push(`delete ${id}`);
    },
  };
  const keep = async (treeId: string, text: string): Promise<void> => {
    const lastSummarization = { depth: 0, messageCount: 2, tokenRatio: 0.5 };
    await keepTree(
      { store },
      {
        summary: { record: { ...record, summary: text }, from: 0, lastSummarization, treeId },
        hierarchical: undefined,
        isErased: async () => erased.has(treeId),
        emit: (event) => {
          if (event.type === 'persisted') log.push(`kept ${treeId} ${text}`);
          if (event.type === 'failed') log.push(`fault ${treeId} ${text} ${String(event.error)}`);
        },
      },
    );
  };
  const remove = async (id: string): Promise<void> =>
    treeTurns(store)(id, async () => store.delete(id));
  return { log, keep, erased, remove };
}

const after = async (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

describe('keepTree with a slow store', () => {
  it('waits 250 ms for a store that is slow, which goes on', async () => {
    const { log, keep } = setUp(async () => after(10_000));
    const waiting = keep('a', '1').then(() => log.push('went on'));
    await vi.advanceTimersByTimeAsync(250 - 1);
    expect(log).toEqual(['persist a 1']);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(log).toEqual(['persist a 1', 'went on']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(log).toEqual(['persist a 1', 'went on', 'kept a 1']);
  });

  it('gives a store up that does not answer within a minute', async () => {
    const { log, keep } = setUp(async () => new Promise(() => {}));
    const waiting = keep('a', '1');
    await vi.advanceTimersByTimeAsync(60_000);
    await waiting;
    expect(log).toEqual(['persist a 1', `fault a 1 TimeoutError: No answer within 60000 ms.`]);
  });

  it('writes one after another, and the newest last', async () => {
    const { log, keep } = setUp(async () => after(1000));
    const first = keep('a', '1');
    await vi.advanceTimersByTimeAsync(0);
    const waiting = [first, keep('a', '2'), keep('a', '3'), keep('b', '1')];
    await vi.advanceTimersByTimeAsync(5000);
    await Promise.all(waiting);
    expect(log).toEqual([
      'persist a 1',
      'persist b 1',
      'kept a 1',
      'persist a 2',
      'kept b 1',
      'kept a 2',
      'persist a 3',
      'kept a 3',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('removes behind what is being written and what waits', async () => {
    const { log, keep, remove } = setUp(async () => after(1000));
    const first = keep('a', '1');
    await vi.advanceTimersByTimeAsync(0);
    const waiting = [first, keep('a', '2'), remove('a'), remove('b')];
    await vi.advanceTimersByTimeAsync(5000);
    await Promise.all(waiting);
    expect(log).toEqual([
      'persist a 1',
      'delete b',
      'kept a 1',
      'persist a 2',
      'kept a 2',
      'delete a',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
