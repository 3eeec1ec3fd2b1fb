import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { unless } from '../../util/code-of.ts';
import { historyFolder, namesIn, removeSet } from './set-names.ts';

let lastTime = 0;

/** A name that comes after all that this process has given: ISO 8601 without what file systems refuse. */
function nameOfNow(): string {
  lastTime = Math.max(Date.now(), lastTime + 1);
  return `${new Date(lastTime).toISOString().replaceAll(':', '-')}-${randomUUID()}`;
}

/** Moves sets that were replaced to those that are kept, and removes the oldest of these beyond `kept`. */
export async function keepSets(
  folder: string,
  replaced: readonly string[],
  kept: number,
): Promise<void> {
  const history = join(folder, historyFolder);
  if (kept > 0 && replaced.length > 0) await mkdir(history, { recursive: true });
  for (const set of kept > 0 ? replaced : [])
    await unless(['ENOENT'], rename(set, join(history, nameOfNow())));
  for (const set of (await keptSets(folder)).slice(kept)) await removeSet(history, set);
}

/** The paths of the sets that are kept, the newest first. */
export async function keptSets(folder: string): Promise<readonly string[]> {
  const history = join(folder, historyFolder);
  const names = (await namesIn(history)).filter((name) => !name.startsWith('.'));
  return names
    .toSorted()
    .toReversed()
    .map((name) => join(history, name));
}
