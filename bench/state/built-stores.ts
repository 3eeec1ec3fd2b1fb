import type * as Postgres from '../../src/stores/postgres-store.ts';
import type * as Redis from '../../src/stores/redis-store.ts';
import type * as Sqlite from '../../src/stores/sqlite-store.ts';
import type * as Unstorage from '../../src/stores/unstorage-store.ts';

// As in built-package.ts: the types of the source, what was built.
const folder = new URL('../../dist/', import.meta.url);

const sqlite: typeof Sqlite = await import(new URL('sqlite/index.js', folder).href);
const redis: typeof Redis = await import(new URL('redis/index.js', folder).href);
const postgres: typeof Postgres = await import(new URL('postgres/index.js', folder).href);
const unstorage: typeof Unstorage = await import(new URL('unstorage/index.js', folder).href);

export const sqliteStore: typeof Sqlite.sqliteStore = sqlite.sqliteStore;
export const redisStore: typeof Redis.redisStore = redis.redisStore;
export const postgresStore: typeof Postgres.postgresStore = postgres.postgresStore;
export const unstorageStore: typeof Unstorage.unstorageStore = unstorage.unstorageStore;
