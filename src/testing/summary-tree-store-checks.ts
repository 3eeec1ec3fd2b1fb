import type { SummaryTreeStore } from '../stores/summary-trees.ts';
import { treeNodes } from '../stores/tree-nodes.ts';
import type { SummaryResult } from '../record/summary-result.ts';
import { hostileIds, awkwardTexts } from './awkward-texts.ts';
import { sampleText, sampleTree } from './sample-tree.ts';
import { checksFor, expectSame, type ChecksOf, type StoreCheck } from './store-check.ts';

/**
 * What every {@link SummaryTreeStore} has to do, as checks for any test runner. They may share one store
 * and run in any order: each has conversations of its own.
 *
 * @example
 * for (const { name, run } of summaryTreeStoreChecks(() => myStore())) it(name, run);
 */
export function summaryTreeStoreChecks(
  makeStore: () => SummaryTreeStore | Promise<SummaryTreeStore>,
): readonly StoreCheck[] {
  return checksFor(treeChecks, makeStore, () => crypto.randomUUID());
}

const treeChecks: ChecksOf<SummaryTreeStore> = {
  'holds nothing of a conversation it does not know': async (store, conversation) => {
    expectSame(await store.getFinalSummary(conversation), undefined, 'the final summary');
    expectSame(await store.list(conversation), [], 'the summaries');
    await store.delete(conversation);
  },

  'gives a tree back as it was, layer by layer': async (store, conversation) => {
    await persisted(store, conversation, sampleTree('first', 12));
  },

  'puts a smaller tree in the place of a larger one': async (store, conversation) => {
    await persisted(store, conversation, sampleTree('first', 12));
    await persisted(store, conversation, sampleTree('second', 2));
    await persisted(store, conversation, sampleText('third'));
  },

  'keeps hundreds of summaries of one conversation': async (store, conversation) => {
    await persisted(store, conversation, sampleTree('many', 250));
    await persisted(store, conversation, sampleTree('more', 251));
  },

  'keeps a summary of every level': async (store, conversation) => {
    for (const level of ['NONE', 'BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL'] as const) {
      await persisted(store, conversation, sampleText(level === 'NONE' ? '' : 'A text.', level));
    }
  },

  'gives every text back as it was': async (store, conversation) => {
    for (const text of awkwardTexts) await persisted(store, conversation, sampleText(text));
  },

  'keeps conversations apart, whatever their ids': async (store, conversation) => {
    const ids = hostileIds(conversation);
    for (const [index, id] of ids.entries()) await store.persist(id, sampleTree(`${index}`, 2));
    for (const [index, id] of ids.entries()) {
      await expectTree(store, id, sampleTree(`${index}`, 2));
      await store.delete(id);
      expectSame(await store.list(id), [], `the deleted summaries of ${JSON.stringify(id)}`);
    }
  },

  'holds nothing of a conversation that was deleted': async (store, conversation) => {
    await store.persist(conversation, sampleTree('gone', 6));
    await store.delete(conversation);
    expectSame(await store.getFinalSummary(conversation), undefined, 'the final summary');
    expectSame(await store.list(conversation), [], 'the summaries');
    await store.delete(conversation);
    await persisted(store, conversation, sampleTree('again', 3));
  },

  'leaves one complete tree when several are persisted at once': async (store, conversation) => {
    const trees = [3, 8, 1, 6, 11].map((chunks) => sampleTree(`of ${chunks}`, chunks));
    await Promise.all(trees.map((tree) => store.persist(conversation, tree)));
    await expectOneOf(store, conversation, trees);
  },

  'shows a complete tree at every moment': async (store, conversation) => {
    const trees = [sampleTree('odd', 7), sampleTree('even', 3)];
    await store.persist(conversation, sampleTree('odd', 7));
    const writing = { isDone: false };
    const write = async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1) {
        for (const tree of trees) await store.persist(conversation, tree);
      }
    };
    const read = async (): Promise<void> => {
      while (!writing.isDone) await expectOneOf(store, conversation, trees);
    };
    const done = write().finally(() => {
      writing.isDone = true;
    });
    await Promise.all([done, read()]);
  },
};

async function persisted(
  store: SummaryTreeStore,
  conversation: string,
  result: SummaryResult,
): Promise<void> {
  await store.persist(conversation, result);
  await expectTree(store, conversation, result);
}

async function expectTree(
  store: SummaryTreeStore,
  conversation: string,
  result: SummaryResult,
): Promise<void> {
  const nodes = await store.list(conversation);
  const createdAt = nodes[0]?.createdAt ?? '';
  const expected = treeNodes(conversation.toWellFormed(), result, createdAt);
  const given = nodes.map((node) => ({
    ...node,
    id: node.id.toWellFormed(),
    conversationId: node.conversationId.toWellFormed(),
  }));
  expectSame(given, expected, 'the summaries');
  const isDate = !Number.isNaN(Date.parse(createdAt));
  if (!isDate || new Date(createdAt).toISOString() !== createdAt)
    throw new Error(`createdAt is ${JSON.stringify(createdAt)}, expected ISO 8601 in UTC`);
  expectSame(await store.getFinalSummary(conversation), result.summary, 'the final summary');
}

async function expectOneOf(
  store: SummaryTreeStore,
  conversation: string,
  trees: readonly SummaryResult[],
): Promise<void> {
  const nodes = await store.list(conversation);
  const tree = trees.find(({ summary }) => summary === nodes.at(-1)?.content);
  if (tree === undefined) throw new Error(`unexpected: ${JSON.stringify(nodes.at(-1))}`);
  expectSame(nodes, treeNodes(conversation, tree, nodes[0]?.createdAt ?? ''), 'the summaries');
}
