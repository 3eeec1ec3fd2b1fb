import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../util/errors.ts';

/**
 * Writes a file unless there is one, or anything else of that name, and makes its folder.
 *
 * @returns Whether it was written.
 * @throws What the file system throws for another reason.
 */
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
