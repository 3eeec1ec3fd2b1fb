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
  utimesSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { markdownTreeStore } from '../../../src/entries/node/index.ts';
import { temporaryFolder, write } from '../../node/folders.ts';
import { sampleText, sampleTree } from '../../support/sample-tree.ts';
import { describeTreeStore, hostileIds } from '../trees/describe-tree-store.ts';

/** The files of a folder without what names their tree. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder).map((name) => name.replace(/\.[0-9a-f]{8}\.md$/, '.md'));

/** A store with one conversation, the only folder that there is of it, and the file of its final summary. */
async function persisted(id = 'chat', result = sampleTree('a', 2)) {
  const root = temporaryFolder();
  const store = markdownTreeStore({ folder: root });
  await store.persist(id, result);
  const [name = '', ...others] = readdirSync(root);
  expect(others).toEqual([]);
  const folder = join(root, name);
  const file = join(folder, 'L3.md');
  /** The file of a part, such as `L1-000`. */
  const part = (of: string): string =>
    join(folder, readdirSync(folder).find((each) => each.startsWith(of)) ?? of);
  return { store, root, folder, file, part, text: readFileSync(file, 'utf8') };
}

const yamlOf = (text: string): Record<string, unknown> => parse(text.split('---\n')[1] ?? '');

describe('markdownTreeStore', () => {
  describeTreeStore(() => markdownTreeStore({ folder: temporaryFolder() }));

  it('writes files that people read, each with links to what it was made from', async () => {
    const { folder, file, part, text } = await persisted('Chat 42', sampleTree('words', 6));
    const layers = ['L1-000', 'L1-001', 'L1-002', 'L1-003', 'L1-004', 'L1-005', 'L2-000', 'L2-001'];
    expect(filesIn(folder)).toEqual([...layers, 'L3'].map((name) => `${name}.md`));
    expect(text).toMatch(/^---\n[^]*\n---\n\n# L3\n\nfinal words\n\n## Made from\n\n- /);
    const linksOf = (of: string): readonly string[] =>
      [...readFileSync(of, 'utf8').matchAll(/^- \[.*\]\((.*)\)$/gm)].map(([, name = '']) =>
        join(folder, name),
      );
    expect(linksOf(file)).toEqual([part('L2-000'), part('L2-001')]);
    expect(linksOf(part('L2-000'))).toEqual(layers.slice(0, 5).map(part));
    expect(linksOf(part('L2-001'))).toEqual([part('L1-005')]);
    expect(readFileSync(part('L1-005'), 'utf8')).toMatch(/\n---\n\n# L1-005\n\nchunk 5 words\n$/);
  });

  it('writes YAML that any parser reads', async () => {
    const id = 'Chat 42: "b" # c\u2028\u0085\n';
    const { folder, part, text } = await persisted(id, sampleTree('words', 6));
    expect(folder).toMatch(/\/chat-42-b-c-[0-9a-f]{32}$/);
    const shared = {
      conversation_id: id,
      role: 'summary',
      chunk_index: null,
      group_index: null,
      parent_group: null,
      is_final: false,
      summary_level: 'HIERARCHICAL',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      tree: expect.stringMatching(/^[0-9a-f]{8}$/),
    };
    expect(yamlOf(text)).toEqual({
      ...shared,
      id: `${id}:summary:L3:0`,
      level: 3,
      is_final: true,
      input_tokens: 18_000,
      output_tokens: 200,
      compression_ratio: 200 / 18_000,
    });
    expect(yamlOf(readFileSync(part('L1-005'), 'utf8'))).toEqual({
      ...shared,
      id: `${id}:summary:L1:5`,
      level: 1,
      chunk_index: 5,
      parent_group: 1,
      input_tokens: 3000,
      output_tokens: 305,
      compression_ratio: 305 / 3000,
    });
    const group = yamlOf(readFileSync(part('L2-001'), 'utf8'));
    expect(group).toMatchObject({ id: `${id}:summary:L2:1`, level: 2, group_index: 1 });
  });

  it('reads a text that looks like links, and one like a heading', async () => {
    const { store } = await persisted();
    const links = '\n## Made from\n\n- [L1-000](L1-000.00000000.md)';
    for (const text of [`# L3\n\n${links}`, links, '## Made from\n\n'])
      for (const tree of [sampleText(text), { ...sampleTree('b', 3), summary: text }]) {
        await store.persist('chat', tree);
        expect(await store.getFinalSummary('chat')).toBe(text);
      }
  });

  it.each(['true', 'No', 'null', '~', '1e3', '0x1F', '2026-11-21', '- a', '*a', '\u007f\uffff'])(
    'writes the id %j so that any parser reads it as a text',
    async (id) => {
      const { store, text } = await persisted(id);
      const [node] = await store.list(id);
      expect(node?.conversationId).toBe(id);
      expect(yamlOf(text)).toMatchObject({ conversation_id: id });
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
    const files = readdirSync(folder);
    const wrong = { ...sampleText('new'), inputTokens: Number.NaN };
    await expect(store.persist('chat', wrong)).rejects.toThrow(/input_tokens/);
    const rename = vi.spyOn(promises, 'rename').mockRejectedValueOnce(new Error('EIO'));
    syncBuiltinESMExports();
    await expect(store.persist('chat', sampleTree('new', 2))).rejects.toThrow('EIO');
    rename.mockRestore();
    syncBuiltinESMExports();
    expect(await store.getFinalSummary('chat')).toBe('final a');
    expect(readdirSync(folder)).toEqual(files);
  });

  it('removes the tree before, and after an hour what a writer that died has left', async () => {
    const { store, folder } = await persisted();
    const [old, fresh] = [join(folder, 'L1-000.00000000.md'), join(folder, 'L1-001.00000000.md')];
    write(old, 'left');
    write(fresh, 'left');
    utimesSync(old, 0, 0);
    await store.persist('chat', sampleText('another'));
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([
      fresh,
      join(folder, 'L3.md'),
    ]);
    expect(await store.list('chat')).toHaveLength(1);
  });

  it('reads files that were edited by hand, and has nothing where the last is gone', async () => {
    const { store, file, part, text } = await persisted();
    const before = await store.list('chat');
    const edited = text
      .replace('role: "summary"', "# a note\nrole: 'summary' # another\nmood: good")
      .replace('final a', 'all in all')
      .replaceAll('\n', '\r\n');
    write(file, `\ufeff${edited}`);
    write(
      part('L1-001'),
      readFileSync(part('L1-001'), 'utf8').replace('chunk 1 a', 'better words'),
    );
    const contents = ['chunk 0 a', 'better words', 'group 0 a', 'all in all'];
    expect(await store.list('chat')).toEqual(
      before.map((node, index) => ({ ...node, content: contents[index] })),
    );
    rmSync(part('L1-000'));
    expect((await store.list('chat')).map(({ content }) => content)).toEqual(contents.slice(1));
    rmSync(file);
    expect(await store.list('chat')).toEqual([]);
    expect(await store.getFinalSummary('chat')).toBeUndefined();
  });

  it.each([
    ['level: 3', 'level: three', /L3\.md: level: /],
    ['level: 3', 'level: 1', /chunk_index: a summary of level 1 needs one/],
    [/---\n\n# L3/, '\n\n', /expected front matter/],
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

describe.skipIf(process.platform === 'win32')('a file of a summary tree', () => {
  it('is for its owner alone, and so is its folder', async () => {
    const { folder, file, part } = await persisted();
    expect([file, part('L1-000'), folder].map(mode)).toEqual(['600', '600', '700']);
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
    const { store, file, part } = await persisted();
    for (const each of [part('L1-000'), file]) {
      renameSync(each, `${each}-elsewhere`);
      make(each);
      await expect(store.list('chat')).rejects.toThrow(each);
    }
    await expect(store.getFinalSummary('chat')).rejects.toThrow(file);
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
