import { checkInput, checkOptions } from '../../foundations/checks/check-object.ts';
import { anyText, checkedElsewhere, integer } from '../../foundations/checks/option-rule.ts';
import {
  lazyClient,
  failureText,
  driverError,
  timeToLive,
  boundMethod,
} from './database-client.ts';
import { openSqliteFile, type RunSqlite, type Value } from './sqlite-file.ts';
import type { SummaryStore } from './summary-store.ts';
import { isObject } from '../../foundations/util/is-object.ts';

/** Options of {@link sqliteStore} for a file: `node:sqlite` of Node.js opens it. */
export interface SqliteFileOptions {
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

/** Options of {@link sqliteStore} for a database that the application has. */
export interface SqliteClientOptions {
  /**
   * A client with `prepare`: of `better-sqlite3`, `bun:sqlite`, `node:sqlite`, a D1 binding. One with `execute`: of
   * `@libsql/client`. `ctx.storage` of a Durable Object with SQLite. A database of Drizzle on one of these. Or a function
   * that gives one, or a promise of one, when it is first needed; one that fails, or takes two seconds, is asked again.
   */
  readonly client: SqliteClient | (() => SqliteClient | Promise<SqliteClient>);
}

/** Options of {@link sqliteStore}. */
export type SqliteStoreOptions = SqliteFileOptions | SqliteClientOptions;

/** A {@link SummaryStore} in a database of SQLite. */
export interface SqliteStore extends SummaryStore {
  /**
   * Lets go of the file. Later operations of the store reject; closing it again is no error. A client that was
   * given is left as it is.
   */
  readonly close: () => Promise<void>;
}

/**
 * Keeps summaries in SQLite: in a file, through Node's own `node:sqlite`, for one machine and any number of its
 * processes; or in a table of its own, which it makes, of a database that the application has. State outlives the process,
 * one statement compares and sets, entries whose time has passed are removed by the writes that follow. Time is that of
 * the process.
 *
 * Each store of a file has a connection of its own, and gives the room of what was removed back. Operations reject with an
 * `Error` naming the path when the file stays locked, is damaged or its disk is full; those of a client with what that says.
 *
 * @example
 * summarizationMiddleware({ store: sqliteStore({ path: 'summaries.db' }), secret: process.env.SUMMARY_SECRET });
 *
 * @throws {SummarizationOptionError} when an option is wrong, or the path is that of a folder, of a file that
 * is no database, or of one that cannot be made or written.
 * @throws {Error} when a path is given and its disk is full, or the runtime has no `node:sqlite`. Node.js has it from
 * 22.13 on, and warns there once that it is experimental; 24 does not.
 */
export function sqliteStore(options: SqliteStoreOptions): SqliteStore {
  checkInput(options, 'path or client');
  if ('client' in options) {
    checkOptions(options, 'client', { client: checkedElsewhere });
    return { ...storeOn(runOn(options.client)), close: async () => {} };
  }
  checkOptions(options, 'path', { path: anyText, busyTimeoutMs: integer(0) }, 'path');
  const { path, busyTimeoutMs = 5000 } = options;
  const statements = { create, all: Object.values(sql) };
  const { run, ...rest } = openSqliteFile(path, busyTimeoutMs, statements);
  return { ...storeOn(run), ...rest };
}

/** Runs statements by a client. Makes the table when it is not there. Rejects with what the client says. */
function runOn(client: unknown): RunSqlite {
  const connect = lazyClient(client, runnerOf, sqliteClients);
  return async (...asked) =>
    connect()
      .then((run) => run(...asked).catch(async (error: unknown) => made(run, asked, error)))
      .catch((error: unknown) => {
        throw new Error(`SQLite: ${failureText(driverError(error))}`);
      });
}

/** Makes the table, and runs what failed because there was none. */
async function made(run: RunSqlite, asked: Parameters<RunSqlite>, error: unknown) {
  if (!/no such table/i.test(failureText(driverError(error)))) throw error;
  for (const each of create) await run(each);
  return run(...asked);
}

function storeOn(run: RunSqlite): SummaryStore {
  const texts = async (...asked: Parameters<RunSqlite>): Promise<readonly string[]> =>
    (await run(...asked)).map((row) => {
      const { text }: { text?: unknown } = Object(row);
      if (typeof text === 'string') return text;
      throw new Error('SQLite: The client gives rows without the names of their columns.');
    });
  return {
    get: async (key) => (await texts(sql.get, key, Date.now()))[0],
    compareAndSet: async (key, { expected = null, value, ttlMs }) => {
      const now = Date.now();
      const expiresAt = Math.min(now + (timeToLive(ttlMs) ?? Infinity), Number.MAX_SAFE_INTEGER);
      const written = await texts(sql.exchange, key, value, expiresAt, expected, key, now);
      // The write has succeeded; the next write tries again.
      await run(sql.sweep, now).catch(() => {});
      return written.length > 0;
    },
    delete: async (key) => {
      await run(sql.remove, key);
    },
    list: (prefix) => texts(sql.list, prefix, prefix, prefix, Date.now()),
  };
}

const table = 'summarization_entries';

const create = [
  `CREATE TABLE IF NOT EXISTS ${table} (
    key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX IF NOT EXISTS ${table}_by_expiry ON ${table} (expires_at)`,
];

/** Writing statements return a row for each written entry. */
const sql = {
  get: `SELECT value AS text FROM ${table} WHERE key = ? AND expires_at > ?`,
  list: `SELECT key AS text FROM ${table}
    WHERE key >= ? AND substr(key, 1, length(?)) = ? AND expires_at > ?`,
  // Decides and writes: nobody can come in between.
  exchange: `INSERT INTO ${table} (key, value, expires_at)
    SELECT ?, ?, ? WHERE ? IS (SELECT value FROM ${table} WHERE key = ? AND expires_at > ?)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
    RETURNING key AS text`,
  remove: `DELETE FROM ${table} WHERE key = ? RETURNING key AS text`,
  // More than one write brings, and few enough to take no noticeable time.
  sweep: `DELETE FROM ${table}
    WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires_at <= ? LIMIT 4) RETURNING key AS text`,
} as const;

/**
 * A client that prepares statements: a `Database` of `better-sqlite3` or of `bun:sqlite`, a `DatabaseSync` of
 * `node:sqlite`, a D1 binding of Cloudflare.
 */
export interface PreparingClient {
  prepare(sql: string): object;
}

/** A client of `@libsql/client`, or an object with this function of your own for any other client. */
export interface ExecutingClient {
  execute(statement: { sql: string; args: Value[] }): PromiseLike<{ readonly rows: object }>;
}

/** The storage of a Durable Object that has SQLite: `ctx.storage`. */
export interface DurableObjectClient {
  readonly sql: { exec(sql: string, ...values: Value[]): { toArray(): unknown[] } };
}

/** A client of SQLite. Described here instead of imported, so that every package that has one of these can be given. */
export type SqliteClient = PreparingClient | ExecutingClient | DurableObjectClient;

const sqliteClients =
  'a client with prepare (better-sqlite3, bun:sqlite, D1), execute (@libsql/client) or sql.exec (ctx.storage of a Durable Object); for others see docs/deploy.md#sqlite';

/** Adapts a client; `undefined` for other objects. A database of Drizzle has one of these. */
function runnerOf(given: unknown): RunSqlite | undefined {
  const { $client: client = given }: { $client?: unknown } = Object(given);
  const [prepare, execute] = [boundMethod(client, 'prepare'), boundMethod(client, 'execute')];
  if (prepare !== undefined)
    return async (text, ...values) => rowsOf(await answerOf(prepare(text), values));
  if (execute !== undefined)
    return async (text, ...args) => rowsOf(await execute({ sql: text, args }));
  const { sql: storage }: { sql?: unknown } = Object(client);
  const exec = boundMethod(storage, 'exec');
  return exec && (async (...asked) => rowsOf(boundMethod(exec(...asked), 'toArray')?.()));
}

/**
 * Result of a prepared statement. One of `better-sqlite3` says whether it gives rows, and refuses `all` where it gives
 * none; one of D1 takes its values first, and has no `get`.
 */
function answerOf(statement: unknown, values: readonly Value[]): unknown {
  const { reader }: { reader?: unknown } = Object(statement);
  if (reader === false) return boundMethod(statement, 'run')?.(...values) && [];
  const isReady = boundMethod(statement, 'get') !== undefined;
  const bound = isReady ? statement : boundMethod(statement, 'bind')?.(...values);
  return boundMethod(bound, 'all')?.(...(isReady ? values : []));
}

/** @throws {Error} when an answer holds no rows. */
function rowsOf(answer: unknown): readonly unknown[] {
  const rows = isObject(answer) ? (answer['results'] ?? answer['rows']) : answer;
  if (!Array.isArray(rows))
    throw new Error('The client gives no rows: see docs/deploy.md#sqlite for what it has to give');
  return rows;
}
