import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import type { SummaryStore } from '../../../src/index.ts';
import { postgresStore } from '../../../src/stores/postgres-store.ts';
import { redisStore } from '../../../src/stores/redis-store.ts';
import { sqliteStore } from '../../../src/stores/sqlite-store.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startPostgres } from '../../support/servers/postgres-server.ts';
import { startRedis } from '../../support/servers/redis-server.ts';

/** Where a store is, in words that another process understands. */
export interface Place {
  readonly engine: 'SQLite' | 'Redis' | 'Postgres';
  readonly address: string;
}

/** A place and what ends its server. */
export interface OpenPlace {
  readonly place: Place;
  readonly stop: () => Promise<void>;
}

/** Starts the servers of those engines that are installed. */
export const starts: Readonly<Partial<Record<Place['engine'], () => Promise<OpenPlace>>>> = {
  SQLite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'summarization-sqlite-'));
    return Promise.resolve({
      place: { engine: 'SQLite', address: join(folder, 'state.db') },
      stop: async () => rmSync(folder, { recursive: true }),
    });
  },
  ...(isInstalled('redis-server') && {
    Redis: async () => {
      const { url, stop } = await startRedis();
      return { place: { engine: 'Redis', address: url }, stop };
    },
  }),
  ...(isInstalled('postgres') && {
    Postgres: async () => {
      const { url, stop } = await startPostgres();
      const place = { engine: 'Postgres', address: url } as const;
      const client = new Pool({ connectionString: url });
      await postgresStore({ client }).createTable();
      await client.end();
      return { place, stop };
    },
  }),
};

/** Opens a store as a process does that begins. */
export function openPlace({ engine, address }: Place): {
  readonly store: SummaryStore;
  readonly close: () => Promise<unknown>;
} {
  switch (engine) {
    case 'SQLite': {
      const store = sqliteStore({ path: address });
      return { store, close: async () => store.close() };
    }
    case 'Redis': {
      const client = new Redis(address);
      return { store: redisStore(client), close: async () => client.quit() };
    }
    case 'Postgres': {
      const client = new Pool({ connectionString: address, max: 10 });
      client.on('error', () => {});
      return { store: postgresStore({ client }), close: async () => client.end() };
    }
  }
}
