import { mkdir, open, rename, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runLimited } from '../../util/async/run-limited.ts';
import { refuseLink } from './regular-file.ts';
import { codeOf, unless } from '../../util/code-of.ts';
import { keepSets } from './set-history.ts';
import {
  concurrentFiles,
  currentSet,
  isInState,
  namesIn,
  newSetName,
  removeSet,
} from './set-names.ts';

/** A file of a set: its path inside the set, with `/`, and what it holds. */
export interface SetFile {
  readonly path: string;
  readonly text: string;
}

/** Times a writer gives way to others that publish at the same moment. */
const publishAttempts = 1000;

/** Milliseconds after which a set that was never published counts as left behind by a writer that died. */
const abandonedAfterMs = 60 * 60 * 1000;

/**
 * Writes a set of files beside the current one and puts it in its place by renaming. Takes no lock:
 * whenever a process dies, and however many publish at once, the current set is a complete one, or the
 * newest of those moved aside is.
 *
 * @param kept - Sets that were replaced of which so many, the newest, are kept.
 */
export async function publishSet(
  folder: string,
  files: readonly SetFile[],
  kept: number,
): Promise<void> {
  await refuseLink(folder);
  // Listed before this set is published: an older set is not needed any more once it is, but one that
  // is moved aside later may be this very set.
  const leftovers = await leftoversIn(folder);
  const fresh = join(folder, newSetName('new'));
  const aside: string[] = [];
  try {
    await writeFiles(fresh, files);
    await replaceCurrent(folder, fresh, aside);
  } catch (error) {
    await discard(folder, [fresh]);
    throw error;
  }
  await syncFolder(folder);
  await discard(folder, leftovers);
  await keepSets(folder, aside, kept).catch(() => {});
  await discard(folder, aside);
}

/** Moves the current set aside until this one can take its place. */
async function replaceCurrent(folder: string, fresh: string, aside: string[]): Promise<void> {
  const current = join(folder, currentSet);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rename(fresh, current);
    } catch (error) {
      // Windows says EPERM where others say that the folder is not empty.
      const isTaken = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(codeOf(error));
      if (!isTaken || attempt === publishAttempts) throw error;
    }
    const old = join(folder, newSetName('old'));
    aside.push(old);
    // Another writer may be faster.
    await unless(['ENOENT'], rename(current, old));
  }
}

/** Writes files, which nobody else may read, and waits until they are on the disk. */
async function writeFiles(set: string, files: readonly SetFile[]): Promise<void> {
  const folders = new Set(files.map(({ path }) => dirname(join(set, path))));
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  await runLimited(files, concurrentFiles, async ({ path, text }) => {
    const handle = await open(join(set, path), 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
  for (const folder of [...folders, set]) await syncFolder(folder);
}

async function leftoversIn(folder: string): Promise<readonly string[]> {
  const leftovers: string[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const isDone = isInState(name, 'old') || isInState(name, 'trash');
    if (isDone || (isInState(name, 'new') && (await isAbandoned(path)))) leftovers.push(path);
  }
  return leftovers;
}

async function isAbandoned(path: string): Promise<boolean> {
  // What cannot be looked at was published or removed in the meantime.
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < Date.now() - abandonedAfterMs;
}

/** Removes sets. What cannot be removed now is left to the next time: what counts is done. */
async function discard(folder: string, sets: readonly string[]): Promise<void> {
  for (const set of sets) await removeSet(folder, set).catch(() => {});
}

/**
 * Waits until the names in a folder are on the disk. Does nothing where folders cannot be opened, as on
 * Windows.
 */
async function syncFolder(path: string): Promise<void> {
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
