import { checkInput, checkThat } from '../../foundations/checks/check-object.ts';
import { codeOf } from '../../foundations/util/errors.ts';
import { lazyClient, failureText, driverError, timeToLive } from './database-client.ts';
import {
  firstColumn,
  missingValues,
  postgresClients,
  queryOf,
  type PostgresClient,
} from './postgres-client.ts';
import type { SummaryStore } from './summary-store.ts';

export type { PostgresClient, QueryingClient, UnsafeClient } from './postgres-client.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /**
   * A client with `query(text, values)`: a `Pool` or `Client` of `pg`, one of `@neondatabase/serverless` or the
   * function that its `neon` makes, a `PGlite`. One with `unsafe(text, values)`: the function that `postgres` makes, a
   * `Bun.SQL`. A database of Drizzle on one of these. Or a function that gives one, or a promise of one, when it is
   * first needed, so that a build that loads the module does not connect; one that fails, or takes two seconds, is asked
   * again. For other clients, `{ query }` with a function of your own that returns the rows.
   */
  readonly client: PostgresClient | (() => PostgresClient | Promise<PostgresClient>);
  /**
   * Name of the table, or schema and table with a dot between: letters, digits and underscores, at most 50
   * each, the case counts.
   * @default 'ai_sdk_summarization'
   */
  readonly table?: string | undefined;
}

/** A {@link SummaryStore} that can make its table. */
export interface PostgresStore extends SummaryStore {
  /** Makes the table and its index unless they are there. Any number of processes may do so at once. */
  readonly createTable: () => Promise<void>;
}

/**
 * Keeps summaries in a table of Postgres. Expiry goes by the clock of the database. Rows that have expired are
 * removed in passing: at most 500 after the first and every hundredth write. The store uses at most half of the
 * connections of a `pg` `Pool`, so that the application's own queries go on while the table is locked.
 *
 * The store neither connects the client nor ends it. While the database cannot be reached, operations
 * reject with what the client says. A `Pool` of `pg` ends the process when nobody listens to its `error` events:
 * `pool.on('error', …)`.
 *
 * @example
 * const store = postgresStore({ client: new Pool({ connectionString: process.env.DATABASE_URL }) });
 * await store.createTable();
 *
 * @throws {SummarizationOptionError} when `client` is no such client or `table` is not such a name. An operation
 *   rejects with an error that names `createTable` and its SQL when the table is not there.
 */
export function postgresStore(options: PostgresStoreOptions): PostgresStore {
  checkInput(options, 'client');
  const { client, table = 'ai_sdk_summarization' } = options;
  checkThat(typeof table === 'string' && tableName.test(table), 'table', table, allowedTables);
  const connect = lazyClient(client, queryOf, postgresClients);
  const sql = storeSql(table.split('.'));
  const run = async (text: string, ...values: unknown[]): Promise<readonly string[]> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return firstColumn(await (await connect())(text, values));
      } catch (thrown) {
        const error = driverError(thrown);
        if (attempt === maxTries || !passing.has(codeOf(error)))
          throw explained(error, table, sql.create);
      }
    }
  };
  let writes = 0;

  return {
    get: async (key) => (await run(sql.get, key))[0],
    compareAndSet: async (key, { expected, value, ttlMs }) => {
      const entry = [key, value, timeToLive(ttlMs) ?? null];
      const written = await (expected === undefined
        ? run(sql.insert, ...entry)
        : run(sql.update, ...entry, expected));
      // The write has succeeded; the next sweep deletes the rest.
      writes += 1;
      if (writes % writesPerSweep === 1) await run(sql.sweep, rowsPerSweep).catch(() => {});
      return written.length > 0;
    },
    delete: async (key) => {
      await run(sql.delete, key);
    },
    list: (prefix) => run(sql.list, prefix),
    createTable: async () => {
      for (const statement of sql.create) await run(statement);
    },
  };
}

/** More rows than are written meanwhile, so that expired ones do not pile up. */
const rowsPerSweep = 500;
const writesPerSweep = 100;

const tableName = /^(?:\w{1,50}\.)?[a-z_]\w{0,49}$/i;

const allowedTables =
  'a name of letters, digits and underscores, at most 50, or two of them with a dot between';

/**
 * The statements over one table. Each writes within a query, since some clients answer another kind of thing to one
 * that only writes, and gives a column of texts, without rows where it did nothing. Time is that of the database when
 * a statement begins: several machines agree on it, and in a transaction it goes on. An equal value under the key
 * counts as written, as in other stores whose clients may send a statement again.
 *
 * @param names - Schema, where there is one, and name of the table.
 */
function storeSql(names: readonly string[]) {
  const table = names.map((name) => `"${name}"`).join('.');
  const index = `"${names.at(-1)}_expires_at"`;
  const expiresAt = `statement_timestamp() + $3::float8 * interval '1 millisecond'`;
  const lasts = '(expires_at IS NULL OR expires_at > statement_timestamp())';
  return {
    /** Statements that create the table, one each. Keys are compared by their bytes, whatever the language. */
    create: [
      `CREATE TABLE IF NOT EXISTS ${table} (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, expires_at timestamptz)`,
      `CREATE INDEX IF NOT EXISTS ${index} ON ${table} (expires_at)`,
    ],
    get: `SELECT value FROM ${table} WHERE key = $1 AND ${lasts}`,
    /** Gives a row where it wrote: into nothing, or over what has expired. Values: key, value, milliseconds or null. */
    insert:
      query(`INSERT INTO ${table} AS held (key, value, expires_at) VALUES ($1, $2, ${expiresAt})
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
WHERE held.expires_at <= statement_timestamp() OR held.value = excluded.value
RETURNING held.key`),
    /** The same, over a value. */
    update: query(`UPDATE ${table} SET value = $2, expires_at = ${expiresAt}
WHERE key = $1 AND value IN ($2, $4) AND ${lasts} RETURNING key`),
    delete: query(`DELETE FROM ${table} WHERE key = $1 RETURNING key`),
    list: `SELECT key FROM ${table} WHERE key >= $1 AND starts_with(key, $1) AND ${lasts}`,
    /** Removes some of what has expired, passing over what others are working on. Values: how many. */
    sweep: query(`DELETE FROM ${table} WHERE key IN (
SELECT key FROM ${table} WHERE expires_at <= statement_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING key`),
  };
}

/** A query for what a statement that writes returns. */
function query(writing: string): string {
  return `WITH written AS (${writing}) SELECT key FROM written`;
}

/**
 * Failures of a statement that says of itself that it may be repeated: others were quicker to write the row
 * (where transactions are serializable), there was a deadlock, or others were making the same table.
 */
const passing: ReadonlySet<string> = new Set(['40001', '40P01', '23505', '42P07', '42710']);

const maxTries = 5;

/** A failure with what is to be done about it, where something can be done. */
function explained(error: unknown, table: string, create: readonly string[]): Error {
  const missing = missingValues(error);
  if (missing !== undefined) return missing;
  // Classes 22 and 42 of PostgreSQL's codes: no such table or column, other types, no access.
  if (!/^(?:22|42)/.test(codeOf(error))) return new Error(`Postgres: ${failureText(error)}`);
  const remedy = `createTable() of the store makes it, or this SQL: ${create.join('; ')};`;
  return new Error(`There is no table ${table} of a store that this user may use. ${remedy}`);
}
