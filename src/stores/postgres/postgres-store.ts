import { checkInput, checkThat } from '../../checks/check-object.ts';
import { fromStoredText, toStoredText } from '../stored-text.ts';
import type { SummaryStore } from '../summary-store.ts';
import { timeToLive } from '../time-to-live.ts';
import { explainedFailure } from './explain-failure.ts';
import { oneByOne } from './one-by-one.ts';
import { firstColumn, rowsOf, type PostgresClient } from './postgres-client.ts';
import { retried } from './retried.ts';
import { storeSql } from './store-sql.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /**
   * Anything with `query(text, values)`: a `Pool` or `Client` of `pg`, one of `@neondatabase/serverless` or the
   * function that its `neon` makes, a `PGlite`.
   */
  readonly client: PostgresClient;
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
 * removed in passing: at most 500 after the first and every hundredth write.
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
export function postgresStore(options: PostgresStoreOptions): PostgresStore {
  checkInput(options, 'client');
  const { client, table = 'ai_sdk_summarization' } = options;
  checkThat(typeof client?.query === 'function', 'client', client, postgresClients);
  checkThat(typeof table === 'string' && tableName.test(table), 'table', table, allowedTables);
  const connection = oneByOne(client);
  const sql = storeSql(table.split('.'));
  const run = async (text: string, values: unknown[]): Promise<readonly unknown[]> => {
    const answer = retried(async () => connection.query(text, values));
    return rowsOf(
      await answer.catch((error: unknown) => {
        throw explainedFailure(error, table, sql.create);
      }),
    );
  };
  let writes = 0;
  const sweepInPassing = async (): Promise<void> => {
    const isDue = writes % writesPerSweep === 0;
    writes += 1;
    // What was written is written; the next sweep takes what this one leaves.
    if (isDue) await run(sql.sweep, [rowsPerSweep]).catch(() => {});
  };

  return {
    get: async (key) => {
      const [row] = await run(sql.get, [key]);
      return row === undefined ? undefined : fromStoredText(firstColumn(row));
    },
    set: async (key, value, { ifAbsent = false, ttlMs } = {}) => {
      const values = [key, toStoredText(value), timeToLive(ttlMs) ?? null];
      const written = await run(ifAbsent ? sql.setIfAbsent : sql.set, values);
      await sweepInPassing();
      return !ifAbsent || written.length > 0;
    },
    delete: async (key) => {
      await run(sql.delete, [key]);
    },
    createTable: async () => {
      for (const statement of sql.create) await run(statement, []);
    },
  };
}

/** More rows than are written meanwhile, so that expired ones do not pile up. */
const rowsPerSweep = 500;
const writesPerSweep = 100;

const tableName = /^(?:\w{1,50}\.)?[a-z_]\w{0,49}$/i;

const allowedTables =
  'a name of letters, digits and underscores, at most 50, or two of them with a dot between';

const postgresClients =
  'anything with query(text, values), such as a Pool or Client of pg, the function that neon() makes, a PGlite';
