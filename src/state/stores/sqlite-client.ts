import { isObject } from '../../foundations/util/is-object.ts';
import { boundMethod } from './database-client.ts';

/** A value that a statement is given. */
type Value = string | number | null;

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

/** Runs a statement that gives rows, and one that gives none; values stand where the question marks are, in turn. */
export type RunSqlite = (sql: string, ...values: Value[]) => Promise<readonly unknown[]>;

export const sqliteClients =
  'a client with prepare (better-sqlite3, bun:sqlite, D1), execute (@libsql/client) or sql.exec (ctx.storage of a Durable Object); for others see docs/deploy.md#sqlite';

/** Adapts a client; `undefined` for other objects. A database of Drizzle has one of these. */
export function runnerOf(given: unknown): RunSqlite | undefined {
  const { $client: client = given }: { $client?: unknown } = Object(given);
  const [prepare, execute] = [boundMethod(client, 'prepare'), boundMethod(client, 'execute')];
  if (prepare !== undefined)
    return async (sql, ...values) => rowsOf(await answerOf(prepare(sql), values));
  if (execute !== undefined) return async (sql, ...args) => rowsOf(await execute({ sql, args }));
  const { sql: storage }: { sql?: unknown } = Object(client);
  const exec = boundMethod(storage, 'exec');
  return (
    exec && (async (sql, ...values) => rowsOf(boundMethod(exec(sql, ...values), 'toArray')?.()))
  );
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
