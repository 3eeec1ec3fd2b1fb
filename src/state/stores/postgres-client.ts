import { limitConcurrency, keyedQueue } from '../../foundations/util/async/waiting.ts';
import { codeOf } from '../../foundations/util/errors.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { boundMethod } from './database-client.ts';

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
export type Query = (text: string, values: unknown[]) => Promise<unknown>;

/** The clients that may be given, in words. */
export const postgresClients =
  'a client with query(text, values) or unsafe(text, values), such as a Pool of pg, the function that neon() or postgres() makes, a PGlite, a database of Drizzle on one of these, or a function that gives one; for others see docs/deploy.md#postgres';

/** The way to send a statement; `undefined` for what is no client. */
export function queryOf(given: unknown): Query | undefined {
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
export function firstColumn(answer: unknown): readonly string[] {
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
export function missingValues(error: unknown): Error | undefined {
  // undefined_parameter and protocol_violation.
  const isMissing = ['42P02', '08P01'].includes(codeOf(error));
  return isMissing ? new Error(`The client passes no values on: ${recipe}`) : undefined;
}
