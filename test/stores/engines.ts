import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import type { SummaryStore } from '../../src/index.ts';
import { postgresStore } from '../../src/state/stores/postgres-store.ts';
import { redisStore } from '../../src/state/stores/redis-store.ts';
import { sqliteStore } from '../../src/state/stores/sqlite-store.ts';
import { removedFolder } from '../support/removed-folder.ts';
import { isInstalled } from '../support/servers/find-program.ts';
import { startPostgres } from '../support/servers/postgres-server.ts';
import { startRedis } from '../support/servers/redis-server.ts';

/** An engine that keeps what stores are given, and that processes share. */
export interface Engine {
  /** Where it is, in words that another process understands. */
  readonly place: Place;
  /** Opens a store as a process does that begins. */
  readonly open: () => SummaryStore;
  /** All that it keeps, wherever it keeps it, names included. */
  readonly bytes: () => Promise<string>;
  readonly stop: () => Promise<unknown>;
}

export interface Place {
  readonly engine: 'SQLite' | 'Redis' | 'Postgres';
  readonly address: string;
}

/** A store of a process, which closes it in the end. */
interface OpenStore {
  readonly store: SummaryStore;
  readonly close: () => Promise<unknown>;
}

/** Opens a store as a process does that begins. */
export function openPlace({ engine, address }: Place): OpenStore {
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

/** What stands in the files of a folder and of those in it, each byte a character, and their names. */
export function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${entry.name}\n${readFileSync(path, 'latin1')}` : entry.name;
    })
    .join('\n');
}

async function bytesOfRedis(url: string): Promise<string> {
  const client = new Redis(url);
  const keys = await client.keys('*');
  const values = await Promise.all(keys.map(async (key) => client.get(key)));
  await client.quit();
  return [...keys, ...values].join('\n');
}

async function bytesOfPostgres(url: string): Promise<string> {
  const client = new Pool({ connectionString: url });
  const textsOf = async (query: string): Promise<readonly string[]> =>
    (await client.query<{ text: string }>(query)).rows.map(({ text }) => text);
  const tables = await textsOf(
    "SELECT quote_ident(tablename) AS text FROM pg_tables WHERE schemaname = 'public'",
  );
  const rows = tables.map((table) => textsOf(`SELECT t::text AS text FROM ${table} t`));
  const texts = [...tables, ...(await Promise.all(rows)).flat()];
  await client.end();
  return texts.join('\n');
}

/** An engine whose stores are closed before it ends. */
function engineAt(place: Place, bytes: Engine['bytes'], stop: Engine['stop']): Engine {
  const opened: OpenStore[] = [];
  return {
    place,
    bytes,
    open: () => {
      const made = openPlace(place);
      opened.push(made);
      return made.store;
    },
    stop: async () => {
      for (const { close } of opened) await close();
      await stop();
    },
  };
}

/** Starts each engine that other processes can use, as far as it is installed. */
export const engines: Readonly<Partial<Record<Place['engine'], () => Promise<Engine>>>> = {
  SQLite: async () => {
    const { folder, remove } = removedFolder();
    const address = join(folder, 'state.db');
    const bytes = async (): Promise<string> => bytesIn(dirname(address));
    return engineAt({ engine: 'SQLite', address }, bytes, async () => remove());
  },
  ...(isInstalled('redis-server') && {
    Redis: async () => {
      const { url, stop } = await startRedis();
      return engineAt({ engine: 'Redis', address: url }, () => bytesOfRedis(url), stop);
    },
  }),
  ...(isInstalled('initdb') &&
    isInstalled('postgres') && {
      Postgres: async () => {
        const { url, stop } = await startPostgres();
        const client = new Pool({ connectionString: url });
        await postgresStore({ client }).createTable();
        await client.end();
        return engineAt({ engine: 'Postgres', address: url }, () => bytesOfPostgres(url), stop);
      },
    }),
};
