import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { databaseFile, mayNotWrite, refusedPath } from './database-file.ts';
import { sqliteEntries, type SqliteEntries } from './sqlite-entries.ts';
import { isBusy, notADatabase, notWritable, resultCode, sqlError } from './sqlite-faults.ts';
import { sqliteModule, type SqliteModule } from './sqlite-module.ts';

/** A user's hold on the connection to a file. */
export interface SharedConnection {
  /** The entries, once the file is set up; throws while another process holds the lock that takes. */
  readonly entries: () => SqliteEntries;
  /** To be called once. The last user's closes the connection. */
  readonly release: () => void;
}

interface OpenFile {
  readonly database: DatabaseSync;
  entries: SqliteEntries | undefined;
  users: number;
}

/** One for a file, by whatever name, in this process. */
const openFiles = new Map<string, OpenFile>();

/**
 * Opens a file, or shares the connection to it.
 *
 * @throws {SummarizationOptionError} when it cannot be opened, or holds something else.
 */
export function shareConnection(path: string): SharedConnection {
  const sqlite = sqliteModule();
  const file = databaseFile(path);
  const open = openFiles.get(file) ?? openFile(sqlite, path);
  openFiles.set(file, open);
  open.users += 1;
  return {
    entries: () => (open.entries ??= sqliteEntries(open.database)),
    release: () => {
      open.users -= 1;
      if (open.users > 0) return;
      openFiles.delete(file);
      open.database.close();
    },
  };
}

function openFile({ DatabaseSync }: SqliteModule, path: string): OpenFile {
  let database: DatabaseSync | undefined;
  try {
    // Absolute, so that it is taken for no URL and no name of a database in memory.
    database = new DatabaseSync(resolve(path));
    return { database, entries: sqliteEntries(database), users: 0 };
  } catch (error) {
    // Another process holds the lock: the first operation sets it up, then.
    if (database !== undefined && isBusy(error)) return { database, entries: undefined, users: 0 };
    database?.close();
    throw refusedPath(path, openingReason(error));
  }
}

function openingReason(error: unknown): string {
  const code = resultCode(error);
  if (code === notADatabase) return 'this file is no SQLite database';
  if (code === sqlError) return 'this database has a table summarization_entries of another kind';
  return notWritable.has(code) ? mayNotWrite : String(error);
}
