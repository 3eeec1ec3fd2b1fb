import { neon, neonConfig } from '@neondatabase/serverless';
import { Client, Pool, type PoolConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  postgresStore,
  type PostgresClient,
  type PostgresStore,
} from '../../../src/stores/postgres-store.ts';
import { honestInOutage } from '../../support/outage-check.ts';
import { add, put } from '../../support/put.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startNeonFront } from '../../support/servers/neon-front.ts';
import { startPostgres, type PostgresServer } from '../../support/servers/postgres-server.ts';
import { untyped } from '../../support/untyped.ts';
import { describeStore } from '../describe-store.ts';

/** A server, and clients of it as their users make them. */
interface PostgresSetting {
  readonly server: PostgresServer;
  readonly pool: (options?: PoolConfig) => Pool;
  readonly single: () => Promise<Client>;
  readonly neon: () => PostgresClient;
  /** Ends clients and server. */
  readonly stop: () => Promise<void>;
}

/** Starts a server with a front of Neon. */
async function startPostgresSetting(): Promise<PostgresSetting> {
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
const serverClients: Readonly<
  Record<string, (setting: PostgresSetting) => Promise<PostgresClient>>
> = {
  'a Pool of pg': async ({ pool }) => pool(),
  'a Client of pg': async ({ single }) => single(),
  'the function of Neon': async ({ neon: make }) => make(),
};

const isHere = isInstalled('initdb') && isInstalled('postgres');

describe.skipIf(!isHere)('postgresStore on a server', () => {
  let setting: PostgresSetting;
  beforeAll(async () => {
    setting = await startPostgresSetting();
  });
  afterAll(async () => setting?.stop());

  it('makes its table once, however many processes make it', async () => {
    const pools = Array.from({ length: 20 }, () => setting.pool());
    // Connections first, or they would come one after the other.
    await Promise.all(pools.map(async (pool) => pool.query('SELECT 1')));
    const stores = pools.map((client) => postgresStore({ client, table: 'made_at_once' }));
    const made = await Promise.allSettled(stores.map(async (store) => store.createTable()));
    expect(made.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(
      await put(postgresStore({ client: setting.pool(), table: 'made_at_once' }), 'key', 'value'),
    ).toBe(true);
    expect(await stores[1]?.get('key')).toBe('value');
  });

  describe.each(Object.entries(serverClients))('with %s', (kind, makeClient) => {
    describeStore(kind, async () => {
      const one = postgresStore({ client: await makeClient(setting) });
      await one.createTable();
      return [one, postgresStore({ client: await makeClient(setting) })];
    });
  });

  it('asks a Client of pg for one query at a time', async () => {
    const client = await setting.single();
    let running = 0;
    const counts: number[] = [];
    const query: PostgresClient['query'] = async (text, values) => {
      running += 1;
      counts.push(running);
      try {
        return await client.query(text, values);
      } finally {
        running -= 1;
      }
    };
    const watched = untyped<PostgresClient>(Object.create(client, { query: { value: query } }));
    const store = postgresStore({ client: watched });
    await Promise.all([store.get('one'), store.get('two'), store.delete('three')]);
    expect(counts).toEqual([1, 1, 1]);
  });

  it('lets one of 100 writers win over an entry that has expired', async () => {
    const store = postgresStore({ client: setting.pool({ max: 20 }) });
    await store.createTable();
    await put(store, 'contended', 'old', { ttlMs: 1 });
    await vi.waitFor(async () => expect(await store.get('contended')).toBeUndefined(), 60_000);
    const written = await Promise.all(
      Array.from({ length: 100 }, async (_, index) =>
        add(store, 'contended', `${index}`, { ttlMs: 600_000 }),
      ),
    );
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await store.get('contended')).toBe(`${written.indexOf(true)}`);
  });

  it.each(['read committed', 'repeatable read', 'serializable'])(
    'lets the second of two writers lose that waited for the first: %s',
    async (isolation) => {
      const options = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
      const client = setting.pool({ options });
      const store = postgresStore({ client });
      await store.createTable();
      await put(store, isolation, 'old', { ttlMs: 1 });
      await vi.waitFor(async () => expect(await store.get(isolation)).toBeUndefined(), 60_000);
      const first = await setting.single();
      await first.query('BEGIN');
      const another = postgresStore({ client: first });
      expect(await add(another, isolation, 'first')).toBe(true);
      const second = add(store, isolation, 'second');
      await vi.waitUntil(async () => {
        const { rows } = await first.query('SELECT 1 FROM pg_locks WHERE NOT granted');
        return rows.length > 0;
      }, 60_000);
      await first.query('COMMIT');
      expect(await second).toBe(false);
      expect(await store.get(isolation)).toBe('first');
    },
  );

  describe('that goes down', () => {
    let store: PostgresStore;
    beforeAll(async () => {
      store = postgresStore({ client: setting.pool() });
      await store.createTable();
    });

    const server = {
      stop: async () => setting.server.goDown(),
      start: async () => setting.server.comeBack(),
    };
    it('does not pass an outage off as an absent value, and answers again after it', async () => {
      await expect(honestInOutage(store, server)).resolves.toBeUndefined();
    });

    it('rejects meanwhile, and has what was written before', async () => {
      await put(store, 'before', 'value');
      await server.stop();
      try {
        const asked = [store.get('before'), put(store, 'during', 'value'), store.delete('before')];
        const outcomes = await Promise.allSettled(asked);
        expect(outcomes.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
      } finally {
        await server.start();
      }
      expect(await store.get('before')).toBe('value');
      expect(await store.get('during')).toBeUndefined();
    });
  });
});
