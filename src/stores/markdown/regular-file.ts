import { constants, lstat, open } from 'node:fs/promises';
import { unless } from '../../util/code-of.ts';

/** Most a file of a summary may hold: more than any model reads. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a regular file. Never waits for a pipe or device and follows no link that stands in its place: the files are
 * there for tools and people, who may put anything there.
 *
 * @throws {Error} saying what it is instead, or that it is too large.
 */
export async function readRegularFile(path: string): Promise<Uint8Array> {
  // Windows has neither of the two.
  const nonBlocking: number | undefined = constants.O_NONBLOCK;
  const noFollow: number | undefined = constants.O_NOFOLLOW;
  const handle = await open(path, constants.O_RDONLY | (nonBlocking ?? 0) | (noFollow ?? 0));
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('it is not a regular file');
    if (found.size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1024 ** 2} MB`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/**
 * Refuses a folder that is a link, or none: what is written or deleted in it would be somewhere else.
 *
 * @throws {Error} naming it. One that is not there yet is fine.
 */
export async function refuseLink(folder: string): Promise<void> {
  const found = await unless(['ENOENT'], lstat(folder));
  if (found !== undefined && !found.isDirectory())
    throw new Error(`${folder} is not a folder but a link or a file.`);
}
