import { neon, neonConfig } from '@neondatabase/serverless';
import { Client, Pool, type PoolConfig } from 'pg';
import type { PostgresClient } from '../../../src/stores/postgres-store.ts';
import { startNeonFront } from '../../support/servers/neon-front.ts';
import { startPostgres, type PostgresServer } from '../../support/servers/postgres-server.ts';

/** A server, and clients of it as their users make them. */
export interface PostgresSetting {
  readonly server: PostgresServer;
  readonly pool: (options?: PoolConfig) => Pool;
  readonly single: () => Promise<Client>;
  readonly neon: () => PostgresClient;
  /** Ends clients and server. */
  readonly stop: () => Promise<void>;
}

/** Starts a server with a front of Neon. */
export async function startPostgresSetting(): Promise<PostgresSetting> {
  const server = await startPostgres();
  const ends: (() => Promise<void>)[] = [];
  const pool = (options: PoolConfig = {}): Pool => {
    const made = new Pool({ connectionString: server.url, ...options });
    made.on('error', () => {});
    ends.push(async () => made.end());
    return made;
  };
  const front = await startNeonFront(pool());
  neonConfig.fetchEndpoint = front.url;
  return {
    server,
    pool,
    single: async () => {
      const client = new Client({ connectionString: server.url });
      client.on('error', () => {});
      ends.push(async () => client.end());
      await client.connect();
      return client;
    },
    neon: () => neon('postgres://user:password@example.com/database'),
    stop: async () => {
      await front.stop();
      await Promise.all(ends.map(async (end) => end()));
      await server.stop();
    },
  };
}

/** Clients of a server by their kinds. */
export const serverClients: Readonly<
  Record<string, (setting: PostgresSetting) => Promise<PostgresClient>>
> = {
  'a Pool of pg': async ({ pool }) => pool(),
  'a Client of pg': async ({ single }) => single(),
  'the function of Neon': async ({ neon: make }) => make(),
};
