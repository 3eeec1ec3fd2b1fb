import { constants, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { failedRead, unreadable, readTextFile, type TextFile } from './read-text-file.ts';

const outside = 'it lies outside of the folder';

/**
 * Reads a file that lies in a folder: neither `..` nor an absolute path nor a symbolic link leads out of
 * it, and what lies outside is not even looked for.
 *
 * @param path - Relative to the folder, or absolute inside it.
 */
export function readInside(folder: string, path: string): TextFile {
  if (path.includes('\0')) return unreadable('its name holds a NUL character');
  // A Windows share: looking for the file would send the user's name to another machine.
  if (/^[\\/]{2}/.test(path)) return unreadable('network paths are not read');
  const target = resolve(folder, path);
  try {
    const root = realpathSync(folder);
    if (!isInside(resolve(folder), target) && !isInside(root, target)) return unreadable(outside);
    const real = realpathSync(target);
    if (!isInside(root, real)) return unreadable(outside);
    // Links are resolved: one that stands here now was put there in between. Windows has no such flag.
    const noFollow: number | undefined = constants.O_NOFOLLOW;
    return readTextFile(real, noFollow ?? 0);
  } catch (error) {
    return failedRead(error);
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
