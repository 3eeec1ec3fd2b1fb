import { closeSync, openSync, statSync } from 'node:fs';
import { SummarizationOptionError } from '../../errors/summarization-option-error.ts';
import { codeOf } from '../../util/code-of.ts';

/**
 * Makes a file for this user alone where there is none, and looks whether it is a file.
 *
 * A file that is there is never opened here: closing it would take the locks away that SQLite holds on it in this
 * process (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 *
 * @returns What is the same for all names of the file.
 * @throws {SummarizationOptionError} when it cannot be made, or is something else.
 */
export function databaseFile(path: string): string {
  if (path === ':memory:') throw refusedPath(path, 'for state in memory there is memoryStore');
  if (path.startsWith('file:')) throw refusedPath(path, 'this is a URL; give the path itself');
  try {
    makeFile(path);
    const stats = statSync(path, { bigint: true });
    if (!stats.isFile()) throw refusedPath(path, 'this is no file; name one in a folder');
    return `${stats.dev}:${stats.ino}`;
  } catch (error) {
    if (SummarizationOptionError.isInstance(error)) throw error;
    throw refusedPath(path, reasons[codeOf(error)] ?? String(error));
  }
}

function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** @param reason - What is wrong, and what to do about it. */
export function refusedPath(path: string, reason: string): SummarizationOptionError {
  const allowed = `the path of a database file of its own that this process can write: ${reason}`;
  return new SummarizationOptionError({ option: 'path', value: path, allowed });
}

export const mayNotWrite = 'the file and its folder must both be writable';

const reasons: Readonly<Record<string, string>> = {
  EACCES: mayNotWrite,
  EPERM: mayNotWrite,
  EROFS: mayNotWrite,
  ENOENT: 'its folder is not there; make it first',
  ENOTDIR: 'a part of it is a file and no folder',
};
