import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { codeOf } from '../util/errors.ts';

/** Most a template or settings file may hold. */
const maxFileBytes = 256 * 1024;

/** How a file was read: its text, or why it has none. */
export type TextFile =
  | { readonly text: string }
  | { readonly text?: undefined; readonly isMissing: boolean; readonly reason: string };

/**
 * Reads a regular file of UTF-8 text of at most 256 KB. Never waits for a pipe or device, never throws.
 *
 * @param flags - Open flags beside those for reading.
 */
export function readTextFile(path: string, flags = 0): TextFile {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer. Windows has no such flag.
    const nonBlocking: number | undefined = constants.O_NONBLOCK;
    descriptor = openSync(path, constants.O_RDONLY | (nonBlocking ?? 0) | flags);
    const file = fstatSync(descriptor);
    if (!file.isFile()) return unreadable('it is not a regular file');
    if (file.size > maxFileBytes) return unreadable(`it is larger than ${maxFileBytes / 1024} KB`);
    const bytes = readFileSync(descriptor);
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    return failedRead(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

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
  const outside = unreadable('it lies outside of the folder');
  const target = resolve(folder, path);
  try {
    const root = realpathSync(folder);
    if (!isInside(resolve(folder), target) && !isInside(root, target)) return outside;
    const real = realpathSync(target);
    if (!isInside(root, real)) return outside;
    // Links are resolved: one that stands here now was put there in between. Windows has no such flag.
    const noFollow: number | undefined = constants.O_NOFOLLOW;
    return readTextFile(real, noFollow ?? 0);
  } catch (error) {
    return failedRead(error);
  }
}

/** Writes a file and its folder unless there is anything of that name; returns whether it was written. */
export function writeNewFile(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function failedRead(error: unknown): TextFile {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return { isMissing: true, reason: 'there is no such file' };
  const isBinary = code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  return unreadable(isBinary ? 'it is not UTF-8' : `it cannot be read (${code})`);
}

function unreadable(reason: string): TextFile {
  return { isMissing: false, reason };
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
