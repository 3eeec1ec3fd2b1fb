import { rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../util/code-of.ts';
import { currentSet, namesIn, newSetName } from './set-names.ts';

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

/** Removes a set in such a way that nobody reads half of it. */
export async function removeSet(folder: string, set: string): Promise<void> {
  const trash = join(folder, newSetName('trash'));
  try {
    await rename(set, trash);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await rm(trash, { recursive: true, force: true });
}
