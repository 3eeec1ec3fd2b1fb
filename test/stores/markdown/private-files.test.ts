import { execFileSync } from 'node:child_process';
import {
  cpSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markdownTreeStore, SummaryFileError } from '../../../src/node/index.ts';
import { sampleTree } from '../../support/sample-tree.ts';
import { temporaryFolder } from '../../node/folders.ts';

const chat = 'Chat 42';

/** A store with one conversation, and the folder of that and of its files. */
async function persisted() {
  const root = temporaryFolder();
  const store = markdownTreeStore({ folder: root });
  await store.persist(chat, sampleTree('a', 6));
  const folder = join(root, readdirSync(root)[0] ?? '');
  return { store, folder, set: join(folder, readdirSync(folder)[0] ?? '') };
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('the files of a summary tree', () => {
  it('are for their owner alone, and so are their folders', async () => {
    const { folder } = await persisted();
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const modes = entries.map((entry) => [
      entry.isDirectory(),
      mode(join(entry.parentPath, entry.name)),
    ]);
    expect(modes.length).toBeGreaterThan(10);
    expect(modes.filter(([isFolder, is]) => is !== (isFolder === true ? '700' : '600'))).toEqual(
      [],
    );
    expect(mode(folder)).toBe('700');
  });

  const final = (set: string): string => join(set, 'L3/final.md');
  const changes: readonly (readonly [string, (set: string) => void])[] = [
    [
      'a link',
      (set) => {
        renameSync(final(set), `${set}/elsewhere.md`);
        symlinkSync(`${set}/elsewhere.md`, final(set));
      },
    ],
    [
      'a pipe',
      (set) => {
        rmSync(final(set));
        execFileSync('sh', ['-c', 'mkfifo "$0"', final(set)]);
      },
    ],
    [
      'a device',
      (set) => {
        rmSync(final(set));
        symlinkSync('/dev/zero', final(set));
      },
    ],
    ['a file of a gigabyte', (set) => truncateSync(final(set), 1024 ** 3)],
    [
      'a file in a folder that is a link',
      (set) => {
        renameSync(join(set, 'L3'), `${set}/elsewhere`);
        symlinkSync(`${set}/elsewhere`, join(set, 'L3'));
      },
    ],
  ];

  it.each(changes)('are not read where one is %s', async (_what, change) => {
    const { store, set } = await persisted();
    change(set);
    await expect(store.getFinalSummary(chat)).rejects.toThrow(SummaryFileError);
    await expect(store.list(chat)).rejects.toThrow(SummaryFileError);
  });

  it('are neither read, written nor deleted where their folder leads elsewhere', async () => {
    const { store, folder } = await persisted();
    const elsewhere = temporaryFolder();
    cpSync(folder, elsewhere, { recursive: true });
    rmSync(folder, { recursive: true });
    symlinkSync(elsewhere, folder);
    const refusal = /not a folder but a link/;
    await expect(store.getFinalSummary(chat)).rejects.toThrow(refusal);
    await expect(store.persist(chat, sampleTree('b', 6))).rejects.toThrow(refusal);
    await expect(store.delete(chat)).rejects.toThrow(refusal);
    expect(readdirSync(elsewhere)).toEqual(readdirSync(folder));
  });

  it('are not read where their set is a link', async () => {
    const { store, folder, set } = await persisted();
    renameSync(set, join(folder, 'other'));
    symlinkSync(join(folder, 'other'), set);
    await expect(store.list(chat)).rejects.toThrow(/not a folder but a link/);
  });
});
