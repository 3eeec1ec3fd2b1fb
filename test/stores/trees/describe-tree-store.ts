import { expect, it } from 'vitest';
import type { SummaryResult, SummaryTreeStore } from '../../../src/index.ts';
import { sampleText, sampleTree } from '../../support/sample-tree.ts';
import { treeNodes } from '../../support/tree-nodes.ts';

/** Texts that are easily taken for something else. */
const awkwardTexts: readonly string[] = [
  '',
  ' ',
  '\n\n\n',
  '\r\nlines\r\nof\rall\nkinds\r\n',
  '---\nid: forged\n---\n\nafter a fence',
  'before a fence\n---\n',
  '\ufeffafter a byte order mark',
  'null',
  '"quoted"',
  "it's: [a, b] # {c} & *d | e > f % g @ h `i`",
  '\t\v\f\u0000\u001b\u007f\u0085\u00a0\u2028\u2029\u202e',
  '😀👩‍👩‍👧‍👦 ελληνικά 日本語 עברית',
  '{"$ne": null}',
  'long '.repeat(20_000),
];

/** Different ids that a careless store takes for one, or that lead out of where they belong. */
export function hostileIds(id: string): readonly string[] {
  const long = 'very '.repeat(2000) + id;
  const ends = ['', ' ', '\n', '.', '/', ':summary:L1:0', '%2F', '\0', 'é', 'e\u0301', '?x=1', '*'];
  const starts = ['../', '../../', '/', 'C:\\', '\\\\server\\', 'CON.', '# ', '__proto__ '];
  const others = ['', '.', '..', 'CON', 'nul', id.toUpperCase(), long, `${long}!`, `"${id}": null`];
  return [
    ...[...ends, '\ud800', '\ud801'].map((end) => id + end),
    ...starts.map((start) => start + id),
    ...others,
  ];
}

/** That a conversation has exactly one of some trees; ids have U+FFFD for lone surrogates. */
async function expectOneOf(
  store: SummaryTreeStore,
  conversation: string,
  trees: readonly SummaryResult[],
): Promise<void> {
  const nodes = await store.list(conversation);
  const found = trees.find(({ summary }) => summary === nodes.at(-1)?.content);
  const createdAt = nodes[0]?.createdAt ?? '';
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const expected = found && treeNodes(conversation.toWellFormed(), found, createdAt);
  expect(nodes).toEqual(expected);
}

async function expectKept(
  store: SummaryTreeStore,
  conversation: string,
  result: SummaryResult,
): Promise<void> {
  await store.persist(conversation, result);
  await expectOneOf(store, conversation, [result]);
  expect(await store.getFinalSummary(conversation)).toBe(result.summary);
}

async function expectNothing(store: SummaryTreeStore, conversation: string): Promise<void> {
  expect(await store.getFinalSummary(conversation)).toBeUndefined();
  expect(await store.list(conversation)).toEqual([]);
}

/** What every store of summary trees has to do. */
const checks: Readonly<Record<string, (store: SummaryTreeStore) => Promise<void>>> = {
  'gives every tree back as it was, layer by layer, in the place of the one before': async (
    store,
  ) => {
    for (const chunks of [12, 2, 250, 251]) await expectKept(store, 'a', sampleTree('a', chunks));
    for (const level of ['BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL'] as const)
      await expectKept(store, 'a', { ...sampleText('a text'), level });
    for (const text of awkwardTexts) await expectKept(store, 'a', sampleText(text));
  },

  'keeps conversations apart, whatever their ids': async (store) => {
    const ids = hostileIds(crypto.randomUUID());
    for (const [index, id] of ids.entries()) await store.persist(id, sampleTree(`${index}`, 2));
    for (const [index, id] of ids.entries()) {
      await expectOneOf(store, id, [sampleTree(`${index}`, 2)]);
      await store.delete(id);
      await expectNothing(store, id);
    }
  },

  'writes lone surrogates as U+FFFD': async (store) => {
    await store.persist('a\ud800', sampleText('b\udfff'));
    expect(await store.getFinalSummary('a\ud800')).toBe('b\ufffd');
    expect(await store.getFinalSummary('a\ud801')).toBeUndefined();
  },

  'holds nothing of a conversation that was deleted': async (store) => {
    await expectNothing(store, 'chat');
    await store.delete('chat');
    await store.persist('chat', sampleTree('gone', 6));
    await store.delete('chat');
    await expectNothing(store, 'chat');
    await expectKept(store, 'chat', sampleTree('again', 3));
  },

  'shows one complete tree at every moment, when several are persisted at once too': async (
    store,
  ) => {
    const trees = [3, 8, 1, 6, 11].map((chunks) => sampleTree(`of ${chunks}`, chunks));
    await expectKept(store, 'chat', sampleTree('of 3', 3));
    const writing = { isDone: false };
    const write = async (): Promise<void> => {
      for (let turn = 0; turn < 4; turn += 1)
        for (const each of trees) await store.persist('chat', each);
      await Promise.all(trees.map((each) => store.persist('chat', each)));
    };
    const read = async (): Promise<void> => {
      while (!writing.isDone) await expectOneOf(store, 'chat', trees);
    };
    await Promise.all([write().finally(() => (writing.isDone = true)), read()]);
    await expectOneOf(store, 'chat', trees);
  },
};

/** Describes what every store of summary trees has to do, each with a store of its own. */
export function describeTreeStore(make: () => SummaryTreeStore): void {
  it.each(Object.entries(checks))('%s', async (_, check) => {
    await expect(check(make())).resolves.toBeUndefined();
  });
}
