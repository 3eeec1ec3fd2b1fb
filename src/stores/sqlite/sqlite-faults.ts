import { isObject } from '../../util/is-object.ts';

/** SQLITE_ERROR: such as a table that has other columns. */
export const sqlError = 1;

/** SQLITE_NOTADB. */
export const notADatabase = 26;

/** SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN. */
export const notWritable: ReadonlySet<number | undefined> = new Set([3, 8, 14]);

/** SQLITE_BUSY, SQLITE_LOCKED and SQLITE_PROTOCOL: others hold a lock, or were quicker in a race for one. */
const busy: ReadonlySet<number | undefined> = new Set([5, 6, 15]);

/** SQLite's result code of what `node:sqlite` threw: the lowest eight bits of the extended one. */
export function resultCode(error: unknown): number | undefined {
  const code = isObject(error) ? error['errcode'] : undefined;
  return typeof code === 'number' ? code % 256 : undefined;
}

/** Whether the same operation may succeed in a moment. */
export function isBusy(error: unknown): boolean {
  return busy.has(resultCode(error));
}

/** What a command that does not throw says with a column of its result. */
export function busyFault(): Error {
  return Object.assign(new Error('other processes are using it'), { errcode: 5 });
}
