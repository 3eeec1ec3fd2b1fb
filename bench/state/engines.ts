import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, Redis } from 'ioredis';
import { Pool } from 'pg';
import type { SummaryStore } from '../../src/index.ts';
import { startPostgres } from '../../test/support/servers/postgres-server.ts';
import { startRedisCluster } from '../../test/support/servers/redis-cluster.ts';
import { startRedis } from '../../test/support/servers/redis-server.ts';
import { postgresStore, redisStore, sqliteStore } from './built-stores.ts';

/** Where a store is, in words that another process understands. */
export interface StorePlace {
  readonly engine: 'SQLite' | 'Redis' | 'Redis Cluster' | 'Postgres';
  readonly address: string;
}

/** An engine that runs for these benchmarks. */
export interface Engine {
  readonly place: StorePlace;
  readonly stop: () => Promise<void>;
}

/** Starts the engines that are installed; the others are named. */
export async function startEngines(): Promise<readonly Engine[]> {
  const starts: Readonly<Record<StorePlace['engine'], () => Promise<Engine>>> = {
    SQLite: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'summarization-bench-'));
      return {
        place: { engine: 'SQLite', address: join(folder, 'state.db') },
        stop: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
    Redis: async () => {
      const { url, stop } = await startRedis();
      return { place: { engine: 'Redis', address: url }, stop };
    },
    'Redis Cluster': async () => {
      const { ports, stop } = await startRedisCluster();
      return { place: { engine: 'Redis Cluster', address: ports.join(' ') }, stop };
    },
    Postgres: async () => {
      const { url, stop } = await startPostgres();
      const place = { engine: 'Postgres', address: url } as const;
      const pool = new Pool({ connectionString: url });
      await postgresStore({ client: pool }).createTable();
      await pool.end();
      return { place, stop };
    },
  };
  const engines: Engine[] = [];
  for (const [name, start] of Object.entries(starts)) {
    try {
      engines.push(await start());
    } catch (error) {
      console.log(`SKIPPED: ${name}. ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return engines;
}

/** Opens a store as a process does that begins. */
export function openStore({ engine, address }: StorePlace): {
  readonly store: SummaryStore;
  readonly close: () => Promise<void>;
} {
  switch (engine) {
    case 'SQLite': {
      const store = sqliteStore({ path: address });
      return { store, close: async () => store.close() };
    }
    case 'Redis': {
      const client = new Redis(address);
      return { store: redisStore(client), close: async () => client.disconnect() };
    }
    case 'Redis Cluster': {
      const nodes = address.split(' ').map((port) => ({ host: '127.0.0.1', port: Number(port) }));
      const client = new Cluster(nodes);
      return { store: redisStore(client), close: async () => client.disconnect() };
    }
    case 'Postgres': {
      const client = new Pool({ connectionString: address, max: 10 });
      client.on('error', () => {});
      return { store: postgresStore({ client }), close: async () => client.end() };
    }
  }
}
