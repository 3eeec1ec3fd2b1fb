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
import { markdownTreeStore } from '../../../src/node/index.ts';
import { sampleTree } from '../../support/sample-tree.ts';
import { temporaryFolder } from '../../node/folders.ts';

const chat = 'Chat 42';

/** A store with one conversation, and the folder and the file of that. */
async function persisted() {
  const root = temporaryFolder();
  const store = markdownTreeStore({ folder: root });
  await store.persist(chat, sampleTree('a', 6));
  const folder = join(root, readdirSync(root)[0] ?? '');
  return { store, folder, file: join(folder, readdirSync(folder)[0] ?? '') };
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('the file of a summary tree', () => {
  it('is for its owner alone, and so is its folder', async () => {
    const { folder, file } = await persisted();
    expect(readdirSync(folder)).toHaveLength(1);
    expect([mode(file), mode(folder)]).toEqual(['600', '700']);
  });

  const changes: readonly (readonly [string, (file: string) => void])[] = [
    [
      'a link',
      (file) => {
        renameSync(file, `${file}-elsewhere`);
        symlinkSync(`${file}-elsewhere`, file);
      },
    ],
    [
      'a pipe',
      (file) => {
        rmSync(file);
        execFileSync('sh', ['-c', 'mkfifo "$0"', file]);
      },
    ],
    [
      'a device',
      (file) => {
        rmSync(file);
        symlinkSync('/dev/zero', file);
      },
    ],
    ['a file of a gigabyte', (file) => truncateSync(file, 1024 ** 3)],
  ];

  it.each(changes)('is not read where it is %s', async (_what, change) => {
    const { store, file } = await persisted();
    change(file);
    await expect(store.getFinalSummary(chat)).rejects.toThrow(file);
    await expect(store.list(chat)).rejects.toThrow(file);
  });

  it('is neither read, written nor deleted where its folder leads elsewhere', async () => {
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
});
