export type { PostgresClient } from './postgres-client.ts';
export { postgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres-store.ts';
