import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { markdownTreeStore } from '../../../src/node/index.ts';
import { sampleText, sampleTree } from '../../support/sample-tree.ts';
import { temporaryFolder, write } from '../../node/folders.ts';
import { describeTreeStore, hostileIds } from '../trees/describe-tree-store.ts';

/** The folder of the only conversation. */
function onlyFolder(folder: string): string {
  const names = readdirSync(folder);
  expect(names).toHaveLength(1);
  return join(folder, names[0] ?? '');
}

/** The only file of the only conversation. */
function onlyFile(folder: string): string {
  const conversation = onlyFolder(folder);
  expect(readdirSync(conversation)).toEqual(['summary.md']);
  return join(conversation, 'summary.md');
}

describe('markdownTreeStore', () => {
  describeTreeStore(() => markdownTreeStore({ folder: temporaryFolder() }));

  it('writes one file that people read, and nothing else', async () => {
    const folder = temporaryFolder();
    await markdownTreeStore({ folder }).persist('Chat 42', sampleTree('a', 6));
    expect(onlyFolder(folder)).toMatch(/\/chat-42-[0-9a-f]{32}$/);
    expect(readFileSync(onlyFile(folder), 'utf8')).toMatch(/^---\n[^]*\n---\n\nfinal a\n$/);
  });

  it('describes summaries in YAML that any parser reads', async () => {
    const folder = temporaryFolder();
    const id = 'a: "b" # c\u2028\u0085\n';
    await markdownTreeStore({ folder }).persist(id, sampleTree('words', 6));
    const [, yaml = ''] = readFileSync(onlyFile(folder), 'utf8').split('---\n');
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
    const { made_from: made, ...final } = parse(yaml);
    expect(final).toEqual({
      ...shared,
      id: `${id}:summary:L3:0`,
      level: 3,
      is_final: true,
      input_tokens: 18_000,
      output_tokens: 200,
      compression_ratio: 200 / 18_000,
    });
    expect(made).toHaveLength(8);
    expect(made[5]).toEqual({
      ...shared,
      id: `${id}:summary:L1:5`,
      level: 1,
      chunk_index: 5,
      parent_group: 1,
      input_tokens: 3000,
      output_tokens: 305,
      compression_ratio: 305 / 3000,
      content: 'chunk 5 words',
    });
    expect(made[7]).toMatchObject({ id: `${id}:summary:L2:1`, level: 2, group_index: 1 });
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
    const file = readFileSync(onlyFile(folder), 'utf8');
    expect(parse(file.split('---\n')[1] ?? '')).toMatchObject({ conversation_id: id });
  });

  it('stays inside its folder with every id, also where case does not count', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'inside');
    const store = markdownTreeStore({ folder });
    const ids = hostileIds('x');
    for (const id of ids) await store.persist(id, sampleText('text'));
    expect(readdirSync(parent)).toEqual(['inside']);
    const names = readdirSync(folder);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
    for (const name of names) expect(name).toMatch(/^(?:[a-z0-9][a-z0-9-]*-)?[0-9a-f]{32}$/);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThan(80);
  });

  it('leaves nothing behind after delete', async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('a', 6));
    write(join(onlyFolder(folder), '.unread-left'), 'left behind');
    await store.delete('chat');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps the tree it has when a new one cannot be written', async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('kept', 2));
    const wrong = { ...sampleText('new'), inputTokens: Number.NaN };
    await expect(store.persist('chat', wrong)).rejects.toThrow(/input_tokens/);
    expect(await store.getFinalSummary('chat')).toBe('final kept');
    expect(onlyFile(folder)).toMatch(/summary\.md$/);
  });

  it('reads a file that was edited by hand', async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('a', 2));
    const before = await store.list('chat');
    const edited = readFileSync(onlyFile(folder), 'utf8')
      .replace('role: summary', "# a note\nrole: 'summary' # another\nmood: good")
      .replace('chunk 1 a', 'better words')
      .replace('final a', 'all in all')
      .replaceAll('\n', '\r\n');
    write(onlyFile(folder), `\ufeff${edited}`);
    const contents = ['chunk 0 a', 'better words', 'group 0 a', 'all in all'];
    expect(await store.list('chat')).toEqual(
      before.map((node, index) => ({ ...node, content: contents[index] })),
    );
  });

  it.each([
    { from: 'level: 1', to: 'level: one', reason: /summary\.md: level: / },
    { from: 'level: 3', to: 'level: [1]', reason: /summary\.md: level: / },
    { from: 'chunk_index: 0', to: '', reason: /chunk_index: a summary of level 1 needs one/ },
    { from: /---\n\nfinal/, to: '\n\nfinal', reason: /expected front matter/ },
    { from: /^---/, to: '', reason: /expected front matter between two lines ---/ },
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
    const file = onlyFile(folder);
    write(file, readFileSync(file, 'utf8').replace(from, to));
    for (const read of [store.list, store.getFinalSummary]) {
      const error: unknown = await read('chat').catch((thrown: unknown) => thrown);
      expect(String(error)).toContain(file);
      expect(String(error)).toMatch(reason);
    }
  });

  it('has nothing where the file is gone', async () => {
    const folder = temporaryFolder();
    const store = markdownTreeStore({ folder });
    await store.persist('chat', sampleTree('a', 2));
    rmSync(onlyFile(folder));
    expect(await store.list('chat')).toEqual([]);
    expect(await store.getFinalSummary('chat')).toBeUndefined();
  });
});
