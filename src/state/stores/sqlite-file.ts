import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SummarizationOptionError } from '../../foundations/errors/summarization-option-error.ts';
import { clockMs, delay } from '../../foundations/util/async/waiting.ts';
import { codeOf, messageOf } from '../../foundations/util/errors.ts';

/** A value that a statement is given. */
export type Value = string | number | null;

/** Runs a statement that gives rows, and one that gives none; values stand where the question marks are, in turn. */
export type RunSqlite = (sql: string, ...values: Value[]) => Promise<readonly unknown[]>;

/** A database file of its own, by a connection of its own. */
interface SqliteFile {
  /** Rejects with an error that names the path. */
  readonly run: RunSqlite;
  /** Takes what was deleted and overwritten out of the journal, where it stands in clear. Waits for the disk. */
  readonly scrub: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a file, or makes one.
 *
 * @param statements - The statement to run, and those that create its tables.
 * @throws {SummarizationOptionError} when there can be no such database.
 * @throws {Error} when the runtime has no `node:sqlite`.
 */
export function openSqliteFile(
  path: string,
  busyTimeoutMs: number,
  statements: { readonly create: readonly string[]; readonly all: readonly string[] },
): SqliteFile {
  // Looked up when a store is made instead of imported: so this entry loads where there is none, bundlers need not know
  // the module, and no warning of it is printed where no store is made.
  const sqlite = globalThis.process?.getBuiltinModule?.('node:sqlite');
  if (sqlite === undefined)
    throw new Error(
      'sqliteStore needs node:sqlite, of Node.js 22.13 or later, or a client of another package.',
    );
  const setUp = (opened: DatabaseSync): ReadonlyMap<string, StatementSync> => {
    opened.exec([...pragmas, ...statements.create].join(';'));
    return new Map(statements.all.map((sql) => [sql, opened.prepare(sql)]));
  };
  let database: DatabaseSync | undefined;
  let prepared: ReadonlyMap<string, StatementSync> | undefined;
  try {
    // Absolute, so that it is taken for no URL and no name of a database in memory.
    database = new sqlite.DatabaseSync(makeFile(path));
    prepared = setUp(database);
  } catch (error) {
    // Another process may hold the lock: the first operation sets the file up, then.
    if (database === undefined || !busy.has(resultCode(error))) {
      database?.close();
      if (codeOf(error) === 'ENOSPC' || resultCode(error) === full)
        throw new Error(`SQLite file ${path}: its disk is full: ${messageOf(error)}`, {
          cause: error,
        });
      const allowed = `the path of a database file of its own, in a folder that is there, both for this process to write: ${messageOf(error)}`;
      throw new SummarizationOptionError({ option: 'path', value: path, allowed });
    }
  }

  /** Tries an operation again while another connection holds the lock: SQLite's own waiting would block the thread. */
  const retried = async <Result>(operation: (opened: DatabaseSync) => Result): Promise<Result> => {
    const end = clockMs() + busyTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (database === undefined) throw new Error('the store was closed');
        return operation(database);
      } catch (cause) {
        const isLocked = busy.has(resultCode(cause));
        const since = isLocked ? `, for ${busyTimeoutMs} ms` : '';
        if (!isLocked || clockMs() >= end)
          throw new Error(`SQLite file ${path}: ${messageOf(cause)}${since}`, { cause });
      }
      // Drawn at random, so that those who wait do not meet again.
      await delay(Math.random() * Math.min(2 ** attempt, maxDelayMs), undefined);
    }
  };
  return {
    run: (sql, ...values) =>
      retried((opened) => (prepared ??= setUp(opened)).get(sql)?.all(...values) ?? []),
    scrub: () =>
      retried((opened) => {
        // Others that read or write at this moment keep it from being emptied.
        if (opened.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] !== 0)
          throw Object.assign(new Error('other processes are using it'), { errcode: 5 });
      }),
    close: async () => {
      database?.close();
      database = undefined;
    },
  };
}

/** Longest time between two attempts. A lock is held for less than a millisecond as a rule. */
const maxDelayMs = 50;

/**
 * Makes a file, for this user alone, where there is none. An existing file is never opened here: closing it would
 * remove the locks that SQLite holds on it in this process (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 *
 * @returns its absolute path.
 */
function makeFile(path: string): string {
  if (path === ':memory:') throw new Error('for state in memory there is memoryStore');
  if (path.startsWith('file:')) throw new Error('this is a URL; give the path itself');
  const { closeSync, openSync, statSync } = process.getBuiltinModule('node:fs');
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  if (!statSync(path).isFile()) throw new Error('this is no file; name one in a folder');
  return process.getBuiltinModule('node:path').resolve(path);
}

/** SQLITE_BUSY, SQLITE_LOCKED and SQLITE_PROTOCOL: others hold a lock, or were quicker in a race for one. */
const busy: ReadonlySet<number> = new Set([5, 6, 15]);

/** SQLITE_FULL. */
const full = 13;

/** SQLite's result code of what `node:sqlite` threw, the lowest eight bits of the extended one; else not a number. */
function resultCode(error: unknown): number {
  return Number(Object(error).errcode) % 256;
}

/**
 * How a file is kept. `auto_vacuum` is fixed by the first write to a new file. With WAL readers and a writer do not lock
 * each other out. A power failure may undo the last writes, it damages nothing: waiting for the disk would block the
 * thread. Erased data is overwritten when the journal is merged into the file.
 */
const pragmas = [
  'PRAGMA auto_vacuum = FULL',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA secure_delete = ON',
  'PRAGMA journal_size_limit = 4194304',
];
