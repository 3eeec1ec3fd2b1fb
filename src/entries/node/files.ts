import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { codeOf } from '../../foundations/util/errors.ts';

/** Most a template or settings file may hold. */
const maxFileBytes = 256 * 1024;

/**
 * Reads a regular file of UTF-8 text of at most 256 KB. Never waits for a pipe or device.
 *
 * @throws {Error} saying what is wrong with it.
 */
export function readTextFile(path: string): string {
  const file = statSync(path);
  if (!file.isFile()) throw new Error('it is not a regular file');
  if (file.size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes / 1024} KB`);
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
}

/**
 * Reads a file that lies in a folder: neither `..` nor an absolute path nor a symbolic link leads out of it.
 *
 * @param path - Relative to the folder, or absolute inside it.
 * @throws {Error} saying why it is not read.
 */
export function readInside(folder: string, path: string): string {
  // A Windows share: looking for the file would send the user's name to another machine.
  if (/^[\\/]{2}/.test(path)) throw new Error('network paths are not read');
  const real = realpathSync(resolve(folder, path));
  const way = relative(realpathSync(folder), real);
  if (way === '' || /^\.\.(?:[\\/]|$)/.test(way) || isAbsolute(way))
    throw new Error('it lies outside of the folder: give its text, as readFileSync reads it');
  return readTextFile(real);
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
