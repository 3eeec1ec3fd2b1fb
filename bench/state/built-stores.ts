import type * as Postgres from '../../src/stores/postgres/index.ts';
import type * as Redis from '../../src/stores/redis/index.ts';
import type * as Sqlite from '../../src/stores/sqlite/index.ts';

// As in built-package.ts: the types of the source, what was built.
const folder = new URL('../../dist/', import.meta.url);

export const { sqliteStore }: typeof Sqlite = await import(new URL('sqlite/index.js', folder).href);
export const { redisStore }: typeof Redis = await import(new URL('redis/index.js', folder).href);
export const { postgresStore }: typeof Postgres = await import(
  new URL('postgres/index.js', folder).href
);
