import { checkInput, checkThat } from '../../foundations/checks/check-object.ts';
import { codeOf } from '../../foundations/util/errors.ts';
import {
  lazyClient,
  failureText,
  driverError,
  timeToLive,
  boundMethod,
} from './database-client.ts';
import type { SummaryStore } from './summary-store.ts';
import { limitConcurrency, keyedQueue } from '../../foundations/util/async/waiting.ts';
import { isObject } from '../../foundations/util/is-object.ts';

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
      asQuery(`INSERT INTO ${table} AS held (key, value, expires_at) VALUES ($1, $2, ${expiresAt})
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
WHERE held.expires_at <= statement_timestamp() OR held.value = excluded.value
RETURNING held.key`),
    /** The same, over a value. */
    update: asQuery(`UPDATE ${table} SET value = $2, expires_at = ${expiresAt}
WHERE key = $1 AND value IN ($2, $4) AND ${lasts} RETURNING key`),
    delete: asQuery(`DELETE FROM ${table} WHERE key = $1 RETURNING key`),
    list: `SELECT key FROM ${table} WHERE key >= $1 AND starts_with(key, $1) AND ${lasts}`,
    /** Removes some of what has expired, passing over what others are working on. Values: how many. */
    sweep: asQuery(`DELETE FROM ${table} WHERE key IN (
SELECT key FROM ${table} WHERE expires_at <= statement_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING key`),
  };
}

/** A query for what a statement that writes returns. */
function asQuery(writing: string): string {
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

/**
 * A client with `query`: a `Pool` or `Client` of `pg` or of `@neondatabase/serverless`, the function that its `neon`
 * makes, a `PGlite`. Described here instead of imported, so that every package that has it can be given.
 */
export interface QueryingClient {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** A client with `unsafe`: the function that `postgres` makes, a `Bun.SQL`. */
export interface UnsafeClient {
  unsafe(text: string, values: unknown[]): PromiseLike<unknown>;
}

/** Anything that answers SQL, or a database of Drizzle, which has such a client. */
export type PostgresClient =
  | QueryingClient
  | UnsafeClient
  | { readonly $client: QueryingClient | UnsafeClient };

/** Sends a statement with its values, and gives what the client answers. */
type Query = (text: string, values: unknown[]) => Promise<unknown>;

/** The clients that may be given, in words. */
const postgresClients =
  'a client with query(text, values) or unsafe(text, values), such as a Pool of pg, the function that neon() or postgres() makes, a PGlite, a database of Drizzle on one of these, or a function that gives one; for others see docs/deploy.md#postgres';

/** The way to send a statement; `undefined` for what is no client. */
function queryOf(given: unknown): Query | undefined {
  const { $client: client = given }: { $client?: unknown } = Object(given);
  const [query, unsafe] = [boundMethod(client, 'query'), boundMethod(client, 'unsafe')];
  // Sequelize and clients of MySQL have `escape`, too: their `query` takes other arguments. The function of Neon has both.
  if (query === undefined || boundMethod(client, 'escape') !== undefined)
    return unsafe && (async (text, values) => unsafe(text, values));
  const send: Query = async (text, values) => query(text, values);
  // An application's own queries wait for a connection of the same pool.
  const { options }: { options?: { max?: unknown } | null } = Object(client);
  const poolSize = options?.max;
  if (typeof poolSize === 'number') {
    const bounded = limitConcurrency(Math.max(1, Math.floor(poolSize / 2)), longestQueryMs);
    return async (text, values) => bounded(() => send(text, values));
  }
  // A `Client` of `pg` has one connection, and warns of being asked for more than one query at a time.
  if (boundMethod(client, 'getTypeParser') === undefined) return send;
  const inTurn = keyedQueue(longestQueryMs);
  return async (text, values) => inTurn('', () => send(text, values));
}

/** Milliseconds for which one query of `pg` holds up the next. */
const longestQueryMs = 15_000;

/**
 * The texts in the first column of the rows. Some clients give rows bare, others in an object; a row is an object or,
 * where the client was told so, a list. All statements give texts alone, so that anything else is another kind of answer,
 * such as a pair of rows and a number, of which a lost race would count as won.
 *
 * @throws {Error} when the answer holds no such rows.
 */
function firstColumn(answer: unknown): readonly string[] {
  const rows: unknown = isObject(answer) ? answer['rows'] : answer;
  const texts = Array.isArray(rows) ? rows.map(firstText) : [undefined];
  if (texts.every((text) => text !== undefined)) return texts;
  throw new Error(`The client answers ${kindOf(answer)}: ${recipe}`);
}

function firstText(row: unknown): string | undefined {
  const [first]: unknown[] = Array.isArray(row) || isObject(row) ? Object.values(row) : [];
  return typeof first === 'string' ? first : undefined;
}

const recipe =
  'give { query } that takes (text, values) and returns rows, see docs/deploy.md#postgres';

/** The kind of an answer, without what it says. */
function kindOf(answer: unknown): string {
  if (Array.isArray(answer)) return `[${answer.slice(0, 3).map(kindOf).join(', ')}]`;
  return isObject(answer) ? 'an object' : typeof answer;
}

/** Message of a failure if the values did not arrive with their statement; otherwise `undefined`. */
function missingValues(error: unknown): Error | undefined {
  // undefined_parameter and protocol_violation.
  const isMissing = ['42P02', '08P01'].includes(codeOf(error));
  return isMissing ? new Error(`The client passes no values on: ${recipe}`) : undefined;
}
