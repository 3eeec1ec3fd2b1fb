import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { codeOf } from '../util/errors.ts';

/** Most a template or settings file may hold. */
const maxFileBytes = 256 * 1024;

const outside = 'it lies outside of the folder';

/** How a file was read. A failure is a value that says why. */
export type TextFile =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly isMissing: boolean; readonly reason: string };

/**
 * Reads a regular file of UTF-8 text of at most 256 KB. Never waits for a pipe or device, never reads
 * more than that, never throws.
 *
 * @param flags - Open flags beside those for reading.
 */
export function readTextFile(path: string, flags = 0): TextFile {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer. Windows has no such flag.
    const nonBlocking: number | undefined = constants.O_NONBLOCK;
    descriptor = openSync(path, constants.O_RDONLY | (nonBlocking ?? 0) | flags);
    if (!fstatSync(descriptor).isFile()) return unreadable('it is not a regular file');
    const bytes = readBytes(descriptor, maxFileBytes + 1);
    if (bytes.length > maxFileBytes)
      return unreadable(`it is larger than ${maxFileBytes / 1024} KB`);
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
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

function readBytes(descriptor: number, most: number): Uint8Array {
  const bytes = new Uint8Array(most);
  let length = 0;
  while (length < most) {
    const read = readSync(descriptor, bytes, length, most - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function failedRead(error: unknown): TextFile {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { ok: false, isMissing: true, reason: 'there is no such file' };
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unreadable('it is not UTF-8');
  return unreadable(`it cannot be read (${code})`);
}

function unreadable(reason: string): TextFile {
  return { ok: false, isMissing: false, reason };
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
