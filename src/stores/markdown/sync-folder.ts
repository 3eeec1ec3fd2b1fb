import { open, type FileHandle } from 'node:fs/promises';
import { codeOf } from '../../node/read-text-file.ts';

/**
 * Waits until the names in a folder are on the disk. Does nothing where folders cannot be opened, as on
 * Windows.
 */
export async function syncFolder(path: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    await handle.sync();
  } catch (error) {
    if (!['EPERM', 'EACCES', 'EISDIR', 'EINVAL'].includes(codeOf(error))) throw error;
  } finally {
    await handle?.close();
  }
}
