import { isObject } from '../../util/is-object.ts';

/**
 * What answers SQL: a `Pool` or `Client` of `pg`, one of `@neondatabase/serverless` or the function that its
 * `neon` makes, a `PGlite`. Described here instead of imported, so that every package that has it can be given.
 */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** The rows of an answer: Neon's function gives them bare, everybody else in an object. */
export function rowsOf(answer: unknown): readonly unknown[] {
  const rows: unknown = isObject(answer) ? answer['rows'] : answer;
  if (!Array.isArray(rows)) throw new Error('The client gave no rows.');
  return rows;
}

/** The first column of a row, which is an object or, where the client was told so, a list. */
export function firstColumn(row: unknown): unknown {
  return isObject(row) || Array.isArray(row) ? Object.values(row)[0] : undefined;
}
