import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { unless } from '../../util/code-of.ts';
import { refuseLink } from './regular-file.ts';

/**
 * What lies in a conversation's folder, beside the set of files that holds:
 * - `.new-…`: a set that is being written, or whose writer died; never read;
 * - `.old-…`: a complete set that was moved aside for a newer one; read when nothing else is there,
 *   because its writer may have died before it put the newer one in its place;
 * - `.trash-…`: on its way out; never read.
 */
export const currentSet = 'summaries';

/** Where the sets lie that newer ones have replaced, if they are kept: a folder each, named by when that was. */
export const historyFolder = 'history';

/** Files of a set that are read or written at the same time. */
export const concurrentFiles = 16;

/** The states a set can be in that is not the current one. */
export type SetState = 'new' | 'old' | 'trash';

/** A name for a set that nobody else will choose. */
export function newSetName(state: SetState): string {
  return `.${state}-${randomUUID()}`;
}

/** Whether a name is that of a set in a state. */
export function isInState(name: string, state: SetState): boolean {
  return name.startsWith(`.${state}-`);
}

/** The names in a folder; none when it does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await unless(['ENOENT'], readdir(folder))) ?? [];
}

/** Removes every set of a conversation, also those that were left behind, and its folder if that is empty. */
export async function deleteSets(folder: string): Promise<void> {
  await refuseLink(folder);
  const names = await namesIn(folder);
  const sets = names.filter((name) => /^\.(?:new|old|trash)-/.test(name));
  // The current one last: without it, one that was moved aside would hold again.
  for (const name of [historyFolder, ...sets, currentSet])
    await removeSet(folder, join(folder, name));
  await unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], rmdir(folder));
}

/** Removes a set, if it is there, in such a way that nobody reads half of it. */
export async function removeSet(folder: string, set: string): Promise<void> {
  const trash = join(folder, newSetName('trash'));
  await unless(['ENOENT'], rename(set, trash));
  await rm(trash, { recursive: true, force: true });
}
