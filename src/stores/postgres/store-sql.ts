/** The statements of a store, over one table. */
export interface StoreSql {
  /** What makes the table, one statement each. */
  readonly create: readonly string[];
  /** Values: key. */
  readonly get: string;
  /** Values: key, value, milliseconds to live or null. */
  readonly set: string;
  /** Like `set`; gives a row only when it wrote, in one statement even over a row that has expired. */
  readonly setIfAbsent: string;
  /** Values: key. */
  readonly delete: string;
  /** Removes some of what has expired, passing over what others are working on. Values: how many. */
  readonly sweep: string;
}

/**
 * Writes the statements. Time is that of the database when a statement begins: several machines agree on it, and
 * in a transaction it goes on.
 *
 * @param names - Schema, where there is one, and name of the table; what stands in them is quoted.
 */
export function storeSql(names: readonly string[]): StoreSql {
  const table = names.map(quoted).join('.');
  const index = quoted(`${names.at(-1)}_expires_at`);
  const insert = `INSERT INTO ${table} AS held (key, value, expires_at)
VALUES ($1, $2, statement_timestamp() + $3::float8 * interval '1 millisecond')
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;
  return {
    create: [
      // Keys are compared by their bytes, whatever the language of the database.
      `CREATE TABLE IF NOT EXISTS ${table} (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, expires_at timestamptz)`,
      `CREATE INDEX IF NOT EXISTS ${index} ON ${table} (expires_at)`,
    ],
    get: `SELECT value FROM ${table}
WHERE key = $1 AND (expires_at IS NULL OR expires_at > statement_timestamp())`,
    set: insert,
    setIfAbsent: `${insert}
WHERE held.expires_at <= statement_timestamp()
RETURNING held.key`,
    delete: `DELETE FROM ${table} WHERE key = $1`,
    sweep: `DELETE FROM ${table} WHERE key IN (
SELECT key FROM ${table} WHERE expires_at <= statement_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
