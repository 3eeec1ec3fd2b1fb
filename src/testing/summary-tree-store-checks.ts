import type { ChunkSummary, SummaryResult } from '../record/summary-result.ts';
import type { SummaryTreeStore } from '../stores/summary-store.ts';
import { treeRecords } from '../stores/summary-trees.ts';
import { awkwardTexts, checksFor, expectSame, type ChecksOf, type StoreCheck } from './check.ts';

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
  'gives every tree back as it was, layer by layer, in the place of the one before': async (
    store,
    conversation,
  ) => {
    for (const chunks of [12, 2, 0, 250, 251]) await keeps(store, conversation, tree('a', chunks));
    for (const level of ['BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL'] as const)
      await keeps(store, conversation, { ...tree('a text', 0), level });
    for (const summary of awkwardTexts)
      await keeps(store, conversation, { ...tree('', 0), summary });
  },

  'keeps conversations apart, whatever their ids': async (store, conversation) => {
    const ids = hostileIds(conversation);
    for (const [index, id] of ids.entries()) await store.persist(id, tree(`${index}`, 2));
    for (const [index, id] of ids.entries()) {
      await expectOneOf(store, id, [tree(`${index}`, 2)]);
      await store.delete(id);
      await expectNothing(store, id);
    }
  },

  'holds nothing of a conversation that was deleted': async (store, conversation) => {
    await expectNothing(store, conversation);
    await store.delete(conversation);
    await store.persist(conversation, tree('gone', 6));
    await store.delete(conversation);
    await expectNothing(store, conversation);
    await keeps(store, conversation, tree('again', 3));
  },

  'shows one complete tree at every moment, when several are persisted at once too': async (
    store,
    conversation,
  ) => {
    const trees = [3, 8, 1, 6, 11].map((chunks) => tree(`of ${chunks}`, chunks));
    await keeps(store, conversation, tree('of 3', 3));
    const writing = { isDone: false };
    const write = async (): Promise<void> => {
      for (let turn = 0; turn < 4; turn += 1)
        for (const each of trees) await store.persist(conversation, each);
      await Promise.all(trees.map((each) => store.persist(conversation, each)));
    };
    const read = async (): Promise<void> => {
      while (!writing.isDone) await expectOneOf(store, conversation, trees);
    };
    await Promise.all([write().finally(() => (writing.isDone = true)), read()]);
    await expectOneOf(store, conversation, trees);
  },
};

async function keeps(
  store: SummaryTreeStore,
  conversation: string,
  result: SummaryResult,
): Promise<void> {
  await store.persist(conversation, result);
  await expectOneOf(store, conversation, [result]);
  expectSame(await store.getFinalSummary(conversation), result.summary, 'the final summary');
}

async function expectNothing(store: SummaryTreeStore, conversation: string): Promise<void> {
  expectSame(await store.getFinalSummary(conversation), undefined, 'the final summary');
  expectSame(await store.list(conversation), [], 'the summaries');
}

/** That there is exactly one of some trees; those of a store without lone surrogates in its ids are the same. */
async function expectOneOf(
  store: SummaryTreeStore,
  conversation: string,
  trees: readonly SummaryResult[],
): Promise<void> {
  const nodes = await store.list(conversation);
  const found = trees.find(({ summary }) => summary === nodes.at(-1)?.content);
  if (found === undefined) throw new Error(`unexpected: ${JSON.stringify(nodes.at(-1))}`);
  const createdAt = nodes[0]?.createdAt ?? '';
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(createdAt))
    throw new Error(`createdAt is ${JSON.stringify(createdAt)}, expected ISO 8601 in UTC`);
  const given = nodes.map((node) => ({
    ...node,
    id: node.id.toWellFormed(),
    conversationId: node.conversationId.toWellFormed(),
  }));
  const expected = treeRecords(conversation, found, createdAt).map(({ node }) => node);
  expectSame(given, expected, 'the summaries');
}

/** A summary made through a tree of so many chunks, in groups of five, all of whose texts hold a label. */
function tree(label: string, chunks: number): SummaryResult {
  const summary = `final ${label}`;
  const summaries = (count: number, kind: string): readonly ChunkSummary[] =>
    Array.from({ length: count }, (_, index) => ({
      chunkIndex: index,
      content: `${kind} ${index} ${label}`,
      tokenCount: 300 + index,
      sourceTokens: 3000,
      parentGroup: kind === 'chunk' ? Math.floor(index / 5) : undefined,
    }));
  const result = { summary, inputTokens: 3000, outputTokens: 60, compressionRatio: 0.02 };
  if (chunks === 0) return { ...result, level: 'BRIEF' };
  const layers = {
    l1Summaries: summaries(chunks, 'chunk'),
    l2Summaries: summaries(Math.ceil(chunks / 5), 'group'),
    l3Summary: summary,
  };
  const hierarchical = { ...layers, chunkSize: 3000, chunkOverlap: 200 };
  return { ...result, level: 'HIERARCHICAL', hierarchical };
}

/** Different ids that a careless store takes for one, or that lead out of where they belong. */
function hostileIds(id: string): readonly string[] {
  const long = 'very '.repeat(2000) + id;
  const alike = [
    '',
    ' ',
    '\n',
    '.',
    '/',
    ':summary:L1:0',
    '%2F',
    '\0',
    'é',
    'e\u0301',
    '?x=1',
    '*',
  ];
  const ahead = ['../', '../../', '/', 'C:\\', '\\\\server\\', 'CON.', '# ', '__proto__ '];
  const others = ['', '.', '..', 'CON', 'nul', id.toUpperCase(), long, `${long}!`, `"${id}": null`];
  const ends = [...alike, '\ud800', '\ud801'].map((end) => id + end);
  return [...ends, ...ahead.map((start) => start + id), ...others];
}
