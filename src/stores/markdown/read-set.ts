import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { unless } from '../../util/code-of.ts';
import { refuseLink } from './regular-file.ts';
import { currentSet, isInState, namesIn } from './set-names.ts';

/** A set of files and which folder it is, whatever its name. */
interface FoundSet {
  readonly path: string;
  readonly identity: string;
  /** Nanoseconds at which it was moved to its name. */
  readonly movedAt: bigint;
}

/** Times a reader begins again because the set was replaced under its hands. */
const readAttempts = 1000;

/**
 * Reads the set that holds in a conversation's folder, from first to last file the same one.
 *
 * @param read - Given the folder of the set; called again when the set was replaced in the meantime.
 * @returns `undefined` when there is no set.
 * @throws What `read` throws about a set that was not replaced.
 */
export async function readSet<Result>(
  folder: string,
  read: (set: string) => Promise<Result>,
): Promise<Result | undefined> {
  await refuseLink(folder);
  for (let attempt = 1; ; attempt += 1) {
    const found = await findSet(folder);
    if (found === undefined) return undefined;
    try {
      const result = await read(found.path);
      if (await isStillThere(found)) return result;
    } catch (error) {
      if (attempt === readAttempts || (await isStillThere(found))) throw error;
    }
    if (attempt === readAttempts)
      throw new Error(`${folder} is replaced faster than it can be read.`);
  }
}

/** The current set, else the newest of those that were moved aside. */
async function findSet(folder: string): Promise<FoundSet | undefined> {
  for (let attempt = 1; attempt <= readAttempts; attempt += 1) {
    const current = await identify(join(folder, currentSet));
    if (current !== undefined) return current;
    const names = await namesIn(folder);
    const aside = names.filter((name) => isInState(name, 'old'));
    const found = await Promise.all(aside.map((name) => identify(join(folder, name))));
    const [newest] = found
      .filter((set) => set !== undefined)
      .toSorted((a, b) => (a.movedAt > b.movedAt ? -1 : 1));
    if (newest !== undefined) return newest;
    // Published between the two looks, or moved on: look again.
    if (aside.length === 0 && !names.includes(currentSet)) return undefined;
  }
  return undefined;
}

async function identify(path: string): Promise<FoundSet | undefined> {
  const found = await unless(['ENOENT'], lstat(path, { bigint: true }));
  if (found === undefined) return undefined;
  if (!found.isDirectory()) throw new Error(`${path} is not a folder but a link or a file.`);
  const { dev, ino, birthtimeNs, ctimeNs } = found;
  // A number alone may be given to another folder as soon as this one is gone.
  return { path, identity: `${dev} ${ino} ${birthtimeNs}`, movedAt: ctimeNs };
}

async function isStillThere({ path, identity }: FoundSet): Promise<boolean> {
  return (await identify(path))?.identity === identity;
}
