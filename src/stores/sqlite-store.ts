import { closeSync, openSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { checkOptions } from '../checks/check-object.ts';
import { anyText, integer } from '../checks/option-rule.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { clockMs, delay } from '../util/async/waiting.ts';
import { codeOf, messageOf } from '../util/errors.ts';
import type { SummaryStore } from './summary-store.ts';

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * Path of a database file of its own, on a disk of this machine. Where there is none it is made, for this
   * user alone to read and write; its folder has to be there. Two files with `-wal` and `-shm` at the end of
   * their names stand beside it while it is in use.
   */
  readonly path: string;
  /**
   * Milliseconds for which an operation is tried again while another process holds the lock of the file.
   * The thread is never blocked meanwhile. Minimum: 0.
   * @default 5000
   */
  readonly busyTimeoutMs?: number | undefined;
}

/** A {@link SummaryStore} in a database file. */
export interface SqliteStore extends SummaryStore {
  /** Lets go of the file. What is asked of the store afterwards rejects; closing it again is no error. */
  readonly close: () => Promise<void>;
}

/**
 * Keeps summaries in an SQLite file, through Node's own `node:sqlite`: for one machine and any number of its
 * processes. State outlives the process, one statement compares and sets, entries whose time has passed are removed,
 * and their room given back, by the writes that follow. Each store has a connection of its own.
 *
 * Operations reject with an `Error` naming the path when the file stays locked, is damaged or its disk is full.
 *
 * @example
 * summarizationMiddleware({ store: sqliteStore({ path: 'summaries.db' }), secret: process.env.SUMMARY_SECRET });
 *
 * @throws {SummarizationOptionError} when an option is wrong, or the path is that of a folder, of a file that
 * is no database, or of one that cannot be made or written.
 * @throws {Error} when the runtime has no `node:sqlite`. Node.js has it from 22.13 on, and warns there once
 * that it is experimental; 24 does not.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is the file
export function sqliteStore(options: SqliteStoreOptions): SqliteStore {
  checkOptions(options, 'path', { path: anyText, busyTimeoutMs: integer(0) }, 'path');
  const { path, busyTimeoutMs = 5000 } = options;
  // Looked up when a store is made instead of imported: so this entry loads where there is none, bundlers need not know
  // the module, and no warning of it is printed where no store is made.
  const sqlite = globalThis.process?.getBuiltinModule?.('node:sqlite');
  if (sqlite === undefined)
    throw new Error('sqliteStore needs node:sqlite, of Node.js 22.13 or later.');
  let database: DatabaseSync | undefined;
  let statements: Statements | undefined;
  try {
    makeFile(path);
    // Absolute, so that it is taken for no URL and no name of a database in memory.
    database = new sqlite.DatabaseSync(resolve(path));
    statements = prepared(database);
  } catch (error) {
    // Another process may hold the lock: the first operation sets the file up, then.
    if (database === undefined || !busy.has(resultCode(error))) {
      database?.close();
      const allowed = `the path of a database file of its own, in a folder that is there, both for this process to write: ${messageOf(error)}`;
      throw new SummarizationOptionError({ option: 'path', value: path, allowed });
    }
  }

  /** Tries an operation again while another connection holds the lock: SQLite's own waiting would block the thread. */
  const run = async <Result>(
    operation: (prepared: Statements, now: number) => Result,
  ): Promise<Result> => {
    const end = clockMs() + busyTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (database === undefined) throw new Error('the store was closed');
        return operation((statements ??= prepared(database)), Date.now());
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
    get: async (key) => {
      const row = await run(({ select }, now) => select.get(key, now));
      return row && String(row['value']);
    },
    compareAndSet: (key, { expected = null, value, ttlMs = Number.POSITIVE_INFINITY }) =>
      run(({ exchange, removeExpired }, now) => {
        const expiresAt = Math.min(Math.ceil(now + ttlMs), Number.MAX_SAFE_INTEGER);
        const { changes } = exchange.run(key, value, expiresAt, now, expected);
        try {
          removeExpired.run(now);
        } catch {
          // What was written is written; the next write tries again.
        }
        return Number(changes) > 0;
      }),
    delete: (key) => run(({ remove }) => void remove.run(key)),
    list: async (prefix) => {
      const rows = await run(({ selectKeys }, now) => selectKeys.all(prefix, now));
      return rows.map(({ key }) => String(key));
    },
    /** Takes what was deleted and overwritten out of the journal, where it stands in clear. Waits for the disk. */
    scrub: () =>
      run(({ emptyJournal }) => {
        // Others that read or write at this moment keep it from being emptied.
        if (emptyJournal.get()?.['busy'] !== 0)
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
 * Makes a file, for this user alone, where there is none. One that is there is never opened here: closing it would take
 * the locks away that SQLite holds on it in this process (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 */
function makeFile(path: string): void {
  if (path === ':memory:') throw new Error('for state in memory there is memoryStore');
  if (path.startsWith('file:')) throw new Error('this is a URL; give the path itself');
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  if (!statSync(path).isFile()) throw new Error('this is no file; name one in a folder');
}

/** SQLITE_BUSY, SQLITE_LOCKED and SQLITE_PROTOCOL: others hold a lock, or were quicker in a race for one. */
const busy: ReadonlySet<number> = new Set([5, 6, 15]);

/** SQLite's result code of what `node:sqlite` threw, the lowest eight bits of the extended one; else not a number. */
function resultCode(error: unknown): number {
  return Number(Object(error).errcode) % 256;
}

type Statements = ReturnType<typeof prepared>;

/**
 * Makes the table where there is none. Each statement throws at once while another connection holds the lock.
 *
 * `auto_vacuum` is fixed by the first write to a new file. With WAL readers and a writer do not lock each other
 * out. A power failure may undo the last writes, it damages nothing: waiting for the disk would block the thread. What
 * was erased is overwritten when the journal is brought into the file.
 */
function prepared(database: DatabaseSync) {
  database.exec(`PRAGMA auto_vacuum = FULL;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = 4194304;
    CREATE TABLE IF NOT EXISTS ${table} (
      key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL, expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS ${table}_by_expiry ON ${table} (expires_at);`);
  const select = `SELECT value FROM ${table} WHERE key = ?1 AND expires_at >`;
  return {
    select: database.prepare(`${select} ?2`),
    selectKeys: database.prepare(
      `SELECT key FROM ${table} WHERE key >= ?1 AND substr(key, 1, length(?1)) = ?1 AND expires_at > ?2`,
    ),
    // Decides and writes: nobody can come in between.
    exchange: database.prepare(
      `INSERT INTO ${table} (key, value, expires_at) SELECT ?1, ?2, ?3 WHERE ?5 IS (${select} ?4)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
    ),
    remove: database.prepare(`DELETE FROM ${table} WHERE key = ?`),
    // More than one write brings, and few enough to take no noticeable time.
    removeExpired: database.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires_at <= ? LIMIT 4)`,
    ),
    emptyJournal: database.prepare('PRAGMA wal_checkpoint(TRUNCATE)'),
  };
}

const table = 'summarization_entries';
