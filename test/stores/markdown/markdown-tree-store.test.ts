import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SummarizationOptionError } from '../../../src/index.ts';
import {
  markdownTreeStore,
  SummaryFileError,
  type MarkdownTreeStoreOptions,
} from '../../../src/node/index.ts';
import { sampleText, sampleTree } from '../../support/sample-tree.ts';
import { summaryTreeStoreChecks } from '../../../src/testing/index.ts';
import { untyped } from '../../support/untyped.ts';
import { temporaryFolder, write } from '../../node/folders.ts';

/** All files under a folder, with `/`. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

/** The folder of the only conversation. */
function onlyFolder(folder: string): string {
  const names = readdirSync(folder);
  expect(names).toHaveLength(1);
  return join(folder, names[0] ?? '');
}

/** The folder of its only set of files. */
function onlySet(folder: string): string {
  return onlyFolder(onlyFolder(folder));
}

/** Different ids that name one file, or none, where they are taken for names, or that lead out of a folder. */
const awkwardIds = [
  'x',
  'X',
  'x ',
  'x.',
  'x/',
  'x*',
  'x?y=1',
  'x%2F',
  'x\n',
  'x\0',
  'x\u00e9',
  'xe\u0301',
  'x\ud800',
  'x\ud801',
  '../x',
  '../../x',
  '/x',
  'C:\\x',
  '\\\\server\\x',
  '',
  '.',
  '..',
  'CON',
  'nul',
  '__proto__',
  `${'very '.repeat(2000)}x`,
  `${'very '.repeat(2000)}x!`,
];

describe('markdownTreeStore', () => {
  it.each(summaryTreeStoreChecks(() => markdownTreeStore({ folder: temporaryFolder() })))(
    '$name',
    async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    },
  );

  it('writes a file for each summary, and nothing else', async () => {
    const folder = temporaryFolder();
    await markdownTreeStore({ folder }).persist('Chat 42', sampleTree('a', 6));
    const conversation = onlyFolder(folder);
    expect(conversation).toMatch(/\/chat-42-[0-9a-f]{32}$/);
    expect(readdirSync(conversation)).toEqual([expect.stringMatching(/^1-/)]);
    expect(filesIn(onlySet(folder))).toEqual([
      ...Array.from({ length: 6 }, (_, index) => `L1/chunk_${index}.md`),
      'L2/group_0.md',
      'L2/group_1.md',
      'L3/final.md',
    ]);
  });

  it('describes a summary in YAML that any parser reads', async () => {
    const folder = temporaryFolder();
    const id = 'a: "b" # c\u2028\u0085\n';
    await markdownTreeStore({ folder }).persist(id, sampleTree('words', 6));
    const summaries = onlySet(folder);
    const frontMatter = (path: string): unknown => {
      const [, yaml, text] = readFileSync(join(summaries, path), 'utf8').split('---\n');
      expect(text).toMatch(/^\n\w+ (?:\d )?words\n$/);
      return parse(yaml ?? '');
    };
    const shared = {
      conversation_id: id,
      role: 'summary',
      chunk_index: null,
      group_index: null,
      parent_group: null,
      is_final: false,
      summary_level: 'HIERARCHICAL',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    expect(frontMatter('L1/chunk_5.md')).toEqual({
      ...shared,
      id: `${id}:summary:L1:5`,
      level: 1,
      chunk_index: 5,
      parent_group: 1,
      input_tokens: 3000,
      output_tokens: 305,
      compression_ratio: 305 / 3000,
    });
    expect(frontMatter('L2/group_1.md')).toEqual({
      ...shared,
      id: `${id}:summary:L2:1`,
      level: 2,
      group_index: 1,
      input_tokens: 3000,
      output_tokens: 301,
      compression_ratio: 301 / 3000,
    });
    expect(frontMatter('L3/final.md')).toEqual({
      ...shared,
      id: `${id}:summary:L3:0`,
      level: 3,
      is_final: true,
      input_tokens: 18_000,
      output_tokens: 200,
      compression_ratio: 200 / 18_000,
    });
  });

  it.each([
    'true',
    'No',
    'null',
    '~',
    '1e3',
    '0x1F',
    '2026-11-21',
    '- a',
    '*a',
    '\u007f\ufeff\uffff',
  ])('writes the id %j so that any parser reads it as a text', async (id) => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist(id, sampleText('text'));
    const [node] = await store.list(id);
    expect(node?.conversationId).toBe(id);
    const file = readFileSync(join(onlySet(folder), 'L3/final.md'), 'utf8');
    expect(parse(file.split('---\n')[1] ?? '')).toMatchObject({ conversation_id: id });
  });

  it('stays inside its folder with every id, also where case does not count', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'inside');
    const store = markdownTreeStore({ folder });
    const ids = awkwardIds;
    for (const id of ids) await store.persist(id, sampleText('text'));
    expect(readdirSync(parent)).toEqual(['inside']);
    const names = readdirSync(folder);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
    for (const name of names) expect(name).toMatch(/^(?:[a-z0-9][a-z0-9-]*-)?[0-9a-f]{32}$/);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThan(80);
  });

  it('writes lone surrogates as U+FFFD', async () => {
    const store = markdownTreeStore({ folder: temporaryFolder() });
    await store.persist('chat', sampleText('a\ud800b'));
    expect(await store.getFinalSummary('chat')).toBe('a\ufffdb');
  });

  it('leaves nothing behind after delete', async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('a', 6));
    const conversation = onlyFolder(folder);
    write(join(conversation, '.unread-left', 'L3', 'final.md'), 'left behind');
    write(join(conversation, '0-left', 'L3', 'final.md'), 'left behind');
    await store.delete('chat');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('clears away what writers that died left behind, but not what is being written', async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleText('first'));
    const conversation = onlyFolder(folder);
    for (const name of ['.unread-live', '.unread-dead', '0-dead', 'of somebody else'])
      mkdirSync(join(conversation, name));
    const twoHoursAgo = Date.now() / 1000 - 7200;
    utimesSync(join(conversation, '.unread-dead'), twoHoursAgo, twoHoursAgo);
    await store.persist('chat', sampleText('second'));
    expect(readdirSync(conversation).toSorted()).toEqual([
      '.unread-live',
      expect.stringMatching(/^2-/),
      'of somebody else',
    ]);
  });

  it('keeps the tree it has when a new one cannot be written', async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('kept', 2));
    const wrong = { ...sampleText('new'), inputTokens: Number.NaN };
    await expect(store.persist('chat', wrong)).rejects.toThrow(/input_tokens/);
    expect(await store.getFinalSummary('chat')).toBe('final kept');
    expect(readdirSync(onlyFolder(folder))).toEqual([expect.stringMatching(/^1-/)]);
  });

  it('reads files that were edited by hand', async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('a', 2));
    const file = join(onlySet(folder), 'L1', 'chunk_1.md');
    const [before] = await store.list('chat').then((nodes) => nodes.slice(1));
    const edited = readFileSync(file, 'utf8')
      .replace('role: summary', "# a note\nrole: 'summary' # another\nmood: good")
      .replace('chunk 1 a', 'better words')
      .replaceAll('\n', '\r\n');
    write(file, `\ufeff${edited}`);
    write(join(onlySet(folder), 'L1', 'notes.txt'), 'mine');
    expect(await store.list('chat').then((nodes) => nodes[1])).toEqual({
      ...before,
      content: 'better words',
    });
  });

  it.each([
    { from: 'level: 1', to: 'level: one', reason: /chunk_0\.md: level: / },
    { from: 'level: 1', to: 'level: [1]', reason: /chunk_0\.md: level: / },
    { from: 'chunk_index: 0', to: 'chunk_index: 7', reason: /are those of L1\/chunk_7\.md/ },
    { from: 'chunk_index: 0', to: '', reason: /chunk_index: a summary of level 1 needs one/ },
    { from: /---\n$/m, to: '', reason: /the front matter has no end/ },
    { from: /^---/, to: '', reason: /line 1: expected ---/ },
    {
      from: 'role: summary',
      to: 'role: summary\nrole: summary',
      reason: /line 5: duplicated mapping key/,
    },
    { from: 'id: chat:', to: 'id: "\\x', reason: /line 2: expected hexadecimal/ },
  ])('says what is wrong with a file: $to', async ({ from, to, reason }) => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('a', 2));
    const file = join(onlySet(folder), 'L1', 'chunk_0.md');
    write(file, readFileSync(file, 'utf8').replace(from, to));
    const error: unknown = await store.list('chat').catch((thrown: unknown) => thrown);
    expect(SummaryFileError.isInstance(error) && error.path).toBe(file);
    expect(String(error)).toMatch(reason);
    expect(error).toMatchObject({ name: 'SummaryFileError' });
    expect(await store.getFinalSummary('chat')).toBe('final a');
  });

  it('names a file that is gone', async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('a', 2));
    const file = join(onlySet(folder), 'L3', 'final.md');
    rmSync(file);
    for (const read of [store.list, store.getFinalSummary]) {
      const error: unknown = await read('chat').catch((thrown: unknown) => thrown);
      expect(SummaryFileError.isInstance(error) && error.path).toBe(file);
    }
  });

  it.each([[''], [1], [undefined]])('refuses %j for its folder', (folder) => {
    const make = (): unknown => markdownTreeStore(untyped<MarkdownTreeStoreOptions>({ folder }));
    expect(make).toThrow(SummarizationOptionError);
  });
});
