import { execFileSync } from 'node:child_process';
import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { markdownTreeStore } from '../../../src/node/index.ts';
import { temporaryFolder, write } from '../../node/folders.ts';
import { sampleText, sampleTree } from '../../support/sample-tree.ts';
import { describeTreeStore, hostileIds } from '../trees/describe-tree-store.ts';

/** A store with one conversation, and the only file and folder that there are of it. */
async function persisted(id = 'chat', result = sampleTree('a', 2)) {
  const root = temporaryFolder();
  const store = markdownTreeStore({ folder: root });
  await store.persist(id, result);
  const [name = '', ...others] = readdirSync(root);
  expect(others).toEqual([]);
  const folder = join(root, name);
  expect(readdirSync(folder)).toEqual(['summary.md']);
  const file = join(folder, 'summary.md');
  return { store, root, folder, file, text: readFileSync(file, 'utf8') };
}

describe('markdownTreeStore', () => {
  describeTreeStore(() => markdownTreeStore({ folder: temporaryFolder() }));

  it('writes a file that people read, and YAML that any parser reads', async () => {
    const id = 'Chat 42: "b" # c\u2028\u0085\n';
    const { folder, text } = await persisted(id, sampleTree('words', 6));
    expect(folder).toMatch(/\/chat-42-b-c-[0-9a-f]{32}$/);
    expect(text).toMatch(/^---\n[^]*\n---\n\nfinal words\n$/);
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
    const { made_from: made, ...final } = parse(text.split('---\n')[1] ?? '');
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

  it.each(['true', 'No', 'null', '~', '1e3', '0x1F', '2026-11-21', '- a', '*a', '\u007f\uffff'])(
    'writes the id %j so that any parser reads it as a text',
    async (id) => {
      const { store, text } = await persisted(id);
      const [node] = await store.list(id);
      expect(node?.conversationId).toBe(id);
      expect(parse(text.split('---\n')[1] ?? '')).toMatchObject({ conversation_id: id });
    },
  );

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
    const { store, root, folder } = await persisted();
    write(join(folder, '.unread-left'), 'left behind');
    await store.delete('chat');
    expect(readdirSync(root)).toEqual([]);
  });

  it('keeps the tree it has when a new one cannot be written', async () => {
    const { store, folder } = await persisted();
    const wrong = { ...sampleText('new'), inputTokens: Number.NaN };
    await expect(store.persist('chat', wrong)).rejects.toThrow(/input_tokens/);
    const rename = vi.spyOn(promises, 'rename').mockRejectedValueOnce(new Error('EIO'));
    syncBuiltinESMExports();
    await expect(store.persist('chat', sampleText('new'))).rejects.toThrow('EIO');
    rename.mockRestore();
    syncBuiltinESMExports();
    expect(await store.getFinalSummary('chat')).toBe('final a');
    expect(readdirSync(folder)).toEqual(['summary.md']);
  });

  it('reads a file that was edited by hand, and has nothing where it is gone', async () => {
    const { store, file, text } = await persisted();
    const before = await store.list('chat');
    const edited = text
      .replace('role: "summary"', "# a note\nrole: 'summary' # another\nmood: good")
      .replace('chunk 1 a', 'better words')
      .replace('final a', 'all in all')
      .replaceAll('\n', '\r\n');
    write(file, `\ufeff${edited}`);
    const contents = ['chunk 0 a', 'better words', 'group 0 a', 'all in all'];
    expect(await store.list('chat')).toEqual(
      before.map((node, index) => ({ ...node, content: contents[index] })),
    );
    rmSync(file);
    expect(await store.list('chat')).toEqual([]);
    expect(await store.getFinalSummary('chat')).toBeUndefined();
  });

  it.each([
    ['level: 1', 'level: one', /summary\.md: level: /],
    ['chunk_index: 0', '', /chunk_index: a summary of level 1 needs one/],
    [/---\n\nfinal/, '\n\nfinal', /expected front matter/],
    [/^---/, '', /expected front matter between two lines ---/],
    ['role: "summary"', 'role: summary\nrole: summary', /line 5: role is there twice/],
    ['role: "summary"', 'role', /line 4: expected a name, a colon and a value/],
  ])('says what is wrong with a file in which %s is %j', async (from, to, reason) => {
    const { store, file, text } = await persisted();
    write(file, text.replace(from, to));
    for (const read of [store.list, store.getFinalSummary]) {
      await expect(read('chat')).rejects.toThrow(file);
      await expect(read('chat')).rejects.toThrow(reason);
    }
  });
});

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('the file of a summary tree', () => {
  it('is for its owner alone, and so is its folder', async () => {
    const { folder, file } = await persisted();
    expect([mode(file), mode(folder)]).toEqual(['600', '700']);
  });

  it.each<[string, (file: string) => void]>([
    ['a link', (file) => symlinkSync(`${file}-elsewhere`, file)],
    ['a pipe', (file) => execFileSync('sh', ['-c', 'mkfifo "$0"', file])],
    ['a device', (file) => symlinkSync('/dev/zero', file)],
    [
      'a file of a gigabyte',
      (file) => {
        write(file, '');
        truncateSync(file, 1024 ** 3);
      },
    ],
  ])('is not read where it is %s', async (_what, make) => {
    const { store, file } = await persisted();
    renameSync(file, `${file}-elsewhere`);
    make(file);
    await expect(store.getFinalSummary('chat')).rejects.toThrow(file);
    await expect(store.list('chat')).rejects.toThrow(file);
  });

  it('is neither read, written nor deleted where its folder leads elsewhere', async () => {
    const { store, folder } = await persisted();
    const elsewhere = temporaryFolder();
    cpSync(folder, elsewhere, { recursive: true });
    rmSync(folder, { recursive: true });
    symlinkSync(elsewhere, folder);
    const refusal = /not a folder but a link/;
    await expect(store.getFinalSummary('chat')).rejects.toThrow(refusal);
    await expect(store.persist('chat', sampleTree('b', 6))).rejects.toThrow(refusal);
    await expect(store.delete('chat')).rejects.toThrow(refusal);
    expect(readdirSync(elsewhere)).toEqual(readdirSync(folder));
  });
});
