import { codeOf } from '../../util/code-of.ts';

/** No such table. */
const missing = '42P01';

/** No such column, another type, no key. */
const different: ReadonlySet<string> = new Set(['42703', '42804', '42P10', '42883']);

/** A failure with what is to be done about it, where something can be done. */
export function explained(error: unknown, table: string, create: readonly string[]): unknown {
  const code = codeOf(error);
  const remedy = `createTable() of the store makes it, or this SQL: ${create.join('; ')};`;
  if (code === missing)
    return new Error(`There is no table ${table} in this database. ${remedy}`, { cause: error });
  if (different.has(code))
    return new Error(
      `The table ${table} is not one of this store, which has one of its own. ${remedy}`,
      {
        cause: error,
      },
    );
  return error;
}
