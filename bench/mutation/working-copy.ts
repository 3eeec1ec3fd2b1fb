import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A copy of the repository, in which faults can be planted. */
export interface WorkingCopy {
  readonly root: string;
  readonly read: (file: string) => string;
  readonly write: (file: string, content: string) => void;
  readonly remove: () => void;
}

/** Paths of what the repository consists of, what is not committed included, the benchmarks not. */
export function repositoryFiles(root: string): string[] {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', listing, { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && !file.startsWith('bench/') && existsSync(join(root, file)))
    .toSorted();
}

/** Copies the files to a temporary folder, with the same dependencies. */
export function makeWorkingCopy(source: string, files: readonly string[]): WorkingCopy {
  const root = mkdtempSync(join(tmpdir(), 'faults-'));
  for (const file of files) cpSync(join(source, file), join(root, file));
  symlinkSync(join(source, 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    read: (file) => readFileSync(join(root, file), 'utf8'),
    write: (file, content) => writeFileSync(join(root, file), content),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A digest of all that the outcome of a test can depend on: everything but texts for people. */
export function digestOf(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  const tested = files.filter((file) => !/^[^/]+\.md$/.test(file));
  for (const file of tested)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}
