import * as consumers from 'node:stream/consumers';
import { neon, neonConfig } from '@neondatabase/serverless';
import { Client, DatabaseError, Pool, type PoolConfig } from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  postgresStore,
  type PostgresClient,
  type QueryingClient,
} from '../../../src/state/stores/postgres-store.ts';
import { add, put } from '../../support/put.ts';
import { isInstalled } from '../../support/servers/find-program.ts';
import { startLoopbackServer } from '../../support/servers/loopback-server.ts';
import { startPostgres } from '../../support/servers/postgres-server.ts';
import { turns } from '../../support/until.ts';
import { untyped } from '../../support/untyped.ts';
import { describeStore } from '../describe-store.ts';

/** Starts Neon's SQL over HTTP in front of a server: one query at a time, rows as lists of texts, errors with codes. */
async function startNeonFront(pool: Pool) {
  return startLoopbackServer(async (request, response) => {
    const { query, params }: { query: string; params: unknown[] } = JSON.parse(
      await consumers.text(request),
    );
    const send = (status: number, answer: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer));
    };
    try {
      const types = { getTypeParser: () => String };
      const answer = await pool.query({ text: query, values: params, rowMode: 'array', types });
      const { fields, rows, rowCount, command } = answer;
      send(200, { fields, rows, rowCount, command });
    } catch (error) {
      const { code, message } = error instanceof DatabaseError ? error : { message: String(error) };
      send(400, { code, message });
    }
  });
}

/** A server with a front of Neon, and clients of it as their users make them. */
async function startServer() {
  const server = await startPostgres();
  const ends: (() => Promise<void>)[] = [];
  const pool = (options: PoolConfig = {}): Pool => {
    const made = new Pool({ connectionString: server.url, ...options });
    made.on('error', () => {});
    ends.push(async () => made.end());
    return made;
  };
  const single = async (): Promise<Client> => {
    const client = new Client({ connectionString: server.url });
    client.on('error', () => {});
    ends.push(async () => client.end());
    await client.connect();
    return client;
  };
  const front = await startNeonFront(pool());
  neonConfig.fetchEndpoint = `${front.url}/sql`;
  const clients: Readonly<Record<string, () => Promise<PostgresClient>>> = {
    'a Pool of pg': async () => pool(),
    'a Client of pg': single,
    'the function of Neon': async () => neon('postgres://user:password@example.com/database'),
  };
  const stop = async (): Promise<void> => {
    await front.stop();
    await Promise.all(ends.map(async (end) => end()));
    await server.stop();
  };
  const store = postgresStore({ client: pool() });
  await store.createTable();
  return { server, store, pool, single, clients, stop };
}

const isHere = isInstalled('initdb') && isInstalled('postgres');
const made = isHere ? await startServer() : undefined;
afterAll(async () => made?.stop());

describe.skipIf(made === undefined)('postgresStore on a server', () => {
  if (made === undefined) return;
  const { server, store, pool, single, clients } = made;
  for (const [kind, makeClient] of Object.entries(clients))
    describeStore(`with ${kind}`, async () => [
      postgresStore({ client: await makeClient() }),
      postgresStore({ client: await makeClient() }),
    ]);

  it('makes its table once, however many processes make it', async () => {
    const pools = Array.from({ length: 20 }, () => pool());
    // Connections first, or they would come one after the other.
    await Promise.all(pools.map(async (each) => each.query('SELECT 1')));
    const stores = pools.map((client) => postgresStore({ client, table: 'made_at_once' }));
    const outcomes = await Promise.allSettled(stores.map(async (each) => each.createTable()));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const [one, other] = stores;
    expect(one && (await put(one, 'key', 'value'))).toBe(true);
    expect(await other?.get('key')).toBe('value');
  });

  it('leaves connections of a pool to others, however many wait for its table', async () => {
    const client = await single();
    const shared = pool({ max: 4 });
    const own = postgresStore({ client: shared });
    await client.query('BEGIN');
    await client.query('LOCK TABLE ai_sdk_summarization IN ACCESS EXCLUSIVE MODE');
    const reads = Array.from({ length: 50 }, async (_, index) => own.get(`waiting ${index}`));
    await turns(10);
    const { rows } = await shared.query('SELECT 1 AS answer');
    expect(rows).toEqual([{ answer: 1 }]);
    await client.query('COMMIT');
    expect(new Set(await Promise.all(reads))).toEqual(new Set([undefined]));
  });

  it('asks a Client of pg for one query at a time', async () => {
    const client = await single();
    let running = 0;
    const counts: number[] = [];
    const query: QueryingClient['query'] = async (text, values) => {
      running += 1;
      counts.push(running);
      try {
        return await client.query(text, values);
      } finally {
        running -= 1;
      }
    };
    const watched = untyped<PostgresClient>(Object.create(client, { query: { value: query } }));
    const own = postgresStore({ client: watched });
    await Promise.all([own.get('one'), own.get('two'), own.delete('three')]);
    expect(counts).toEqual([1, 1, 1]);
  });

  it.each(['read committed', 'repeatable read', 'serializable'])(
    'lets the second of two writers lose that waited for the first: %s',
    async (isolation) => {
      const options = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
      const isolated = postgresStore({ client: pool({ options }) });
      await put(isolated, isolation, 'old', { ttlMs: 1 });
      await vi.waitFor(async () => expect(await isolated.get(isolation)).toBeUndefined(), 60_000);
      const first = await single();
      await first.query('BEGIN');
      const another = postgresStore({ client: first });
      expect(await add(another, isolation, 'first')).toBe(true);
      const second = add(isolated, isolation, 'second');
      await vi.waitUntil(async () => {
        const { rows } = await first.query('SELECT 1 FROM pg_locks WHERE NOT granted');
        return rows.length > 0;
      }, 60_000);
      await first.query('COMMIT');
      expect(await second).toBe(false);
      expect(await isolated.get(isolation)).toBe('first');
    },
  );

  it('rejects while the server is down, and has what was written before', async () => {
    await put(store, 'before', 'value');
    await server.goDown();
    try {
      const asked = [store.get('before'), put(store, 'during', 'value'), store.delete('before')];
      const outcomes = await Promise.allSettled(asked);
      expect(outcomes.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
    } finally {
      await server.comeBack();
    }
    expect(await store.get('before')).toBe('value');
    expect(await store.get('during')).toBeUndefined();
  });
});
