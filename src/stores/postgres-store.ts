import { checkInput, checkThat } from '../checks/check-object.ts';
import { hasFunctions } from '../checks/option-rule.ts';
import { atMost, turns } from '../util/async/waiting.ts';
import { codeOf } from '../util/errors.ts';
import { isObject } from '../util/is-object.ts';
import { givenOrMade, reasonOf, timeToLive } from './database-client.ts';
import type { SummaryStore } from './summary-store.ts';

/**
 * What answers SQL: a `Pool` or `Client` of `pg`, one of `@neondatabase/serverless` or the function that its
 * `neon` makes, a `PGlite`. Described here instead of imported, so that every package that has it can be given.
 */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /**
   * Anything with `query(text, values)`: a `Pool` or `Client` of `pg`, one of `@neondatabase/serverless` or the
   * function that its `neon` makes, a `PGlite`. Or a function that gives it, or a promise of it, when it is first
   * needed, so that a build that loads the module does not connect; one that fails, or takes two seconds, is asked
   * again.
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
 * removed in passing: at most 500 after the first and every hundredth write. Of a `Pool` the store uses half of the
 * connections at most, so that the application's own queries go on where the table is locked.
 *
 * The store neither connects the client nor ends it. While the database cannot be reached, operations
 * reject with what the client says. A `Pool` of `pg` ends the process when nobody listens to its `error` events:
 * `pool.on('error', …)`.
 *
 * @example
 * const store = postgresStore({ client: new Pool({ connectionString: process.env.DATABASE_URL }) });
 * await store.createTable();
 *
 * @throws {SummarizationOptionError} when `client` has no `query` or `table` is not such a name. An operation
 *   rejects with an error that names `createTable` and its SQL when the table is not there.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is the table and its statements
export function postgresStore(options: PostgresStoreOptions): PostgresStore {
  checkInput(options, 'client');
  const { client, table = 'ai_sdk_summarization' } = options;
  checkThat(typeof table === 'string' && tableName.test(table), 'table', table, allowedTables);
  const inTurn = turns(longestQueryMs);
  const connect = givenOrMade(client, (given: unknown) => {
    checkThat(hasQuery(given), 'client', given, postgresClients);
    const query = async (text: string, values: unknown[]) => given.query(text, values);
    // An application's own queries wait for a connection of the same pool.
    const poolSize: unknown = Object(Object(given).options).max;
    if (typeof poolSize === 'number') {
      const bounded = atMost(Math.max(1, Math.floor(poolSize / 2)), longestQueryMs);
      return async (text: string, values: unknown[]) => bounded(() => query(text, values));
    }
    // A `Client` of `pg` has one connection, and warns of being asked for more than one query at a time.
    if (!hasFunctions(given, 'getTypeParser')) return query;
    return async (text: string, values: unknown[]) => inTurn('', () => query(text, values));
  });
  const sql = storeSql(table.split('.'));
  const run = async (text: string, ...values: unknown[]): Promise<readonly string[]> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return firstColumn(await (await connect())(text, values));
      } catch (error) {
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
      // What was written is written; the next sweep takes what this one leaves.
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

/** Milliseconds for which one query of `pg` holds up the next. */
const longestQueryMs = 15_000;

/** More rows than are written meanwhile, so that expired ones do not pile up. */
const rowsPerSweep = 500;
const writesPerSweep = 100;

const tableName = /^(?:\w{1,50}\.)?[a-z_]\w{0,49}$/i;

const allowedTables =
  'a name of letters, digits and underscores, at most 50, or two of them with a dot between';

const postgresClients =
  'anything with query(text, values), such as a Pool or Client of pg, the function that neon() makes, a PGlite, or a function that gives one';

function hasQuery(client: unknown): client is PostgresClient {
  return typeof Object(client).query === 'function';
}

/**
 * What stands in the first column of the rows. Neon's function gives them bare, everybody else in an object; a row is an
 * object or, where the client was told so, a list.
 */
function firstColumn(answer: unknown): readonly string[] {
  const rows: unknown = isObject(answer) ? answer['rows'] : answer;
  if (!Array.isArray(rows)) throw new Error('The client gave no rows.');
  return rows.map((row) => String(Object.values(Object(row))[0]));
}

/**
 * The statements over one table. Time is that of the database when a statement begins: several machines agree on it,
 * and in a transaction it goes on. What the key holds already counts as written, as it does for other stores whose
 * clients send a statement again.
 *
 * @param names - Schema, where there is one, and name of the table.
 */
function storeSql(names: readonly string[]) {
  const table = names.map((name) => `"${name}"`).join('.');
  const index = `"${names.at(-1)}_expires_at"`;
  const expiresAt = `statement_timestamp() + $3::float8 * interval '1 millisecond'`;
  const lasts = '(expires_at IS NULL OR expires_at > statement_timestamp())';
  return {
    /** What makes the table, one statement each. Keys are compared by their bytes, whatever the language. */
    create: [
      `CREATE TABLE IF NOT EXISTS ${table} (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, expires_at timestamptz)`,
      `CREATE INDEX IF NOT EXISTS ${index} ON ${table} (expires_at)`,
    ],
    get: `SELECT value FROM ${table} WHERE key = $1 AND ${lasts}`,
    /** Gives a row where it wrote: into nothing, or over what has expired. Values: key, value, milliseconds or null. */
    insert: `INSERT INTO ${table} AS held (key, value, expires_at) VALUES ($1, $2, ${expiresAt})
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
WHERE held.expires_at <= statement_timestamp() OR held.value = excluded.value
RETURNING held.key`,
    /** The same, over a value. */
    update: `UPDATE ${table} SET value = $2, expires_at = ${expiresAt}
WHERE key = $1 AND value IN ($2, $4) AND ${lasts} RETURNING key`,
    delete: `DELETE FROM ${table} WHERE key = $1`,
    list: `SELECT key FROM ${table} WHERE key >= $1 AND starts_with(key, $1) AND ${lasts}`,
    /** Removes some of what has expired, passing over what others are working on. Values: how many. */
    sweep: `DELETE FROM ${table} WHERE key IN (
SELECT key FROM ${table} WHERE expires_at <= statement_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  };
}

/**
 * Failures of a statement that says of itself that it may be repeated: others were quicker to write the row
 * (where transactions are serializable), there was a deadlock, or others were making the same table.
 */
const passing: ReadonlySet<string> = new Set(['40001', '40P01', '23505', '42P07', '42710']);

const maxTries = 5;

/** A failure with what is to be done about it, where something can be done. */
function explained(error: unknown, table: string, create: readonly string[]): Error {
  // Classes 22 and 42 of PostgreSQL's codes: no such table or column, other types, no access.
  if (!/^(?:22|42)/.test(codeOf(error))) return new Error(`Postgres: ${reasonOf(error)}`);
  const remedy = `createTable() of the store makes it, or this SQL: ${create.join('; ')};`;
  return new Error(`There is no table ${table} of a store that this user may use. ${remedy}`);
}
