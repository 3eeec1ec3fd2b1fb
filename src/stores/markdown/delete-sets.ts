import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../node/read-text-file.ts';
import { removeSet } from './publish-set.ts';
import { currentSet, namesIn } from './set-names.ts';

/** Removes every set of a conversation, also those that were left behind, and its folder if that is empty. */
export async function deleteSets(folder: string): Promise<void> {
  const names = await namesIn(folder);
  const sets = names.filter((name) => /^\.(?:new|old|trash)-/.test(name));
  // The current one last: without it, one that was moved aside would hold again.
  for (const name of [...sets, currentSet]) await removeSet(folder, join(folder, name));
  try {
    await rmdir(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
  }
}
