import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { codeOf } from '../util/code-of.ts';

/** Most a template or settings file may hold. */
const maxFileBytes = 256 * 1024;

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
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return unreadable('it is not a regular file');
    if (stats.size > maxFileBytes) return unreadable(`it is larger than ${maxFileBytes / 1024} KB`);
    const bytes = readUpTo(descriptor, maxFileBytes + 1);
    // A file may grow between the two calls.
    if (bytes.length > maxFileBytes)
      return unreadable(`it is larger than ${maxFileBytes / 1024} KB`);
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    return failedRead(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readUpTo(descriptor: number, most: number): Uint8Array {
  const bytes = new Uint8Array(most);
  let length = 0;
  while (length < most) {
    const read = readSync(descriptor, bytes, length, most - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** What an error of the file system says about a file. */
export function failedRead(error: unknown): TextFile {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { ok: false, isMissing: true, reason: 'there is no such file' };
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unreadable('it is not UTF-8');
  return unreadable(`it cannot be read (${code})`);
}

/** A failure other than a missing file. */
export function unreadable(reason: string): TextFile {
  return { ok: false, isMissing: false, reason };
}
