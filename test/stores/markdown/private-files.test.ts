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
import type { SummaryTreeStore } from '../../../src/index.ts';
import { sampleTree } from '../../support/sample-tree.ts';
import { temporaryFolder } from '../../node/folders.ts';

const chat = 'Chat 42';

/** A store with one conversation, and the folder of that. */
async function persisted(): Promise<{ readonly store: SummaryTreeStore; readonly folder: string }> {
  const root = temporaryFolder();
  const store = markdownTreeStore({ folder: root });
  await store.persist(chat, sampleTree('a', 6));
  return { store, folder: join(root, readdirSync(root)[0] ?? '') };
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

  const final = (folder: string): string => join(folder, 'summaries/L3/final.md');
  const changes: readonly (readonly [string, (folder: string) => void])[] = [
    [
      'a link',
      (folder) => {
        renameSync(final(folder), `${folder}/elsewhere.md`);
        symlinkSync(`${folder}/elsewhere.md`, final(folder));
      },
    ],
    [
      'a pipe',
      (folder) => {
        rmSync(final(folder));
        execFileSync('sh', ['-c', 'mkfifo "$0"', final(folder)]);
      },
    ],
    [
      'a device',
      (folder) => {
        rmSync(final(folder));
        symlinkSync('/dev/zero', final(folder));
      },
    ],
    ['a file of a gigabyte', (folder) => truncateSync(final(folder), 1024 ** 3)],
    [
      'a file in a folder that is a link',
      (folder) => {
        renameSync(join(folder, 'summaries/L3'), `${folder}/elsewhere`);
        symlinkSync(`${folder}/elsewhere`, join(folder, 'summaries/L3'));
      },
    ],
  ];

  it.each(changes)('are not read where one is %s', async (_what, change) => {
    const { store, folder } = await persisted();
    change(folder);
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
    expect(readdirSync(elsewhere)).toEqual(['summaries']);
  });

  it('are not read where their set is a link', async () => {
    const { store, folder } = await persisted();
    renameSync(join(folder, 'summaries'), join(folder, 'other'));
    symlinkSync(join(folder, 'other'), join(folder, 'summaries'));
    await expect(store.list(chat)).rejects.toThrow(/not a folder but a link/);
  });
});
