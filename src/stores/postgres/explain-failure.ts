import { codeOf } from '../../util/code-of.ts';
import { reasonOf } from '../reason-of.ts';

/** No such table. */
const missing = '42P01';

/** No such column, another type, no key. */
const different: ReadonlySet<string> = new Set(['42703', '42804', '42P10', '42883', '22P02']);

/** A failure with what is to be done about it, where something can be done. */
export function explainedFailure(error: unknown, table: string, create: readonly string[]): Error {
  const code = codeOf(error);
  const remedy = `createTable() of the store makes it, or this SQL: ${create.join('; ')};`;
  if (code === missing) return new Error(`There is no table ${table} in this database. ${remedy}`);
  if (different.has(code))
    return new Error(
      `The table ${table} is not that of a store, which has one of its own. ${remedy}`,
    );
  return new Error(`Postgres: ${reasonOf(error)}`);
}
